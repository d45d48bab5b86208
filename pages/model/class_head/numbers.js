// Class head: the answer grows with the depth; norm, head and softmax make it; and the whole way of one patch.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { alone, array, rowOf } from "#frontend/numbers/arrays.js";
import { attentionMaps } from "#frontend/numbers/attention.js";
import { lens } from "#frontend/numbers/lens.js";

const PATCHES_AT_ONCE = 1_000_000; // bytes of what patches are on their way up to which those of all are sent
const WEIGHTS = 2_000_000; // weights of the head up to which they are sent

/** @type {Make_} */
export function* parcels(trace, address) {
    const { classes, dim, patches } = trace.config;
    const { patch, moment } = address;
    if (classes) yield ["lens", () => lens(trace)];
    yield ["class-token", () => classTokens(trace)];
    if (classes && classes * dim <= WEIGHTS) {
        yield ["class-inputs", () => inputs(trace)];
        yield ["class-weights", () => weights(trace)];
    }
    if (!classes) yield ["result", () => alone("vector", [dim], trace.answer)];
    if (moment !== "way") return;
    if (4 * 4 * patches * dim <= PATCHES_AT_ONCE) yield ["way", () => way(trace, 0, patches)];
    else yield [`way-${patch}`, () => way(trace, patch, patch + 1)];
    yield* attentionMaps(trace, address);
}

/** Patches embedded, their positions, the sum of both, and what leaves the last block: `patch d` each.
 *  @param {Trace} trace @param {number} first @param {number} last the one behind */
function way(trace, first, last) {
    const { prefix, dim, depth } = trace.config;
    const { patch_tokens: token, resid_post: placed } = trace.embedding();
    const some = (/** @type {Float32Array} */ rows, before = prefix) =>
        array([last - first, dim], rows.slice((before + first) * dim, (before + last) * dim));
    return {
        token: some(token, 0),
        position: some(trace.positions),
        sum: some(placed),
        leaves: some(trace.streams[depth]),
    };
}

/** The class token in the residual stream before the first block and after each. @param {Trace} trace */
function classTokensOf({ streams, config: { dim } }) {
    const out = new Float32Array(streams.length * dim);
    for (const [after, stream] of streams.entries()) out.set(rowOf(stream, 0, dim), after * dim);
    return array([streams.length, dim], out);
}

/** Here, and of another picture. @param {Trace} trace */
async function classTokens(trace) {
    return { own: classTokensOf(trace), other: classTokensOf(await trace.told.traceOf(trace.told.other)) };
}

/** What the head reads before the first block and after each, the class token behind the last norm: `(depth + 1) head d`.
 *  @param {Trace} trace */
function inputs(trace) {
    const { dim } = trace.config;
    const out = new Float32Array(trace.streams.length * dim);
    for (const [after, stream] of trace.streams.entries())
        out.set(rowOf(trace.normalised(stream), 0, dim), after * dim);
    return alone("inputs", [trace.streams.length, 1, dim], out);
}

/** The head's weights and biases, which no edit changes: `head classes d` and `head classes`. @param {Trace} trace */
function weights(trace) {
    const { classes, dim } = trace.config;
    return {
        weights: array([1, classes, dim], trace.parameter("head.weight")),
        biases: array([1, classes], trace.parameter("head.bias")),
    };
}
