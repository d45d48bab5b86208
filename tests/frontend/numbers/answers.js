// What the browser's code says of a model and pictures that Python has put into a folder, for Python to compare: asked in
// `asked.json`, answered in `answers.bin`, a bundle of parcels.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addressOf } from "#frontend/numbers/address.js";
import { Answers } from "#frontend/numbers/answers.js";
import { unpack } from "#frontend/transport/parcels.js";
import { framed, packed } from "./packed.js";

/** @import { Arrays } from "#frontend/types/forward.js" */
/** @import { Arrays_, Make_, Seen, Told } from "#frontend/types/numbers.js" */

const [folder] = process.argv.slice(2);
const { config, stages, pages, runs } = JSON.parse(readFileSync(join(folder, "asked.json"), "utf8"));
const parameters = /** @type {Arrays} */ (arraysIn("parameters.bin"));

/** @param {string} name @returns {Arrays_} */
function arraysIn(name) {
    return unpack(new Uint8Array(readFileSync(join(folder, name)))).arrays;
}

/** A picture and its edits: what is asked of pages there, each name once, and the names of every address.
 *  @param {{ picture: string, words: string[], told: Told }} run @param {Record<string, Make_>} makers
 *  @returns {Promise<Map<string, Arrays_>>} */
async function answered({ picture, words, told }, makers) {
    const beside = {
        photo: async (/** @type {string} */ link) => {
            const { patches, whole } = arraysIn(`${link || picture}.bin`);
            return /** @type {Seen} */ ({ patches: patches.data, whole: whole.data });
        },
        file: async (/** @type {string} */ file) => arraysIn(told.files[file]),
    };
    const means = async () => /** @type {Arrays} */ (arraysIn("means.bin"));
    const answers = new Answers(makers, config, parameters, told, beside, means);
    const found = new Map();
    for (const at of words) {
        const parcels = await answers.parcels(addressOf(at, told.meta, stages));
        found.set(`names ${at}`, { names: textOf([...parcels.keys()].join("\n")) });
        for (const [key, make] of parcels) if (!found.has(key)) found.set(key, await make());
    }
    return found;
}

/** @param {string} text */
function textOf(text) {
    const data = new TextEncoder().encode(text);
    return { shape: [data.length], data };
}

const entries = Object.entries(pages).map(async ([stem, path]) => [stem, (await import(path)).parcels]);
const makers = Object.fromEntries(await Promise.all(entries));
const parcels = [];
for (const [at, run] of runs.entries())
    for (const [key, arrays] of await answered(run, makers)) parcels.push(packed(`${at} ${key}`, arrays));
writeFileSync(join(folder, "answers.bin"), framed({ bundle: parcels.map((it) => it.length) }, parcels));
