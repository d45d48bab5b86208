// Query, key, value: one token's whole way through attention, from the stream and back to it.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { read } from "#frontend/edits/edits.js";
import { alone, array, dot, quantile, round } from "#frontend/numbers/arrays.js";

const AT_ONCE = 4_000_000; // bytes of all layers' values up to which all of them are sent
const FULL = 0.995; // of the numbers of the matrices have a colour of their own
const BINS = 60;
const SCORED = "tskwcp"; // letters of the edits that change scores: temperature, scale, top-k, window, causal, patch
const TINY = 2 ** -126;

/** @type {Make_} */
export function* parcels(trace, { layer, query }) {
    const { depth, tokens, dim } = trace.config;
    const everything = 4 * depth * 6 * tokens * dim <= AT_ONCE;
    const layers = everything ? Array.from({ length: depth }, (_, at) => at) : [layer];
    for (const each of layers.sort((a, b) => Math.abs(a - layer) - Math.abs(b - layer)))
        yield [`values-${each}`, () => values(trace, each)];
    yield [`shares-${layer}-${query}`, () => shares(trace, layer, query)];
    if (read(trace.edits, trace.told.meta).some(({ letter }) => SCORED.includes(letter)))
        yield [`scores-${layer}-${query}`, () => scores(trace, layer, query)];
}

/** @param {Trace} trace @param {number} layer */
function values(trace, layer) {
    const { tokens, heads, head_dim: dh, dim } = trace.config;
    const inside = trace.inside(layer);
    const [stream, byHead] = [
        [tokens, dim],
        [heads, tokens, dh],
    ];
    return {
        stream: array(stream, trace.streams[layer]),
        normalised: array(stream, inside.norm1),
        q: array(byHead, inside["attn.q"]),
        k: array(byHead, inside["attn.k"]),
        v: array(byHead, inside["attn.v"]),
        added: array(stream, inside["attn.out"]),
        matrices: array([3, heads, dim, dh], matrices(trace, layer)),
        ...spread(trace, layer),
    };
}

/** Colours of W_q, W_k and W_v as every head uses them, to multiply a token from the right: `qkv head d dh`.
 *  @param {Trace} trace @param {number} layer */
function matrices(trace, layer) {
    const { dim, head_dim: dh } = trace.config;
    const weight = trace.parameter(`blocks.${layer}.attn.qkv.weight`); // (qkv head dh) d
    const limit = quantile(weight.map(Math.abs), FULL) || 1;
    const out = new Uint8Array(weight.length);
    for (let at = 0; at < weight.length; at++) {
        const [row, c] = [Math.floor(at / dim), at % dim];
        const [head, i] = [Math.floor(row / dh), row % dh];
        const share = Math.min(Math.max(weight[at] / limit, -1), 1);
        out[(head * dim + c) * dh + i] = round(127 + 127 * share);
    }
    return out;
}

/** How q·k lies over all pairs of tokens, before the division by √dh: counts in equal bins from the largest size below 0 to
 *  that above, `head bin`; standard deviation and that size, `head 2`. @param {Trace} trace @param {number} layer */
function spread(trace, layer) {
    const { tokens: t, heads, head_dim: dh } = trace.config;
    const { "attn.q": q, "attn.k": k } = trace.inside(layer);
    const [histogram, found] = [new Int32Array(heads * BINS), new Float32Array(2 * heads)];
    const products = new Float32Array(t * t);
    for (let head = 0; head < heads; head++) {
        let [sum, square, reach] = [0, 0, TINY];
        for (let at = 0; at < products.length; at++) {
            const [query, key] = [head * t + Math.floor(at / t), head * t + (at % t)];
            products[at] = dot(q, k, dh, query * dh, key * dh);
            sum += products[at];
            square += products[at] ** 2;
            reach = Math.max(reach, Math.abs(products[at]));
        }
        const mean = sum / products.length;
        found.set([Math.sqrt(Math.max(square / products.length - mean ** 2, 0)), reach], 2 * head);
        for (const product of products) {
            const bin = Math.min(Math.floor(((product + reach) / (2 * reach)) * BINS), BINS - 1);
            histogram[head * BINS + bin]++;
        }
    }
    return { histogram: array([heads, BINS], histogram), spread: array([heads, 2], found) };
}

/** What each head adds to one token, before the bias of W_o and any layer scale: `head d`.
 *  @param {Trace} trace @param {number} layer @param {number} query */
function shares(trace, layer, query) {
    const { tokens, heads, head_dim: dh, dim } = trace.config;
    const z = trace.inside(layer)["attn.z"];
    const weight = trace.parameter(`blocks.${layer}.attn.proj.weight`); // d (head dh)
    const out = Float32Array.from({ length: heads * dim }, (_, at) => {
        const [head, c] = [Math.floor(at / dim), at % dim];
        return dot(z, weight, dh, (head * tokens + query) * dh, c * dim + head * dh);
    });
    return alone("shares", [heads, dim], out);
}

/** Of one query in all heads, minus infinity for keys that it does not see: `head k`.
 *  @param {Trace} trace @param {number} layer @param {number} query */
function scores(trace, layer, query) {
    const { tokens, heads } = trace.config;
    const all = trace.inside(layer)["attn.scores"];
    const out = new Float32Array(heads * tokens);
    for (let head = 0; head < heads; head++) {
        const from = (head * tokens + query) * tokens;
        out.set(all.subarray(from, from + tokens), head * tokens);
    }
    return alone("scores", [heads, tokens], out);
}
