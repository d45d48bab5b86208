// What pointing is called on this device.

/** Whether a finger points here: there is no keyboard to speak of either. */
export const taps = () => matchMedia("(pointer: coarse)").matches;

/** A sentence for this device: a finger taps what a mouse moves over. @param {string} says */
export const toHand = (says) => (taps() ? says.replace("Move over", "Tap") : says);

export const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Where an arrow leads, across and down. @param {string} key @returns {[number, number]} */
export const way = (key) => [
    Number(key === "ArrowRight") - Number(key === "ArrowLeft"),
    Number(key === "ArrowDown") - Number(key === "ArrowUp"),
];
