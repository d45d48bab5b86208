// A picture lit where its patches are alike.

import { enlarged, pixels } from "#frontend/draw/surface.js";
import { lightOf } from "./patches.js";

const DARK = 0.72; // how much of the light of a patch goes where nothing is alike

/** A picture with darkness over the patches that are not alike. @param {CanvasRenderingContext2D} context
 *  @param {CanvasImageSource | null} picture @param {ArrayLike<number>} values one per patch
 *  @param {[number, number]} ends where it is dark, and where light @param {{ columns: number, rows: number }} grid
 *  @param {readonly [number, number, number, number]} box */
export function drawShaded(context, picture, values, ends, { columns, rows }, box) {
    const dark = (/** @type {number} */ at) => Math.round(255 * DARK * (1 - lightOf(values[at], ends)));
    if (picture) context.drawImage(picture, ...box);
    enlarged(
        context,
        pixels(columns, rows, (at) => (dark(at) << 24) >>> 0),
        ...box,
    );
}
