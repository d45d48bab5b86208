// Overview: the whole model on one screen, each stage with a live picture.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { array, round } from "#frontend/numbers/arrays.js";
import { principalComponents } from "#frontend/numbers/components.js";
import { logitLens } from "#frontend/numbers/lens.js";
import { deflated } from "#frontend/numbers/png.js";

const MOST_LIGHT = 1 << 20; // bytes: two layers of 32 × 32 patches
const FULL_LIGHT = 15;
const TIMES_UNIFORM = 8; // of the weight that each token has where all have the same: from there on light grows no more

/** @type {Make_} */
export function* parcels(trace) {
    yield ["overview", () => stages(trace)];
}

/** @param {Trace} trace */
async function stages(trace) {
    const { dim, depth, patches, prefix, classes } = trace.config;
    const layers = litLayers(trace);
    const on = (/** @type {Float32Array} */ vectors) => {
        const { number, coordinates } = principalComponents(vectors, dim, 3);
        return array([patches, number], coordinates);
    };
    const lit = array([layers.length], Int32Array.from(layers));
    return {
        ...(layers.length ? { light: await light(trace, layers), lit } : {}),
        tokens: on(trace.embedding().patch_tokens),
        positions: on(trace.positions.slice(prefix * dim)),
        maps: array([depth, patches], maps(trace)),
        lens: array([depth + 1, classes], logitLens(trace)),
    };
}

/** The layers whose light is sent with the front page: all, or as many, evenly from first to last, as are small.
 *  @param {Trace} trace */
function litLayers({ config: { patches, depth } }) {
    const many = Math.min(depth, Math.floor(MOST_LIGHT / Math.floor((patches ** 2 + 1) / 2)));
    const step = (depth - 1) / Math.max(many - 1, 1);
    return Array.from({ length: many }, (_, number) => round(number * step));
}

/** What the class token looks at on the patches, mean of the heads: `layer n`. @param {Trace} trace */
function maps(trace) {
    const { depth, heads, tokens, prefix, patches } = trace.config;
    const out = new Float32Array(depth * patches);
    for (let layer = 0; layer < depth; layer++) {
        const weights = trace.weights(layer);
        for (let head = 0; head < heads; head++)
            for (let n = 0; n < patches; n++)
                out[layer * patches + n] += weights[head * tokens * tokens + prefix + n] / heads;
    }
    return out;
}

/** What patches look at as light on a photo, mean of the heads: it grows with the root of a weight, in steps from 0 to 15;
 *  two are in a byte, the first low, of `layer k q`, and all of it is deflated. @param {Trace} trace @param {number[]} layers */
async function light(trace, layers) {
    const { heads, tokens: t, prefix, patches: n } = trace.config;
    const full = TIMES_UNIFORM / t;
    const packed = new Uint8Array(Math.ceil((layers.length * n * n) / 2));
    for (const [place, layer] of layers.entries()) {
        const weights = trace.weights(layer);
        for (let key = 0, at = place * n * n; key < n; key++)
            for (let query = 0; query < n; query++, at++) {
                let weight = 0;
                for (let head = 0; head < heads; head++)
                    weight += weights[(head * t + prefix + query) * t + prefix + key];
                const step = round(FULL_LIGHT * Math.sqrt(Math.min(weight / heads / full, 1)));
                packed[at >> 1] |= step << (4 * (at & 1));
            }
    }
    const bytes = await deflated(packed);
    return array([bytes.length], bytes);
}
