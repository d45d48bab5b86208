// Vectors, filters and products as little pictures, and how they stand side by side.

import { diverging, pixels } from "#board/canvas/surface.js";
import { largestSize } from "#board/canvas/vectors.js";

/** A vector of channels, rows and columns as a picture: grey is 0, the largest size is black or full colour.
 *  @param {ArrayLike<number>} values @param {number[]} sizes */
export function asPicture(values, [channels, rows, columns]) {
    const [most, many] = [largestSize(values) || 1, rows * columns];
    return pixels(columns, rows, (at) => {
        const [r, g, b] = [0, 1, 2].map((channel) => tint(values[Math.min(channel, channels - 1) * many + at] / most));
        return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** From -1 to 1 as a byte. @param {number} share */
export const tint = (share) => Math.round(127.5 + 127.5 * share);

/** How many squares stand side by side so that all fit and the last row is as full as can be.
 *  @param {number} many @param {number} width @param {number} height @param {number} [spare] by how much smaller they may be
 *  for that */
export function across(many, width, height, spare = 1.25) {
    let least = 1;
    while (Math.ceil(many / least) * (width / least) > height) least++;
    const left = (/** @type {number} */ side) => Math.ceil(many / side) * side - many;
    let best = least;
    for (let side = least; side <= Math.min(many, Math.ceil(least * spare)); side++)
        if (left(side) < left(best)) best = side;
    return best;
}

/** Width and height of a picture that fills a square one way. @param {OffscreenCanvas} picture @param {number} side
 *  @returns {[number, number]} */
export function fitted({ width, height }, side) {
    const scale = side / Math.max(width, height);
    return [width * scale, height * scale];
}

/** One number for each pixel as red and blue. @param {Float64Array} values @param {number[]} sizes */
export function redAndBlue(values, [, rows, columns]) {
    const most = largestSize(values);
    return pixels(columns, rows, (at) => diverging(values[at], most));
}
