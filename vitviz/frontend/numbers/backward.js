// The way back through a forward pass: by what one number of the answer grows with each attention weight and each pixel. Block
// by block, from what is recorded of it; products with parameters are the kernel's.

/** @import { Inside, Trace } from "./trace.js" */

import { packed } from "../forward/forward.js";
import { slopeOf } from "../forward/functions.js";
import { fill, Memory } from "../forward/memory.js";
import { dot } from "./arrays.js";
import { ofPatches, reading, rowOfHead, times, twoClasses } from "./relevance.js";

/** Products of the slopes of rows with the parameters of a linear layer, in one memory for all layers. */
class Products {
    /** @param {Trace} trace */
    constructor(trace) {
        const { dim, mlp_dim, tokens, patch_values: values } = trace.config;
        const widest = Math.max(3 * dim, mlp_dim, values);
        this.trace = trace;
        this.memory = new Memory(2 * (tokens + 8) * (widest + 8) + (widest + 8) * (dim + 8) + 1000);
    }

    /** Back through a linear layer: each row times its matrix. @param {string} name @param {Float32Array} slope of what it
     *  makes, `t outputs` @param {number} outputs */
    through(name, slope, outputs) {
        const weight = this.trace.parameter(`${name}.weight`); // outputs inputs
        const [rows, inputs] = [slope.length / outputs, weight.length / outputs];
        const { memory } = this;
        memory.used = 0;
        const [from, to] = [memory.matrix(rows, outputs), memory.matrix(rows, inputs)];
        const factor = memory.factor(outputs, inputs, new Float32Array(inputs));
        for (let r = 0; r < rows; r++) from.data.set(slope.subarray(r * outputs, (r + 1) * outputs), r * from.row);
        fill(factor, weight, inputs, 1);
        memory.product(from, factor, to);
        return packed(to);
    }
}

/** Gradient × attention and gradient × input, from one run and its way back: in every layer the mean over the heads of what is
 *  above 0 of gradient times weight is added to the identity, and these are multiplied up (Chefer et al. 2021); gradient times
 *  normalised pixel, summed over a patch: `n` each. @param {Trace} trace @param {number} label @param {number} against */
export function gradientMaps(trace, label, against) {
    const { heads, tokens, patches, patch_values: values } = trace.config;
    let read = reading(trace);
    const pixels = slopes(trace, ...twoClasses(trace, label, against), (layer, slope) => {
        const positive = new Float64Array(tokens * tokens);
        for (const [at, weight] of trace.weights(layer).entries())
            positive[at % positive.length] += Math.max(weight * slope[at], 0) / heads;
        const before = read;
        read = times(read, positive).map((it, at) => it + before[at]);
    });
    return {
        attention: ofPatches(trace, read),
        input: Float32Array.from({ length: patches }, (_, n) =>
            dot(trace.patches, pixels, values, n * values, n * values),
        ),
    };
}

/** By what the answer grows with each normalised pixel, `n (c ph pw)`; `tell` hears of the attention weights of each layer,
 *  `head q k`, the last one first. @param {Trace} trace @param {number} label @param {number} against
 *  @param {(layer: number, slope: Float32Array) => void} tell */
function slopes(trace, label, against, tell) {
    const { dim, depth, tokens, prefix } = trace.config;
    const { row } = rowOfHead(trace, label, against);
    const products = new Products(trace);
    const curve = slopeOf(trace.config.activation);
    /** Of the stream, `t d`, before what has been gone through. @type {Float32Array} */
    let slope = new Float32Array(tokens * dim);
    slope.set(row);
    slope = throughNorm(trace, "norm", trace.streams[depth], slope);
    for (let layer = depth - 1; layer >= 0; layer--) {
        const found = throughBlock(trace, layer, slope, products, curve);
        tell(layer, found.weights);
        slope = found.stream;
    }
    return products.through("patch_embed.proj", slope.subarray(prefix * dim), dim);
}

/** Back through a block, from the slope of what leaves it to that of what enters. @param {Trace} trace @param {number} layer
 *  @param {Float32Array} leaving `t d` @param {Products} products @param {(x: number) => number} curve the slope of the
 *  activation @returns {{ weights: Float32Array, stream: Float32Array }} */
function throughBlock(trace, layer, leaving, products, curve) {
    const { dim, mlp_dim: m } = trace.config;
    const inside = trace.inside(layer);
    const name = `blocks.${layer}`;
    const active = products.through(`${name}.mlp.fc2`, scaled(trace, `${name}.ls2.gamma`, leaving), dim);
    const hidden = active.map((it, at) => it * curve(inside["mlp.hidden"][at]));
    const normed2 = products.through(`${name}.mlp.fc1`, hidden, m);
    const middle = sum(leaving, throughNorm(trace, `${name}.norm2`, inside.resid_mid, normed2));
    const z = products.through(`${name}.attn.proj`, scaled(trace, `${name}.ls1.gamma`, middle), dim);
    const { weights, qkv } = throughAttention(trace, inside, z, trace.weights(layer));
    const normed1 = products.through(`${name}.attn.qkv`, qkv, 3 * dim);
    return { weights, stream: sum(middle, throughNorm(trace, `${name}.norm1`, trace.streams[layer], normed1)) };
}

/** Back through the heads: z = weights · v, weights = softmax(q · k / √dh). @param {Trace} trace @param {Inside} inside
 *  @param {Float32Array} z slope of what the heads leave, `t (head dh)` @param {Float32Array} weights `head q k`
 *  @returns {{ weights: Float32Array, qkv: Float32Array }} slopes of weights, `head q k`, and of q, k, v, `t (qkv head dh)` */
function throughAttention(trace, inside, z, weights) {
    const { heads, tokens: t, head_dim: dh, dim } = trace.config;
    const { "attn.q": q, "attn.k": k, "attn.v": v } = inside;
    const found = { weights: new Float32Array(heads * t * t), qkv: new Float32Array(t * 3 * dim) };
    for (let head = 0; head < heads; head++)
        for (let query = 0; query < t; query++) {
            const row = (head * t + query) * t;
            const [from, its] = [query * dim + head * dh, (head * t + query) * dh];
            let mean = 0;
            for (let key = 0; key < t; key++) {
                const slope = dot(z, v, dh, from, (head * t + key) * dh);
                found.weights[row + key] = slope;
                mean += weights[row + key] * slope;
            }
            for (let key = 0; key < t; key++) {
                const weight = weights[row + key];
                const score = (weight * (found.weights[row + key] - mean)) / Math.sqrt(dh);
                const [at, other] = [query * 3 * dim + head * dh, key * 3 * dim + head * dh];
                const theirs = (head * t + key) * dh;
                for (let i = 0; i < dh; i++) {
                    found.qkv[at + i] += score * k[theirs + i];
                    found.qkv[other + dim + i] += score * q[its + i];
                    found.qkv[other + 2 * dim + i] += weight * z[from + i];
                }
            }
        }
    return found;
}

/** Back through a layer norm of rows. @param {Trace} trace @param {string} name @param {Float32Array} x what it reads, `t d`
 *  @param {Float32Array} slope of what it makes */
function throughNorm(trace, name, x, slope) {
    const { dim, epsilon } = trace.config;
    const weight = trace.parameter(`${name}.weight`);
    const out = new Float32Array(x.length);
    for (let at = 0; at < x.length; at += dim) {
        let [mean, square, gain, along] = [0, 0, 0, 0];
        for (let c = 0; c < dim; c++) mean += x[at + c] / dim;
        for (let c = 0; c < dim; c++) square += (x[at + c] - mean) ** 2 / dim;
        const size = 1 / Math.sqrt(square + epsilon);
        for (let c = 0; c < dim; c++) {
            const each = weight[c] * slope[at + c];
            gain += each / dim;
            along += (each * (x[at + c] - mean) * size) / dim;
        }
        for (let c = 0; c < dim; c++)
            out[at + c] = size * (weight[c] * slope[at + c] - gain - (x[at + c] - mean) * size * along);
    }
    return out;
}

/** Times the layer scale, where there is one. @param {Trace} trace @param {string} name @param {Float32Array} rows */
function scaled(trace, name, rows) {
    const { dim } = trace.config;
    const by = trace.parameters[name]?.data;
    return by ? rows.map((it, at) => it * by[at % dim]) : rows;
}

/** @param {Float32Array} a @param {Float32Array} b */
const sum = (a, b) => a.map((it, at) => it + b[at]);
