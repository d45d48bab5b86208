// A model's parameters where the kernel reads them, and the memory in which its forward passes run.

import { activation } from "./functions.js";
import { fill, filled, Memory } from "./memory.js";

/** @import { Amount, Arrays, Config } from "../types/forward.js" */
/** @import { EightBits, Factor, Matrix } from "./memory.js" */

export class Means {
    constructor() {
        /** By the name of the value: of heads `head t dh`, of MLPs `t d`. @type {Arrays | undefined} */
        this.arrays = undefined;
    }

    /** Put in means token by token, or over all tokens. @param {Amount} which "mean" or "mean.all" @param {string} name
     *  @param {number} head @param {Matrix} into */
    put(which, name, head, { data, rows, columns, row }) {
        const its = /** @type {Arrays} */ (this.arrays)[name].data.subarray(
            head * rows * columns,
            (head + 1) * rows * columns,
        );
        for (let c = 0; c < columns; c++) {
            let sum = 0;
            for (let r = 0; r < rows; r++) sum += its[r * columns + c];
            for (let r = 0; r < rows; r++) data[r * row + c] = which === "mean" ? its[r * columns + c] : sum / rows;
        }
    }
}

/** What a forward pass leaves: the residual stream before the first block and after each, and of each block q, k and v
 *  side by side and the attention weights of each head. `made` tells by what each stage was made, the embedding first,
 *  and `entered` what was put into the stream before each block.
 *  @typedef {{ stream: Matrix[], qkv: Matrix[], weights: Matrix[][], made: string[], entered: string[] }} Pass */

export class Model {
    /** @param {Config} config @param {Arrays} arrays the parameters by the names of a checkpoint
     *  @param {number} wholes how many forward passes are kept at the same time
     *  @param {number} streams of how many more only the stream is kept */
    constructor(config, arrays, wholes, streams) {
        const { dim, depth, heads, tokens, mlp_dim, patch_values } = config;
        this.config = config;
        this.prefix = numbersOf(arrays.prefix);
        this.positions = numbersOf(arrays.positions);
        this.headDim = dim / heads;
        const memory = new Memory(roomFor(config, arrays, wholes, streams));
        this.memory = memory;
        this.patches = memory.matrix(tokens - config.prefix, patch_values);
        this.patchTokens = memory.matrix(tokens - config.prefix, dim);
        this.projection = linear(memory, arrays, "patch_embed.proj");
        this.layers = Array.from({ length: depth }, (_, layer) => {
            const name = `blocks.${layer}`;
            return {
                norm1: norm(arrays, `${name}.norm1`),
                qkv: linear(memory, arrays, `${name}.attn.qkv`),
                proj: linear(memory, arrays, `${name}.attn.proj`),
                norm2: norm(arrays, `${name}.norm2`),
                fc1: linear(memory, arrays, `${name}.mlp.fc1`),
                fc2: linear(memory, arrays, `${name}.mlp.fc2`),
                scales: ["ls1", "ls2"].map((it) => arrays[`${name}.${it}.gamma`]).map((it) => it && numbersOf(it)),
            };
        });
        this.lastNorm = norm(arrays, "norm");
        /** Numbers of an answer: logits, or the components of the class token. */
        this.answers = config.classes || dim;
        this.head = config.classes ? linear(memory, arrays, "head") : null;
        this.normed = memory.matrix(tokens, dim);
        this.z = memory.matrix(tokens, dim);
        this.out = memory.matrix(tokens, dim);
        this.hidden = memory.matrix(tokens, mlp_dim);
        this.keys = memory.factor(this.headDim, tokens);
        this.values = memory.factor(tokens, this.headDim);
        this.dropped = memory.matrix(tokens, tokens);
        /** Of passes of which only the stream is kept. */
        this.passing = { qkv: memory.matrix(tokens, 3 * dim), weights: memory.matrix(tokens, tokens) };
        this.lens = memory.matrix(depth + 1, config.classes);
        this.read = memory.matrix(depth + 1, dim);
        this.means = new Means();
        this.activate = activation(config.activation);
    }

    /** @param {boolean} [whole] whether more of it is kept than the stream @returns {Pass} */
    pass(whole = true) {
        const { dim, depth, heads, tokens } = this.config;
        const matrices = (/** @type {number} */ many, /** @type {number} */ columns) =>
            Array.from({ length: many }, () => this.memory.matrix(tokens, columns));
        const { qkv, weights } = this.passing;
        return {
            stream: matrices(depth + 1, dim),
            qkv: whole ? matrices(depth, 3 * dim) : Array(depth).fill(qkv),
            weights: Array.from({ length: depth }, () =>
                whole ? matrices(heads, tokens) : Array(heads).fill(weights),
            ),
            made: [],
            entered: [],
        };
    }
}

/** What came in 8 bits or 16, as numbers of 32. @param {Arrays[string]} array @returns {Float32Array} */
const numbersOf = ({ data }) => (data instanceof Float32Array ? data : Float32Array.from(data));

/** A linear layer: a checkpoint holds it output by output. @param {Memory} memory @param {Arrays} arrays
 *  @param {string} name @returns {Factor | EightBits} */
function linear(memory, arrays, name) {
    const { [`${name}.weight`]: weight, [`${name}.weight_scale`]: scale, [`${name}.bias`]: bias } = arrays;
    const added = bias && numbersOf(bias);
    if (weight.data instanceof Int8Array) return memory.eightBits(weight.data, numbersOf(scale), added);
    const { shape, data } = weight;
    const [outputs, inputs] = [shape[0], data.length / shape[0]];
    const factor = memory.factor(inputs, outputs, added);
    fill(factor, data, 1, inputs);
    return factor;
}

/** @param {Arrays} arrays @param {string} name */
const norm = (arrays, name) => ({
    weight: numbersOf(arrays[`${name}.weight`]),
    bias: numbersOf(arrays[`${name}.bias`]),
});

/** Numbers of 32 bit of all that a model is and its passes keep, with a twentieth for what fills up rows.
 *  @param {Config} config @param {Arrays} arrays @param {number} wholes how many passes are kept as a whole
 *  @param {number} streams of how many only the stream is kept */
function roomFor({ dim, depth, heads, tokens, mlp_dim, patch_values }, arrays, wholes, streams) {
    const t = filled(tokens, 8);
    const lengths = Object.values(arrays).map(({ data }) => data.length / (data instanceof Int8Array ? 4 : 1));
    const parameters = lengths.reduce((sum, length) => sum + length, 0);
    const stream = t * (depth + 1) * dim;
    const rest = t * depth * (3 * dim + heads * t);
    const work = t * (9 * dim + mlp_dim + 2 * patch_values + 2 * t) + 32 * (depth + 1) * dim;
    return 1.05 * (parameters + (wholes + streams) * stream + wholes * rest + work) + 100_000;
}
