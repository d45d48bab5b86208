// A model that is as small as the kernel allows, with numbers from a seed.

import { mix } from "#frontend/forward/chance.js";
import { Model } from "#frontend/forward/model.js";
import { PASSES, Passes, STREAMS } from "#frontend/forward/passes.js";

/** @type {import("#frontend/types/forward.js").Config} */
export const config = {
    channels: 3,
    dim: 16,
    depth: 3,
    heads: 2,
    mlp_dim: 24,
    classes: 5,
    activation: "gelu",
    epsilon: 1e-6,
    tokens: 11,
    prefix: 2,
    patch_values: 48,
    rows: 3,
    columns: 3,
};

/** Numbers from -1 to 1 that follow from a seed. @param {number} many @param {number} seed */
export const numbers = (many, seed) =>
    Float32Array.from({ length: many }, (_, at) => mix(mix(seed) ^ at) / 2 ** 31 - 1);

/** @param {number[]} shape @param {number} seed */
const array = (shape, seed) => ({
    shape,
    data: numbers(
        shape.reduce((all, it) => all * it),
        seed,
    ),
});

const { dim, mlp_dim, classes, tokens, prefix, patch_values, depth } = config;
const SHAPES = {
    prefix: [prefix, dim],
    positions: [tokens, dim],
    ...linear("patch_embed.proj", dim, patch_values),
    ...Object.assign({}, ...Array.from({ length: depth }, (_, layer) => block(`blocks.${layer}`))),
    ...norm("norm"),
    ...linear("head", classes, dim),
};

/** @param {string} name @param {number} outputs @param {number} inputs */
function linear(name, outputs, inputs) {
    return { [`${name}.weight`]: [outputs, inputs], [`${name}.bias`]: [outputs] };
}

/** @param {string} name */
function norm(name) {
    return { [`${name}.weight`]: [dim], [`${name}.bias`]: [dim] };
}

/** @param {string} name */
function block(name) {
    return {
        ...norm(`${name}.norm1`),
        ...linear(`${name}.attn.qkv`, 3 * dim, dim),
        ...linear(`${name}.attn.proj`, dim, dim),
        ...norm(`${name}.norm2`),
        ...linear(`${name}.mlp.fc1`, mlp_dim, dim),
        ...linear(`${name}.mlp.fc2`, dim, mlp_dim),
    };
}

/** Its parameters by name. */
export const parameters = () =>
    Object.fromEntries(Object.entries(SHAPES).map(([name, shape], at) => [name, array(shape, at + 1)]));

/** Its passes of one picture beside a second. */
export function passes() {
    const made = new Passes(new Model(config, parameters(), PASSES, STREAMS));
    made.show(made.picture, numbers(9 * patch_values, 100));
    made.show(made.second, numbers(9 * patch_values, 200));
    return made;
}
