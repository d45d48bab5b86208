// What a forward pass left behind, and how to look inside any block of it afterwards, as vitviz/trace.py: the pass keeps
// the residual stream, and whatever a block makes of that is made again when somebody looks.

/** @import { Arrays, Config, Plan } from "../types/forward.js" */
/** @import { Matrix } from "../forward/memory.js" */
/** @import { Passes, Shown } from "../forward/passes.js" */
/** @import { Beside, Told } from "../types/numbers.js" */

import { block, classify, embed, packed } from "../forward/forward.js";
import { normalise } from "../forward/functions.js";
import { painted } from "../forward/passes.js";

/** Sizes of a model with those that follow. @typedef {Config & { head_dim: number, patches: number }} Sizes */

/** What a block makes, by the names of vitviz/activations.py: `t d` each, but q, k, v `head t dh`, weights and scores
 *  `head q k`, hidden and active `t m`. @typedef {Record<string, Float32Array>} Inside */

export class Trace {
    /** @param {Passes} passes who has the memory to run blocks in @param {Arrays} parameters by the names of a checkpoint
     *  @param {Shown} shown the picture, and the pass that was made of it @param {Plan} plan what edits changed in it
     *  @param {string} edits those @param {Told & Beside} told @param {boolean} [whole] whether attention weights are kept */
    constructor(passes, parameters, { patches, pass }, plan, edits, told, whole = false) {
        const { config, headDim } = passes.model;
        this.passes = passes;
        this.parameters = parameters;
        this.plan = plan;
        this.edits = edits;
        this.told = told;
        /** @type {Sizes} */
        this.config = { ...config, head_dim: headDim, patches: config.tokens - config.prefix };
        /** What the model reads, `n (c ph pw)`. */
        this.patches = painted(patches, passes.second.patches, plan.embedding, config);
        /** The residual stream before the first block and after each: `t d`. */
        this.streams = pass.stream.map((it) => packed(it));
        /** What the head says of each, or without a head what it would read: `(depth + 1) classes`, or `d`. */
        this.answers = classify(passes.model, pass).slice();
        /** Attention weights by layer. */
        this.attention = new Map(
            whole ? pass.weights.map((heads, layer) => [layer, joined(heads.map((it) => packed(it)))]) : [],
        );
        /** The block that was looked into last. @type {{ layer: number, values: Inside } | null} */
        this.last = null;
    }

    /** What the model answers: logits, or without classes what a head would read. */
    get answer() {
        return this.answers.subarray(-this.passes.model.answers);
    }

    /** Inside the embedding: `patch_tokens` `n d`, without positions, and `resid_post` `t d`, which enters the first block. */
    embedding() {
        /** @type {Inside} */
        const values = {};
        const { model, work } = this.passes;
        work.made = [];
        embed(model, this.patches, { ...this.plan.embedding, painted: undefined }, work.stream[0], (name, value) => {
            values[name] = packed(value);
        });
        return values;
    }

    /** What is added to the tokens, `t d`; 0 where there is nothing. */
    get positions() {
        return this.passes.model.positions;
    }

    /** Inside a block. @param {number} layer @returns {Inside} */
    inside(layer) {
        if (this.last?.layer !== layer) this.last = { layer, values: this.again(layer) };
        return this.last.values;
    }

    /** @param {number} layer */
    again(layer) {
        const { model, work } = this.passes;
        const { heads, tokens } = this.config;
        /** @type {Record<string, Float32Array[]>} */
        const parts = {};
        work.made = [];
        laid(this.streams[layer], work.stream[layer]);
        block(model, work, layer, this.plan.layers[layer], tokens, (name, value, times = 1) => {
            const numbers = packed(value);
            if (times !== 1) for (let at = 0; at < numbers.length; at++) numbers[at] *= times;
            parts[name] ??= [];
            parts[name].push(numbers);
        });
        const values = Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, joined(all)]));
        this.attention.set(layer, values["attn.weights"]);
        const { "attn.qkv": qkv, "attn.z": z, ...others } = values;
        const [q, k, v] = [0, 1, 2].map((which) => byHead(qkv, tokens, 3 * heads, which * heads, heads));
        return { ...others, "attn.q": q, "attn.k": k, "attn.v": v, "attn.z": byHead(z, tokens, heads, 0, heads) };
    }

    /** Attention weights of a layer, `head q k`: each row sums to 1. @param {number} layer */
    weights(layer) {
        if (!this.attention.has(layer)) this.inside(layer);
        return /** @type {Float32Array} */ (this.attention.get(layer));
    }

    /** A stream behind the last norm, `t d`. @param {Float32Array} stream */
    normalised(stream) {
        const { lastNorm, config } = this.passes.model;
        const out = new Float32Array(stream.length);
        const rows = { at: 0, rows: config.tokens, columns: config.dim, row: config.dim };
        normalise({ ...rows, data: stream }, lastNorm, config.epsilon, { ...rows, data: out });
        return out;
    }

    /** A parameter by its name, as numbers of 32 bits; 0 where the model has none of that name and `size` says how many.
     *  @param {string} name @param {number} [size] @returns {Float32Array} */
    parameter(name, size = 0) {
        const { [name]: own, [`${name}_scale`]: scale } = this.parameters;
        if (!own) return new Float32Array(size);
        if (own.data instanceof Float32Array) return own.data;
        const row = own.data.length / scale.data.length;
        return Float32Array.from(own.data, (it, at) => it * scale.data[Math.floor(at / row)]);
    }

    /** What the same picture comes to with other changes alone: what leaves the last block, `t d`, and the answer.
     *  @param {Plan["embedding"]} embedding */
    anew(embedding) {
        const answer = this.answerTo(embedding, false);
        return { stream: packed(/** @type {Matrix} */ (this.passes.work.stream.at(-1))), answer };
    }

    /** The answer alone. @param {Plan["embedding"]} embedding @param {boolean} [alone] */
    answerTo(embedding, alone = true) {
        const { passes, patches } = this;
        const { model, work } = passes;
        const plan = { embedding, layers: model.layers.map(() => ({})), refused: [] };
        work.made = [];
        passes.make(work, plan, [], { patches, pass: work }, passes.second, alone);
        work.made = [];
        return classify(model, work).slice(-model.answers);
    }
}

/** Rows side by side of several, `t (part dh)`, as `head t dh` of some of the parts. @param {Float32Array} rows
 *  @param {number} tokens @param {number} parts @param {number} first @param {number} heads */
function byHead(rows, tokens, parts, first, heads) {
    const size = rows.length / tokens / parts;
    const out = new Float32Array(heads * tokens * size);
    for (let head = 0; head < heads; head++)
        for (let t = 0; t < tokens; t++) {
            const from = (t * parts + first + head) * size;
            out.set(rows.subarray(from, from + size), (head * tokens + t) * size);
        }
    return out;
}

/** @param {Float32Array[]} parts */
function joined(parts) {
    if (parts.length === 1) return parts[0];
    const out = new Float32Array(parts.length * parts[0].length);
    for (const [at, part] of parts.entries()) out.set(part, at * part.length);
    return out;
}

/** Rows without what fills them up, into a matrix. @param {Float32Array} from @param {Matrix} into */
function laid(from, { data, rows, columns, row }) {
    for (let r = 0; r < rows; r++) data.set(from.subarray(r * columns, (r + 1) * columns), r * row);
}
