// The forward pass: equations 1 to 4 of the paper, in their order, and what edits change on the way.

import { dropOut } from "./chance.js";
import { add, normalise, scale, softmax } from "./functions.js";
import { fill } from "./memory.js";

/** @import { Amount, Change, Config, Embedding } from "../types/forward.js" */
/** @import { Matrix } from "./memory.js" */
/** @import { Model, Pass } from "./model.js" */

/** What is told of every value where it is born, by its name in vitviz/activations.py; `times` is what it is still to be
 *  multiplied by. A matrix is another one's later: who keeps it copies it.
 *  @typedef {(name: string, value: Matrix, times?: number) => void} Record_ */

const ignore = () => {};

/** @param {Matrix} scores query, key @param {Change} change @param {Config} config @param {number} rows */
export function limit(scores, { hidden, window, causal, top }, config, rows) {
    if (!hidden && window === undefined && !causal && !top) return;
    const kept = new Float32Array(config.tokens);
    for (let q = 0; q < rows; q++) {
        const row = scores.data.subarray(q * scores.row, q * scores.row + config.tokens);
        for (const key of hidden ?? []) row[key] = Number.NEGATIVE_INFINITY;
        if (window !== undefined) see(row, q, window, config);
        if (causal) row.fill(Number.NEGATIVE_INFINITY, q + 1);
        if (top) {
            kept.set(row);
            const least = kept.sort()[config.tokens - top];
            for (let k = 0; k < row.length; k++) if (row[k] < least) row[k] = Number.NEGATIVE_INFINITY;
        }
    }
}

/** Patches see patches at most so many rows and columns away; prefix tokens see all, and are seen.
 *  @param {Float32Array} row @param {number} query @param {number} window @param {Config} config */
function see(row, query, window, { prefix, columns }) {
    if (query < prefix) return;
    const [y, x] = [Math.floor((query - prefix) / columns), (query - prefix) % columns];
    for (let key = prefix; key < row.length; key++) {
        const [down, across] = [Math.floor((key - prefix) / columns) - y, ((key - prefix) % columns) - x];
        if (Math.max(Math.abs(down), Math.abs(across)) > window) row[key] = Number.NEGATIVE_INFINITY;
    }
}

/** A place to the right of a token's: the tokens of the two nearest columns, and how far it lies from the first of them to
 *  the second, or beyond. @param {number} token @param {number} shift in columns @param {Config} config
 *  @returns {[number, number, number]} */
function placeOf(token, shift, { prefix, columns }) {
    if (!shift || columns < 2) return [token, token, 0];
    const column = (token - prefix) % columns;
    const first = Math.min(Math.floor(column + shift), columns - 2);
    return [token - column + first, token - column + first + 1, column + shift - first];
}

/** Patches of a picture as they are, `n (c ph pw)`, to the tokens that enter the first block.
 *  @param {Model} model @param {Float32Array} patches @param {Embedding} change @param {Matrix} tokens
 *  @param {Record_} [record] */
export function embed(
    { memory, patchTokens, projection, config, prefix: first, positions, ...model },
    patches,
    change,
    tokens,
    record = ignore,
) {
    const { dim, prefix, patch_values: values } = config;
    for (let n = 0; n < patchTokens.rows; n++) {
        model.patches.data.set(patches.subarray(n * values, (n + 1) * values), n * model.patches.row);
    }
    memory.product(model.patches, projection, patchTokens);
    record("patch_tokens", patchTokens);
    const { positions: moved } = change;
    const shifts = new Map(change.shifts);
    for (let t = 0; t < tokens.rows; t++) {
        const n = t - prefix;
        const from = n >= 0 && Array.isArray(moved) ? prefix + moved[n] : t;
        const share = n >= 0 && moved === "off" ? 0 : 1;
        const [near, far, further] = placeOf(from, shifts.get(n) ?? 0, config);
        for (let c = 0; c < dim; c++) {
            const token = n < 0 ? first[t * dim + c] : patchTokens.data[n * patchTokens.row + c];
            const position = positions[near * dim + c];
            tokens.data[t * tokens.row + c] =
                token + share * (position + further * (positions[far * dim + c] - position));
        }
    }
    dropOut(tokens, change.dropout);
    record("resid_post", tokens);
}

/** One block, from the stream that enters it to the one that leaves it. Of the last one an answer reads a few rows only.
 *  @param {Model} model @param {Pass} pass @param {number} layer @param {Change} change @param {number} [rows]
 *  @param {Record_} [record] */
export function block(model, pass, layer, change, rows = model.config.tokens, record = ignore) {
    const { memory, normed, z, out, hidden } = model;
    const { norm1, norm2, proj, fc1, fc2, scales } = model.layers[layer];
    const { epsilon, heads } = model.config;
    const { attention = 1, mlp = 1, block: both = 1, dropout, paths = [1, 1] } = change;
    const [x, y] = [pass.stream[layer], pass.stream[layer + 1]];

    normalise(x, norm1, epsilon, normed);
    record("norm1", normed);
    attend(model, pass, layer, change, rows, record);
    for (const [head, what] of change.heads ?? []) edit(model, layer, head, what);
    if (typeof attention === "string") {
        for (let head = 0; head < heads; head++) edit(model, layer, head, attention);
    }
    record("attn.z", z);
    memory.product(z, proj, out, rows);
    if (typeof attention === "number") dropOut(out, dropout, 1, rows);
    scale(out, scales[0], rows);
    record("attn.out", out, factor(attention, paths[0]) * both);
    add(x, out, factor(attention, paths[0]) * both, y, rows);
    record("resid_mid", y);

    normalise(y, norm2, epsilon, normed, rows);
    record("norm2", normed);
    memory.product(normed, fc1, hidden, rows);
    record("mlp.hidden", hidden);
    model.activate(hidden, rows);
    record("mlp.active", hidden);
    dropOut(hidden, dropout, 2, rows);
    memory.product(hidden, fc2, out, rows);
    dropOut(out, dropout, 3, rows);
    scale(out, scales[1], rows);
    if (typeof mlp === "string") model.means.put(mlp, `blocks.${layer}.mlp.out`, 0, out);
    record("mlp.out", out, factor(mlp, paths[1]) * both);
    add(y, out, factor(mlp, paths[1]) * both, y, rows);
    record("resid_post", y);
}

/** Scores, weights, and the values that they sum up. What is kept are the weights of the softmax, of which each row sums
 *  to 1: dropout takes from a copy. @param {Model} model @param {Pass} pass @param {number} layer
 *  @param {Change} change @param {number} rows @param {Record_} record */
function attend(model, pass, layer, change, rows, record) {
    const { memory, normed, keys, values, dropped, z, layers, headDim, config } = model;
    const qkv = pass.qkv[layer];
    const { temperature = 1, scale = "sqrt", dropout } = change;
    const divisor = { sqrt: Math.sqrt(headDim), dh: headDim, none: 1 }[scale] ?? 1;
    memory.product(normed, layers[layer].qkv, qkv);
    record("attn.qkv", qkv);
    for (const [head, weights] of pass.weights[layer].entries()) {
        const [q, k, v] = [0, 1, 2].map((which) => memory.columns(qkv, which * config.dim + head * headDim, headDim));
        fill(keys, k.data, 1, k.row);
        memory.product(q, keys, weights, rows);
        limit(weights, change, config, rows);
        record("attn.scores", weights, 1 / (divisor * temperature));
        softmax(weights, 1 / (divisor * temperature), rows);
        record("attn.weights", weights);
        if (dropout) dropped.data.set(weights.data);
        dropOut(dropped, dropout, 0, rows, head * config.tokens);
        fill(values, v.data, v.row, 1);
        memory.product(dropout ? dropped : weights, values, memory.columns(z, head * headDim, headDim), rows);
    }
}

/** What a head leaves, before the output projection, times a number or the mean in its place: the projection's bias
 *  belongs to no head. @param {Model} model @param {number} layer @param {number} head @param {Amount} what */
function edit({ z, headDim, means, memory }, layer, head, what) {
    const its = memory.columns(z, head * headDim, headDim);
    if (typeof what === "string") return means.put(what, `blocks.${layer}.attn.z`, head, its);
    for (let r = 0; r < its.rows; r++) {
        for (let c = r * its.row; c < r * its.row + headDim; c++) its.data[c] *= what;
    }
}

/** Means stand in the place of what drop path would take. @param {Amount} amount @param {number} path */
const factor = (amount, path) => (typeof amount === "number" ? amount * path : 1);

/** What the head says of the first token of each stream, in the last row the model's answer: the logit lens; without a
 *  head, what it would read. @param {Model} model @param {Pass} pass @returns {Float32Array} after, class or component */
export function classify({ memory, config, read, lens, lastNorm, head }, pass) {
    for (const [after, stream] of pass.stream.entries()) {
        read.data.set(stream.data.subarray(0, config.dim), after * read.row);
    }
    normalise(read, lastNorm, config.epsilon, read);
    if (!head) return packed(read); // the model knows no classes
    memory.product(read, head, lens);
    return packed(lens);
}

/** A matrix without what fills up its rows. @param {Matrix} matrix @param {Float32Array} [into] @param {number} [at] */
export function packed({ data, rows, columns, row }, into = new Float32Array(rows * columns), at = 0) {
    for (let r = 0; r < rows; r++) into.set(data.subarray(r * row, r * row + columns), at + r * columns);
    return into;
}
