// A model's parameters where the kernel reads them, and the memory in which its forward passes run.

/** @import { Arrays, Config } from "./types.js" */
/** @import { Factor, Matrix } from "./kernel/memory.js" */

import { Means } from "./edits/means.js";
import { activation } from "./functions.js";
import { fill, filled, Memory } from "./kernel/memory.js";

/** What a forward pass leaves: the residual stream before the first block and after each, and of each block q, k and v
 *  side by side and the attention weights of each head. `made` tells by what each stage was made, the embedding first,
 *  and `entered` what was put into the stream before each block.
 *  @typedef {{ stream: Matrix[], qkv: Matrix[], weights: Matrix[][], made: string[], entered: string[] }} Pass */

export class Model {
    /** @param {Config} config @param {Arrays} arrays the parameters by the names of a checkpoint
     *  @param {number} passes how many forward passes are kept at the same time */
    constructor(config, arrays, passes) {
        const { dim, depth, heads, tokens, mlp_dim, patch_values } = config;
        this.config = config;
        this.arrays = arrays;
        this.headDim = dim / heads;
        const memory = new Memory(roomFor(config, arrays, passes));
        this.memory = memory;
        this.patches = memory.matrix(tokens - config.prefix, patch_values);
        this.patchTokens = memory.matrix(tokens - config.prefix, dim);
        this.projection = this.linear("patch_embed.proj");
        this.layers = Array.from({ length: depth }, (_, layer) => {
            const name = `blocks.${layer}`;
            return {
                norm1: this.norm(`${name}.norm1`),
                qkv: this.linear(`${name}.attn.qkv`),
                proj: this.linear(`${name}.attn.proj`),
                norm2: this.norm(`${name}.norm2`),
                fc1: this.linear(`${name}.mlp.fc1`),
                fc2: this.linear(`${name}.mlp.fc2`),
            };
        });
        this.lastNorm = this.norm("norm");
        this.head = this.linear("head");
        this.normed = memory.matrix(tokens, dim);
        this.z = memory.matrix(tokens, dim);
        this.out = memory.matrix(tokens, dim);
        this.hidden = memory.matrix(tokens, mlp_dim);
        this.keys = memory.factor(this.headDim, tokens);
        this.values = memory.factor(tokens, this.headDim);
        this.dropped = memory.matrix(tokens, tokens);
        this.lens = memory.matrix(depth + 1, config.classes);
        this.read = memory.matrix(depth + 1, dim);
        this.means = new Means();
        this.activate = activation(config.activation);
    }

    /** @returns {Pass} */
    pass() {
        const { dim, depth, heads, tokens } = this.config;
        const matrices = (/** @type {number} */ many, /** @type {number} */ columns) =>
            Array.from({ length: many }, () => this.memory.matrix(tokens, columns));
        return {
            stream: matrices(depth + 1, dim),
            qkv: matrices(depth, 3 * dim),
            weights: Array.from({ length: depth }, () => matrices(heads, tokens)),
            made: [],
            entered: [],
        };
    }

    /** A linear layer: a checkpoint holds it output by output. @param {string} name @returns {Factor} */
    linear(name) {
        const { shape, data } = this.arrays[`${name}.weight`];
        const [outputs, inputs] = [shape[0], data.length / shape[0]];
        const factor = this.memory.factor(inputs, outputs, this.arrays[`${name}.bias`]?.data);
        fill(factor, data, 1, inputs);
        return factor;
    }

    /** @param {string} name */
    norm(name) {
        return { weight: this.arrays[`${name}.weight`].data, bias: this.arrays[`${name}.bias`].data };
    }
}

/** Numbers of all that a model is and its passes keep, with a twentieth for what fills up rows.
 *  @param {Config} config @param {Arrays} arrays @param {number} passes */
function roomFor({ dim, depth, heads, tokens, mlp_dim, patch_values }, arrays, passes) {
    const t = filled(tokens, 8);
    const parameters = Object.values(arrays).reduce((sum, { data }) => sum + data.length, 0);
    const pass = t * ((depth + 1) * dim + depth * (3 * dim + heads * t));
    const work = t * (6 * dim + mlp_dim + patch_values + t) + 32 * (depth + 1) * dim;
    return 1.05 * (parameters + passes * pass + work) + 100_000;
}
