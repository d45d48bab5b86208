// The forward pass of the browser in Node.js: the processor's time of a whole one and of an edit in the middle layer, which
// is what it takes where nobody else computes, and memory.
//
//     node benchmarks/passes/times.js [REPEATS] [FOLDER ...]
//
// Of several folders with a front end, such as that of an earlier commit (`git worktree add`), each runs in turn, so that
// their ratio is that of one machine in one state. Parameters are drawn: time does not depend on them.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const HERE = new URL("../../vitviz/frontend/forward", import.meta.url).pathname;
const PLAIN = { channels: 3, activation: "gelu", epsilon: 1e-6, prefix: 1 };
const vit = (name, side, grid, dim, heads, classes) => ({
    ...PLAIN,
    ...{ name, dim, depth: 12, heads, mlp_dim: 4 * dim, classes, tokens: grid * grid + 1 },
    ...{ patch_values: 3 * side * side, rows: grid, columns: grid },
});
const DEMO = { ...PLAIN, name: "demo", dim: 128, depth: 6, heads: 4, mlp_dim: 512, classes: 10, tokens: 145 };
const MODELS = [
    { ...DEMO, patch_values: 192, rows: 12, columns: 12 },
    vit("ViT-Tiny/16", 16, 14, 192, 3, 1000),
    vit("ViT-S/14", 14, 16, 384, 6, 0),
    { ...vit("ViT-S/14, 8 bits", 14, 16, 384, 6, 0), bits: 8 },
];

/** Numbers from -spread to spread, the same each time. */
function drawn(many, spread) {
    let state = 1;
    return Float32Array.from({ length: many }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        return (state / 2 ** 31) * spread;
    });
}

function parametersOf({ dim, depth, mlp_dim, classes, tokens, prefix, patch_values, bits }) {
    const arrays = {
        prefix: { shape: [prefix, dim], data: drawn(prefix * dim, 1) },
        positions: { shape: [tokens, dim], data: drawn(tokens * dim, 1) },
    };
    const linear = (name, outputs, inputs, spread = Math.sqrt(3 / inputs)) => {
        const data = drawn(outputs * inputs, spread);
        arrays[`${name}.bias`] = { shape: [outputs], data: drawn(outputs, 0.1) };
        arrays[`${name}.weight`] = { shape: [outputs, inputs], data };
        if (bits !== 8) return;
        arrays[`${name}.weight`].data = Int8Array.from(data, (it) => Math.round((127 * it) / spread));
        const scale = new Float32Array(outputs).fill(spread / 127);
        arrays[`${name}.weight_scale`] = { shape: [outputs], data: scale };
    };
    const norm = (name) => {
        arrays[`${name}.weight`] = { shape: [dim], data: new Float32Array(dim).fill(1) };
        arrays[`${name}.bias`] = { shape: [dim], data: new Float32Array(dim) };
    };
    linear("patch_embed.proj", dim, patch_values);
    for (let layer = 0; layer < depth; layer++) {
        const name = `blocks.${layer}`;
        norm(`${name}.norm1`);
        linear(`${name}.attn.qkv`, 3 * dim, dim);
        linear(`${name}.attn.proj`, dim, dim);
        norm(`${name}.norm2`);
        linear(`${name}.mlp.fc1`, mlp_dim, dim);
        linear(`${name}.mlp.fc2`, dim, mlp_dim);
    }
    norm("norm");
    linear("head", classes || 8, dim);
    return arrays;
}

/** A front end's passes of a model. */
async function made(folder, config) {
    const at = (name) => pathToFileURL(`${resolve(folder)}/${name}.js`).href;
    const [{ Model }, passes] = await Promise.all([import(at("model")), import(at("passes"))]);
    const model = new Model(config, parametersOf(config), passes.PASSES, passes.STREAMS);
    const { planOf } = await import(at("plan"));
    const all = new passes.Passes(model);
    const { tokens, prefix, patch_values, depth } = config;
    const patches = drawn((tokens - prefix) * patch_values, 1);
    const middle = depth / 2 + 1;
    let turn = 0;
    return {
        whole: () => all.show(all.picture, patches),
        edit: () => all.run(planOf(`h${middle}.1*0.${100 + (turn++ % 800)}`, config)),
        bytes: model.memory.memory.buffer.byteLength,
    };
}

/** The smallest, the middle, and the 90th percentile. */
function said(times) {
    const sorted = times.toSorted((a, b) => a - b);
    return [0, 0.5, 0.9].map((share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1)).join(" / ");
}

const [, , repeats = "20", ...folders] = process.argv;
for (const config of MODELS) {
    const all = [];
    for (const folder of folders.length ? folders : [HERE])
        all.push({ folder, ...(await made(folder, config)), times: [[], []] });
    for (let again = 0; again < Number(repeats); again++) {
        for (const { whole, edit, times } of all) {
            for (const [which, run] of [whole, edit].entries()) {
                const began = process.cpuUsage();
                run();
                const { user, system } = process.cpuUsage(began);
                times[which].push((user + system) / 1000);
            }
        }
    }
    for (const { folder, bytes, times } of all) {
        const [whole, edit] = times.map((it) => said(it.slice(Math.min(3, it.length - 1))));
        console.log(
            `${config.name}: whole ${whole} ms, edit ${edit} ms (least / median / 90 %), ${(bytes / 1e6).toFixed(0)} MB  ${folder}`,
        );
    }
}
