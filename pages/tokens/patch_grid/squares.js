// Parts of a picture in the model's shape, as the address writes them: "left-top-side", the corner in thousandths of the
// picture's shorter side, the side in thousandths of the largest part that fits. Of square pictures both are the same.

export const LEAST = 50;
const MOST = 1000;

const SQUARE = [1, 1];

/** @typedef {{ left: number, top: number, side: number }} Square */

/** The square that a text names. @param {string} text @returns {Square | null} */
export function squareOf(text) {
    const [left, top, side] = text.split("-").map(Number);
    return text ? { left, top, side } : null;
}

/** @param {Square} square */
export const textOf = ({ left, top, side }) => `${left}-${top}-${side}`;

/** How wide and how tall such a part is, in thousandths of the picture's shorter side. @param {number} side
 *  @param {number[]} size width and height of the picture @param {number[]} [sides] rows and columns that the model reads */
export function extent(side, [width, height], [rows, columns] = SQUARE) {
    const unit = Math.min(width, height);
    return [
        (side * Math.min((height * columns) / rows, width)) / unit,
        (side * Math.min(height, (width * rows) / columns)) / unit,
    ];
}

/** The part that holds a box, in pixels: left, top, right, bottom. @param {number[]} box @param {number[]} size
 *  @param {number[]} [sides] */
export function around([left, top, right], size, sides = SQUARE) {
    const unit = Math.min(...size) / MOST;
    const side = (right - left) / unit / extent(1, size, sides)[0];
    return inside({ left: left / unit, top: top / unit, side }, size, sides);
}

/** A part moved and shrunk into the picture, in whole thousandths. @param {Square} square @param {number[]} size
 *  @param {number[]} [sides] @returns {Square} */
export function inside({ left, top, side }, size, sides = SQUARE) {
    const unit = Math.min(...size) / MOST;
    const whole = Math.round(Math.max(LEAST, Math.min(MOST, side)));
    const spans = extent(whole, size, sides);
    const within = (/** @type {number} */ value, /** @type {number} */ axis) =>
        Math.max(0, Math.min(Math.floor(size[axis] / unit - spans[axis]), Math.round(value)));
    return { left: within(left, 0), top: within(top, 1), side: whole };
}

/** The part larger or smaller around its own middle. @param {Square} square @param {number} by @param {number[]} size
 *  @param {number[]} [sides] */
export function scaled({ left, top, side }, by, size, sides = SQUARE) {
    const grown = Math.max(LEAST, Math.min(MOST, side * by));
    const [wide, tall] = extent((side - grown) / 2, size, sides);
    return inside({ left: left + wide, top: top + tall, side: grown }, size, sides);
}
