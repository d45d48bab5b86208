// Encoder block: what attention and the MLP read from the residual stream and add to it.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { array, rowOf } from "#frontend/numbers/arrays.js";
import { attentionMaps } from "#frontend/numbers/attention.js";

const AT_ONCE = 5_000_000; // bytes of all blocks' values up to which all of them are sent
const HIDDEN_AT_ONCE = 1_000_000; // bytes of the hidden units of all tokens of a block up to which all are sent

/** @type {Make_} */
export function* parcels(trace, address) {
    const { depth, tokens, dim, mlp_dim: m } = trace.config;
    const { layer, query, moment } = address;
    const everything = 4 * depth * 7 * tokens * dim <= AT_ONCE;
    const layers = everything ? Array.from({ length: depth }, (_, at) => at) : [layer];
    for (const each of layers.sort((a, b) => Math.abs(a - layer) - Math.abs(b - layer)))
        yield [`block-${each}`, () => values(trace, each)];
    if (moment === "activation" && 8 * tokens * m <= HIDDEN_AT_ONCE)
        yield [`hidden-${layer}`, () => hidden(trace, layer)];
    else yield [`hidden-${layer}-${query}`, () => hidden(trace, layer, query)];
    yield* attentionMaps(trace, address);
}

/** stream + attention = middle, middle + MLP = leaving. @param {Trace} trace @param {number} layer */
function values(trace, layer) {
    const { tokens, dim } = trace.config;
    const inside = trace.inside(layer);
    const named = {
        stream: trace.streams[layer],
        normed1: inside.norm1,
        attention: inside["attn.out"],
        middle: inside.resid_mid,
        normed2: inside.norm2,
        mlp: inside["mlp.out"],
        leaving: inside.resid_post,
    };
    return Object.fromEntries(Object.entries(named).map(([name, data]) => [name, array([tokens, dim], data)]));
}

/** Hidden units before and after the activation, of one token or of all: `m` or `t m`.
 *  @param {Trace} trace @param {number} layer @param {number} [query] */
function hidden(trace, layer, query) {
    const { tokens, mlp_dim: m } = trace.config;
    const { "mlp.hidden": before, "mlp.active": after } = trace.inside(layer);
    const of = (/** @type {Float32Array} */ all) =>
        query === undefined ? array([tokens, m], all) : array([m], rowOf(all, query, m).slice());
    return { before: of(before), after: of(after) };
}
