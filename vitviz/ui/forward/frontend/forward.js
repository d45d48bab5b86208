// The forward pass: equations 1 to 4 of the paper, in its order, with what edits change on the way.

/** @import { Model, Pass } from "./model.js" */
/** @import { Matrix } from "./memory.js" */

import { add, normalise, softmax } from "./functions.js";
import { ROWS } from "./kernel.js";
import { fill } from "./memory.js";

/** Patches to the tokens that enter the first block. @param {Model} model @param {Matrix} tokens */
export function embed(model, tokens) {
    const { memory, patches, patchTokens, projection, config, arrays } = model;
    const { dim, prefix } = config;
    memory.product(patches, projection, patchTokens);
    const [first, positions] = [arrays.prefix.data, arrays.positions.data];
    for (let t = 0; t < tokens.rows; t++) {
        for (let c = 0; c < dim; c++) {
            const token = t < prefix ? first[t * dim + c] : patchTokens.data[(t - prefix) * patchTokens.row + c];
            tokens.data[t * tokens.row + c] = token + positions[t * dim + c];
        }
    }
}

/** One block, from the stream that enters it to the one that leaves it. Of the last one the answer reads a few rows only.
 *  @param {Model} model @param {Pass} pass @param {number} layer @param {number} [rows] */
export function block(model, pass, layer, rows = model.config.tokens) {
    const { memory, normed, out, hidden } = model;
    const { norm1, norm2, proj, fc1, fc2 } = model.layers[layer];
    const { epsilon, tokens } = model.config;
    const [x, y] = [pass.stream[layer], pass.stream[layer + 1]];

    normalise(x, norm1, epsilon, normed, tokens);
    attend(model, pass, layer, rows);
    memory.product(model.z, proj, out, rows);
    add(x, out, 1, y, rows);

    normalise(y, norm2, epsilon, normed, rows);
    memory.product(normed, fc1, hidden, rows);
    model.activate(hidden, rows);
    memory.product(hidden, fc2, out, rows);
    add(y, out, 1, y, rows);
}

/** @param {Model} model @param {Pass} pass @param {number} layer @param {number} rows */
function attend({ memory, normed, keys, values, z, layers, headDim, config }, pass, layer, rows) {
    const qkv = pass.qkv[layer];
    memory.product(normed, layers[layer].qkv, qkv);
    for (const [head, weights] of pass.weights[layer].entries()) {
        const [q, k, v] = [0, 1, 2].map((which) => memory.columns(qkv, which * config.dim + head * headDim, headDim));
        fill(keys, k.data, 1, k.row);
        memory.product(q, keys, weights, rows);
        softmax(weights, 1 / Math.sqrt(headDim), rows);
        fill(values, v.data, v.row, 1);
        memory.product(weights, values, memory.columns(z, head * headDim, headDim), rows);
    }
}

/** What the head says of the first token of each stream, in the last row the model's answer: the logit lens.
 *  @param {Model} model @param {Pass} pass @returns {Float32Array} after, class */
export function classify({ memory, config, read, lens, lastNorm, head }, pass) {
    for (const [after, stream] of pass.stream.entries()) {
        read.data.set(stream.data.subarray(0, config.dim), after * read.row);
    }
    normalise(read, lastNorm, config.epsilon, read);
    memory.product(read, head, lens);
    const logits = new Float32Array(lens.rows * config.classes);
    for (let after = 0; after < lens.rows; after++) {
        logits.set(lens.data.subarray(after * lens.row, after * lens.row + config.classes), after * config.classes);
    }
    return logits;
}
