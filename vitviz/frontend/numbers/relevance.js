// What an answer owes to each patch, as vitviz/measures/logit_sum.py and vitviz/measures/relevance.py: of a model whose head
// reads the class token.

/** @import { Trace } from "./trace.js" */

import { argmax, dot, rowOf } from "./arrays.js";

const NONE = -1; // in place of a class: the one that the model names, or of a second class: no other

/** A class and the one it is compared with: a class that is compared with itself is compared with none. Without a head both
 *  are components. @param {Trace} trace @param {number} label @param {number} against @returns {[number, number]} */
export function twoClasses({ answer }, label, against) {
    const first = label === NONE ? argmax(answer) : label;
    return [first, against === first ? NONE : against];
}

/** What multiplies the class token behind the last norm, and what is added: a row of the head, or a component.
 *  @param {Trace} trace @param {number} label @param {number} against */
export function rowOfHead(trace, label, against) {
    const { dim, classes } = trace.config;
    const row = new Float64Array(dim);
    let constant = 0;
    for (const [which, sign] of [
        [label, 1],
        [against, -1],
    ]) {
        if (which === NONE) continue;
        if (!classes) row[which] += sign;
        else {
            for (const [c, weight] of rowOf(trace.parameter("head.weight"), which, dim).entries())
                row[c] += sign * weight;
            constant += sign * trace.parameter("head.bias")[which];
        }
    }
    return { row, constant };
}

/** What a logit, or how far it is above another one, is the sum of (Gandelsman et al. 2023): of what each head hands on of each
 *  token, `layer head t`, of MLPs and biases, `layer`, of the embedding, `t`, and of constants. The statistics of the last norm
 *  are held fixed. @param {Trace} trace @param {number} label @param {number} against */
export function logitSum(trace, label, against) {
    const { dim, depth, heads, tokens: t, head_dim: dh, epsilon } = trace.config;
    const [one, other] = twoClasses(trace, label, against);
    const { row, constant } = rowOfHead(trace, one, other);
    const read = {
        heads: new Float32Array(depth * heads * t),
        mlps: new Float32Array(depth),
        biases: new Float32Array(depth),
    };
    const last = Float64Array.from(rowOf(trace.streams[depth], 0, dim));
    const shift = dot(row, trace.parameter("norm.bias"), dim);
    const direction = throughNorm(row, last, trace.parameter("norm.weight"), epsilon);
    for (let layer = 0; layer < depth; layer++) {
        const inside = trace.inside(layer);
        const scale = trace.parameters[`blocks.${layer}.ls1.gamma`]?.data;
        const scaled = direction.map((it, c) => it * (scale?.[c] ?? 1));
        read.mlps[layer] = dot(direction, inside["mlp.out"], dim);
        read.biases[layer] = dot(scaled, trace.parameter(`blocks.${layer}.attn.proj.bias`, dim), dim);
        const weight = trace.parameter(`blocks.${layer}.attn.proj.weight`); // d (head dh)
        const wanted = new Float64Array(dim);
        for (let d = 0; d < dim; d++) for (let i = 0; i < dim; i++) wanted[i] += scaled[d] * weight[d * dim + i];
        const weights = trace.weights(layer);
        for (let head = 0; head < heads; head++)
            for (let k = 0; k < t; k++) {
                const handed = dot(inside["attn.v"], wanted, dh, (head * t + k) * dh, head * dh);
                read.heads[(layer * heads + head) * t + k] = weights[head * t * t + k] * handed;
            }
    }
    const embedding = new Float32Array(t);
    embedding[0] = dot(direction, trace.streams[0], dim);
    const logit = trace.answer[one] - (other === NONE ? 0 : trace.answer[other]);
    return { ...read, embedding, constant: constant + shift, logit };
}

/** Back through the layer norm of a vector whose statistics are held fixed. @param {Float64Array} direction
 *  @param {Float64Array} x @param {Float32Array} weight @param {number} epsilon */
function throughNorm(direction, x, weight, epsilon) {
    const mean = x.reduce((a, b) => a + b, 0) / x.length;
    const variance = x.reduce((sum, it) => sum + (it - mean) ** 2, 0) / x.length;
    const gain = direction.map((it, c) => (it * weight[c]) / Math.sqrt(variance + epsilon));
    const middle = gain.reduce((a, b) => a + b, 0) / x.length;
    return gain.map((it) => it - middle);
}

/** What came from each patch by all heads: `n`. @param {Trace} trace @param {number} label @param {number} against */
export function sumOfPatches(trace, label, against) {
    const { tokens, prefix, patches } = trace.config;
    const { heads } = logitSum(trace, label, against);
    const out = new Float64Array(patches);
    for (const [at, value] of heads.entries()) if (at % tokens >= prefix) out[(at % tokens) - prefix] += value;
    return Float32Array.from(out);
}

/** The mean of the heads of a layer: `q k`. @param {Trace} trace @param {number} layer */
function meanOfHeads(trace, layer) {
    const { heads, tokens } = trace.config;
    const out = new Float64Array(tokens * tokens);
    for (const [at, weight] of trace.weights(layer).entries()) out[at % out.length] += weight / heads;
    return out;
}

/** A row times a matrix. @param {Float64Array} row @param {Float64Array} matrix */
export function times(row, matrix) {
    const out = new Float64Array(row.length);
    for (let q = 0, at = 0; q < row.length; q++)
        for (let k = 0; k < row.length; k++, at++) out[k] += row[q] * matrix[at];
    return out;
}

/** What is of patches alone. @param {Trace} trace @param {ArrayLike<number>} row of tokens */
export const ofPatches = ({ config: { prefix } }, row) => Float32Array.from(row).subarray(prefix);

/** How much of the answer is read off each token: all off the class token. @param {Trace} trace */
export function reading({ config: { tokens } }) {
    const row = new Float64Array(tokens);
    row[0] = 1;
    return row;
}

/** What the class token looks at in the last layer, mean of the heads: `n`. @param {Trace} trace */
export const lastAttention = (trace) =>
    ofPatches(trace, times(reading(trace), meanOfHeads(trace, trace.config.depth - 1)));

/** Attention rollout through all layers, of the class token (Abnar & Zuidema 2020): `n`. @param {Trace} trace */
export function rolledOut(trace) {
    let row = reading(trace);
    for (let layer = trace.config.depth - 1; layer >= 0; layer--) {
        const before = row;
        row = times(row, meanOfHeads(trace, layer)).map((it, at) => (it + before[at]) / 2);
    }
    return ofPatches(trace, row);
}

/** The answers without each patch. @type {WeakMap<Trace, Float32Array[]>} */
const hidden = new WeakMap();

/** What hiding each patch alone takes from a class, grey in its place: `n`. All classes share the runs.
 *  @param {Trace} trace @param {number} label @param {number} against */
export function occlusion(trace, label, against) {
    const [one, other] = twoClasses(trace, label, against);
    const said = (/** @type {Float32Array} */ answer) => answer[one] - (other === NONE ? 0 : answer[other]);
    const answers =
        hidden.get(trace) ??
        Array.from({ length: trace.config.patches }, (_, at) => trace.answerTo({ painted: [[at, "grey"]] }));
    hidden.set(trace, answers);
    return Float32Array.from(answers, (answer) => said(trace.answer) - said(answer));
}
