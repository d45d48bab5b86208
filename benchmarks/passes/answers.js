// What the browser's forward pass answers, in Node.js, for benchmarks/passes/equality.py: it reads `asked.json` and parcels
// in a folder, and writes `found.bin`, for each run the logit lens, the last stream, and attention weights of a layer.

import { readFileSync, writeFileSync } from "node:fs";
import { packed } from "#frontend/forward/forward.js";
import { Model } from "#frontend/forward/model.js";
import { PASSES, Passes, STREAMS } from "#frontend/forward/passes.js";
import { planOf } from "#frontend/forward/plan.js";
import { unpack } from "#frontend/transport/parcels.js";

const folder = process.argv[2];
const read = (name) => unpack(new Uint8Array(readFileSync(`${folder}/${name}`))).arrays;
const { config, runs } = JSON.parse(readFileSync(`${folder}/asked.json`, "utf8"));
const passes = new Passes(new Model(config, read("parameters.bin"), PASSES, STREAMS));
const { patches } = read("patches.bin");
const size = patches.data.length / patches.shape[0];
const picture = (at) => patches.data.slice(at * size, (at + 1) * size);
let shown = -1;
const found = [];
for (const { picture: at, second, edits, layer } of runs) {
    if (at !== shown) passes.show(passes.picture, picture(at));
    if (edits) passes.show(passes.second, picture(second));
    shown = at;
    const { lens } = passes.run(planOf(edits, config));
    const { stream, weights } = passes.edited;
    found.push(lens, packed(stream[config.depth]), ...weights[layer].map((it) => packed(it)));
}
writeFileSync(`${folder}/found.bin`, Buffer.concat(found.map(({ buffer }) => Buffer.from(buffer))));
