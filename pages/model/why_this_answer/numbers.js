// Why this answer: the sum, the maps, and what stands where patches are gone.

/** @import { Make_, Parcels_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { array } from "#frontend/numbers/arrays.js";
import { gradientMaps } from "#frontend/numbers/backward.js";
import { lens } from "#frontend/numbers/lens.js";
import { filledPicture } from "#frontend/numbers/pixels.js";
import {
    lastAttention,
    logitSum,
    occlusion,
    rolledOut,
    sumOfPatches,
    twoClasses,
} from "#frontend/numbers/relevance.js";

const NONE = -1;
const CHANCE = "chance"; // an order that Python drew, in a file

/** @type {Make_} */
export function* parcels(trace, address) {
    const { told, config } = trace;
    const { moment, fill, begun } = address;
    const [label, against] = config.classes ? [address.answer, address.against] : [address.component, NONE];
    const unasked = (/** @type {string} */ of) => !told.long.includes(of);
    const wanted = unasked(moment) || begun === moment;
    if (moment === "sum") yield [`sum-${label}-${against}`, () => sum(trace, label, against)];
    if (moment === "maps") {
        const alone = against === NONE ? [] : [label, against].map((it) => [it, NONE]);
        const compared = [[label, against], ...alone];
        for (const [one, other] of compared) yield* maps(trace, one, other);
        if (wanted) for (const [one, other] of compared) yield hidden(trace, one, other);
    }
    if (moment === "trial") {
        const means = `trial-means-${fill}`;
        yield [`fill-${fill}`, () => filled(trace, fill)];
        if (means in told.files) yield [means, () => told.file(means)];
        if (told.small) {
            const { patches, patch_values: values } = config;
            yield ["forward-patches", () => ({ own: array([patches, values], trace.patches) })];
            yield* maps(trace, label, NONE);
            if (unasked("maps")) yield hidden(trace, label, NONE);
        }
    }
    if (config.classes) yield ["lens", () => lens(trace)];
}

/** @param {Trace} trace @param {number} label @param {number} against */
const classes = (trace, label, against) => array([2], Int32Array.from(twoClasses(trace, label, against)));

/** @param {Trace} trace @param {number} label @param {number} against */
function sum(trace, label, against) {
    const { depth, heads, tokens } = trace.config;
    const found = logitSum(trace, label, against);
    const layers = new Float64Array(depth * (heads + 2));
    for (const [at, value] of found.heads.entries()) {
        const row = Math.floor(at / tokens);
        layers[Math.floor(row / heads) * (heads + 2) + (row % heads)] += value;
    }
    for (let layer = 0; layer < depth; layer++)
        layers.set([found.mlps[layer], found.biases[layer]], (layer + 1) * (heads + 2) - 2);
    const one = (/** @type {number} */ value) => array([1], Float32Array.of(value));
    return {
        classes: classes(trace, label, against),
        read: array([1], Int32Array.of(1)),
        embedding: array([tokens], found.embedding),
        heads: array([depth, heads, tokens], found.heads),
        mlps: array([depth], found.mlps),
        biases: array([depth], found.biases),
        layers: array([depth, heads + 2], Float32Array.from(layers)),
        pooling: one(0),
        constant: one(found.constant),
        logit: one(found.logit),
    };
}

/** Those that take a run at most. @param {Trace} trace @param {number} label @param {number} against @returns {Parcels_} */
function* maps(trace, label, against) {
    const shape = [trace.config.patches];
    yield [
        `maps-${label}-${against}`,
        async () => ({
            classes: classes(trace, label, against),
            sum: array(shape, sumOfPatches(trace, label, against)),
            attention: array(shape, lastAttention(trace)),
            rollout: array(shape, rolledOut(trace)),
            ...(await trace.told.file(CHANCE)),
        }),
    ];
    yield [`gradients-${label}-${against}`, () => gradients(trace, label, against)];
}

/** Those that take a run and the way back. @param {Trace} trace @param {number} label @param {number} against */
function gradients(trace, label, against) {
    const shape = [trace.config.patches];
    const { attention, input } = gradientMaps(trace, label, against);
    return {
        classes: classes(trace, label, against),
        gradient_attention: array(shape, attention),
        gradient_input: array(shape, input),
    };
}

/** What hiding every patch takes. @param {Trace} trace @param {number} label @param {number} against
 *  @returns {[string, () => import("#frontend/types/numbers.js").Arrays_]} */
function hidden(trace, label, against) {
    const make = () => ({
        classes: classes(trace, label, against),
        occlusion: array([trace.config.patches], occlusion(trace, label, against)),
    });
    return [`occlusion-${label}-${against}`, make];
}

/** The whole picture as it is where patches are gone, as a PNG file. @param {Trace} trace @param {string} fill */
async function filled({ patches, told }, fill) {
    const file = await filledPicture(patches, told, fill);
    return { picture: array([file.length], file) };
}
