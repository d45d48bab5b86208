// Squares of a picture, in thousandths of its shorter side, as the address writes them: "left-top-side".

export const LEAST = 50;
const MOST = 1000;

/** @typedef {{ left: number, top: number, side: number }} Square */

/** The square that a text names. @param {string} text @returns {Square | null} */
export function squareOf(text) {
    const [left, top, side] = text.split("-").map(Number);
    return text ? { left, top, side } : null;
}

/** @param {Square} square */
export const textOf = ({ left, top, side }) => `${left}-${top}-${side}`;

/** The square that holds a box, in pixels: left, top, right, bottom. @param {number[]} box @param {number[]} size */
export function around([left, top, right, bottom], size) {
    const unit = Math.min(...size) / MOST;
    const side = Math.min(right - left, bottom - top);
    return inside({ left: left / unit, top: top / unit, side: side / unit }, size);
}

/** A square moved and shrunk into the picture, in whole thousandths. @param {Square} square @param {number[]} size
 *  width and height of the picture @returns {Square} */
export function inside({ left, top, side }, [width, height]) {
    const unit = Math.min(width, height) / MOST;
    const whole = Math.round(Math.max(LEAST, Math.min(MOST, side)));
    const most = (/** @type {number} */ length) => Math.floor(length / unit) - whole;
    const within = (/** @type {number} */ value, /** @type {number} */ length) =>
        Math.max(0, Math.min(most(length), Math.round(value)));
    return { left: within(left, width), top: within(top, height), side: whole };
}

/** The square larger or smaller around its own middle. @param {Square} square @param {number} by @param {number[]} size */
export function scaled({ left, top, side }, by, size) {
    const grown = Math.max(LEAST, Math.min(MOST, side * by));
    return inside({ left: left + (side - grown) / 2, top: top + (side - grown) / 2, side: grown }, size);
}
