// Patches as the model reads them, and the pixels that they are.

/** @import { Told } from "../types/numbers.js" */

import { round } from "./arrays.js";
import { png } from "./png.js";

/** The picture that patches are, as a PNG file. @param {ArrayLike<number>} patches `n (c ph pw)`, normalised
 *  @param {Told} told @returns {Promise<Uint8Array>} */
export const pictureOf = (patches, told) => written(pixelsOf(patches, told), told);

/** Its pixels, from 0 to 255, in the order of patches. @param {ArrayLike<number>} patches @param {Told} told */
function pixelsOf(patches, { meta: { channels, patch_sides: sides }, mean, std }) {
    const colour = sides[0] * sides[1];
    return Uint8Array.from(patches, (value, at) => {
        const c = Math.floor(at / colour) % channels;
        return Math.min(Math.max(round(255 * (value * std[c] + mean[c])), 0), 255);
    });
}

/** What stands where patches are gone, everywhere: "grey", the mean of the training pictures; "blur", each patch's own mean;
 *  "mean", that of the picture. @param {ArrayLike<number>} patches @param {Told} told @param {string} fill */
export function filledPicture(patches, told, fill) {
    const { channels, patch_sides: sides } = told.meta;
    const pixels = pixelsOf(patches, told);
    const colour = sides[0] * sides[1];
    const [few, all] = [new Float64Array(pixels.length / colour), new Float64Array(channels)];
    for (const [at, value] of pixels.entries()) {
        const part = Math.floor(at / colour);
        few[part] += value / colour;
        all[part % channels] += (value * channels) / pixels.length;
    }
    const of = (/** @type {number} */ part) =>
        fill === "grey" ? 255 * told.mean[part % channels] : fill === "blur" ? few[part] : all[part % channels];
    return written(
        pixels.map((_, at) => round(of(Math.floor(at / colour)))),
        told,
    );
}

/** @param {Uint8Array} patches `n (c ph pw)` @param {Told} told */
function written(patches, { meta: { columns, channels, patch_sides: sides } }) {
    const [high, wide] = sides;
    const width = columns * wide;
    const pixels = new Uint8Array(patches.length);
    for (let at = 0; at < patches.length; at++) {
        const [n, c] = [Math.floor(at / (channels * high * wide)), Math.floor(at / (high * wide)) % channels];
        const [y, x] = [Math.floor(at / wide) % high, at % wide];
        const [down, across] = [Math.floor(n / columns) * high + y, (n % columns) * wide + x];
        pixels[(down * width + across) * channels + c] = patches[at];
    }
    return png(pixels, width, channels);
}
