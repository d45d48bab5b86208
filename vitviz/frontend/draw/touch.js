// What pointing is called on this device.

/** @import { Column } from "../state/column.js" */
/** @import { Selection } from "../types/board.js" */

/** Whether a finger points here: there is no keyboard to speak of either. */
export const taps = () => matchMedia("(pointer: coarse)").matches;

/** Let a thing on the page mean something: the pointer over it previews that, a click chooses it. @param {Column} column
 *  @param {HTMLElement} target @param {() => Partial<Selection>} means */
export function choosable(column, target, means) {
    target.addEventListener("pointerenter", ({ pointerType }) => {
        if (pointerType !== "touch") column.look(means());
    });
    target.addEventListener("pointerleave", () => column.look({}));
    target.addEventListener("click", () => column.choose(means()));
}

/** A sentence for this device: a finger taps what a mouse moves over. @param {string} says */
export const toHand = (says) => (taps() ? says.replace("Move over", "Tap") : says);

export const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Where an arrow leads, across and down. @param {string} key @returns {[number, number]} */
export const way = (key) => [
    Number(key === "ArrowRight") - Number(key === "ArrowLeft"),
    Number(key === "ArrowDown") - Number(key === "ArrowUp"),
];
