// What runs in the worker: one model with its passes, and one long job at a time, which lets everything else go before.

/** @import { Arrays, Config, Plan, Progress } from "../types/forward.js" */
/** @import { Matrix } from "./memory.js" */

import { joined, unpack } from "../transport/parcels.js";
import { packed } from "./forward.js";
import { Model } from "./model.js";
import { PASSES, Passes, STREAMS } from "./passes.js";
import { planOf } from "./plan.js";

const PART = 30; // ms between two parts of a job that are told
const PROGRESS = 200; // ms between two that tell how much has come

/** @type {Passes} */
let passes;
/** The address of the means over the reference scenes: they come when they are needed. */
let means = "";
/** The number of the job that is under way. */
let job = 0;

/** What is answered one by one, in the order in which it was asked. @type {Record<string, (asked: any) => unknown>} */
const ANSWERS = { start, show, showSecond, run };
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
    const { id, ask } = data;
    if (ask === "stop") {
        if (job === id) job = 0;
    } else if (ask === "sweep") {
        queue.then(() => tell(id, sweep, data));
    } else {
        queue = queue.then(() => tell(id, ANSWERS[ask], data));
    }
};

/** @param {number} id @param {(asked: any) => unknown} answer @param {unknown} asked */
async function tell(id, answer, asked) {
    try {
        postMessage({ id, done: await answer(asked) });
    } catch (error) {
        postMessage({ id, error: String(error instanceof Error ? error.message : error) });
    }
}

/** @param {{ id: number, parameters: string, means: string, config: Config }} spec */
async function start(spec) {
    const come = (/** @type {Progress} */ part) => postMessage({ id: spec.id, part });
    passes = new Passes(new Model(spec.config, await fetched(spec.parameters, come), PASSES, STREAMS));
    means = spec.means;
}

/** @param {{ patches: Float32Array }} asked */
function show({ patches }) {
    job = 0;
    return answer(() => passes.show(passes.picture, patches));
}

/** @param {{ patches: Float32Array }} asked */
function showSecond({ patches }) {
    job = 0;
    return answer(() => passes.show(passes.second, patches));
}

/** @param {{ edits: string, wanted: string[] }} asked */
async function run({ edits, wanted: names }) {
    const plan = await planned(edits);
    return answer(() => ({ ...passes.run(plan), refused: plan.refused }), names);
}

/** The answers to many edits, one after the other. @param {{ id: number, edits: string, each: string[], swapped: boolean }} asked
 *  @returns {Promise<boolean>} whether it came to its end */
async function sweep({ id, edits, each, swapped }) {
    job = id;
    let [at, last] = [0, performance.now()];
    /** @type {number[]} */
    let logits = [];
    for (const [cell, words] of each.entries()) {
        logits.push(...passes.answer(await planned(`${edits} ${words}`), swapped));
        if (cell === each.length - 1 || performance.now() - last > PART) {
            postMessage({ id, part: { at, logits: Float32Array.from(logits) } });
            [at, last, logits] = [cell + 1, performance.now(), []];
        }
        await others();
        if (job !== id) return false;
    }
    return true;
}

/** What edits come to, once all is there that they need. @param {string} edits @returns {Promise<Plan>} */
async function planned(edits) {
    const { model, second } = passes;
    const plan = planOf(edits, model.config);
    const { embedding, layers } = plan;
    const pasted = embedding.painted?.some(([, way]) => way === "paste");
    if (!second.patches.length && (pasted || layers.some(({ donor }) => donor))) {
        throw new Error(`“${edits}” needs a second picture, and there is none; choose one`);
    }
    const amounts = layers.flatMap(({ heads = [], attention, mlp }) => [attention, mlp, ...heads.map(([, it]) => it)]);
    if (amounts.some((it) => typeof it === "string")) model.means.arrays ??= await fetched(means);
    return plan;
}

/** A logit lens with its last row, the answer, and how long it took in ms; and arrays that are wanted beside it.
 *  @param {() => { lens: Float32Array }} make @param {string[]} [names] */
function answer(make, names = []) {
    const began = performance.now();
    const run = make();
    const arrays = Object.fromEntries(names.map((name) => [name, array(name)]));
    const logits = run.lens.slice(-passes.model.answers);
    return { ...run, logits, arrays, took: performance.now() - began };
}

/** "weights-2": an array of a layer, counted from 0, of the pass with edits; "original.weights-2" is that of the
 *  picture as it is. @param {string} name */
function array(name) {
    const [, of = "edited", what, layer] = /^(?:(\w+)\.)?(\w+)-(\d+)$/.exec(name) ?? [];
    const pass = { edited: passes.edited, original: passes.picture.pass }[of];
    const matrices = { weights: pass?.weights[+layer], qkv: [pass?.qkv[+layer]], stream: [pass?.stream[+layer]] }[what];
    const [first] = matrices ?? [];
    if (!matrices || !first) throw new Error(`there is no array ${name}`);
    const { rows, columns } = first;
    const data = new Float32Array(matrices.length * rows * columns);
    for (const [at, matrix] of matrices.entries()) packed(/** @type {Matrix} */ (matrix), data, at * rows * columns);
    return { shape: what === "weights" ? [matrices.length, rows, columns] : [rows, columns], data };
}

/** A parcel of numbers. @param {string} address @param {(progress: Progress) => void} [come] @returns {Promise<Arrays>} */
async function fetched(address, come) {
    const answer = await fetch(address);
    if (!answer.ok || !answer.body) throw new Error(`${address} answers ${answer.status}`);
    const total = Number(answer.headers.get("X-Length"));
    /** @type {Uint8Array[]} */
    const parts = [];
    let [done, last] = [0, 0];
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push(part.value);
        done += part.value.length;
        if (performance.now() - last < PROGRESS) continue;
        last = performance.now();
        come?.({ done, total });
    }
    if (total && done !== total) throw new Error(`the connection broke off after ${done} of ${total} bytes`);
    return /** @type {Arrays} */ (unpack(joined(parts)).arrays);
}

const channel = new MessageChannel();
/** Who lets others go before. @type {(() => void)[]} */
const polite = [];
channel.port1.onmessage = () => polite.shift()?.();

/** Let what has been asked meanwhile be answered; a timer would wait for 4 ms each time. @returns {Promise<void>} */
const others = () =>
    new Promise((go) => {
        polite.push(go);
        channel.port2.postMessage(0);
    });
