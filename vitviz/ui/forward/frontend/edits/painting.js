// Patches of a picture painted, and put in other places.

/** @import { Config, Embedding } from "../types.js" */

/** Each way to paint a patch, in place; `other` is the same of the second picture, `size` how many numbers a colour has.
 *  @type {Record<string, (patch: Float32Array, other: Float32Array, size: number) => void>} */
const WAYS = {
    grey: (patch) => patch.fill(0), // the mean of the training pictures, after normalisation
    paste: (patch, other) => patch.set(other),
    blur: (patch, _other, size) => {
        for (let at = 0; at < patch.length; at += size) {
            const colour = patch.subarray(at, at + size);
            colour.fill(colour.reduce((sum, value) => sum + value, 0) / size);
        }
    },
};

/** The picture as the model gets it. @param {Float32Array} picture @param {Float32Array} second @param {Embedding} change
 *  @param {Config} config */
export function painted(picture, second, { painted: ways, pixels }, { patch_values: values, channels }) {
    if (!ways && !pixels) return picture;
    const patch = (/** @type {Float32Array} */ of, /** @type {number} */ n) =>
        of.subarray(n * values, (n + 1) * values);
    const out = picture.slice();
    for (const [n, way] of ways ?? []) WAYS[way](patch(out, n), patch(second, n), values / channels);
    if (!pixels) return out;
    const moved = out.slice();
    for (const [n, from] of pixels.entries()) moved.set(patch(out, from), n * values);
    return moved;
}
