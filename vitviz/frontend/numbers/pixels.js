// Patches as the model reads them, and the pixels that they are.

/** @import { Told } from "../types/numbers.js" */

import { round } from "./arrays.js";
import { png } from "./png.js";

/** The picture that patches are, as a PNG file. @param {ArrayLike<number>} patches `n (c ph pw)`, normalised
 *  @param {Told} told @returns {Promise<Uint8Array>} */
export function pictureOf(patches, { meta, mean, std }) {
    const { columns, channels, patch_sides: sides } = meta;
    const [high, wide] = sides;
    const width = columns * wide;
    const pixels = new Uint8Array(patches.length);
    for (let at = 0; at < patches.length; at++) {
        const [n, c] = [Math.floor(at / (channels * high * wide)), Math.floor(at / (high * wide)) % channels];
        const [y, x] = [Math.floor(at / wide) % high, at % wide];
        const [down, across] = [Math.floor(n / columns) * high + y, (n % columns) * wide + x];
        const value = round(255 * (patches[at] * std[c] + mean[c]));
        pixels[(down * width + across) * channels + c] = Math.min(Math.max(value, 0), 255);
    }
    return png(pixels, width, channels);
}
