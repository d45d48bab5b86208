// What pointing is called on this device.

/** Whether a finger points here: there is no keyboard to speak of either. */
export const taps = () => matchMedia("(pointer: coarse)").matches;
