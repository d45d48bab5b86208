// Both ends of a worker in one process: what is asked of the transport of a page, and what comes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { packed as rows } from "#frontend/forward/forward.js";
import { worker } from "#frontend/numbers/transport.js";
import { serve } from "#frontend/numbers/worker.js";
import { parcels as heads } from "#pages/attention/heads/numbers.js";
import { config, numbers, parameters, passes } from "../forward/sizes.js";
import { packed } from "./packed.js";

const [DIGEST, MODEL] = ["a picture", "a model"];
const WORDS = "layer=2&query=5&page=heads";

/** The worker that was made last. @type {any} */
let made;
const page = {
    self: /** @type {any} */ ({}),
    postMessage: (/** @type {unknown} */ data) => later(() => made.onmessage({ data: structuredClone(data) })),
    Worker: class {
        constructor() {
            made = this;
        }

        terminate() {}

        postMessage(/** @type {unknown} */ data) {
            later(() => page.self.onmessage({ data: structuredClone(data) }));
        }
    },
    fetch: async (/** @type {string} */ address) => {
        const content = address === MODEL ? packed("", parameters()) : "";
        return new Response(/** @type {BodyInit} */ (content), { status: content ? 200 : 404 });
    },
};
Object.assign(globalThis, page);

const later = (/** @type {() => void} */ what) => void setImmediate(what);

const { prefix, ...sizes } = config;
const meta = /** @type {any} */ ({ ...sizes, prefix: ["class", "register1"].slice(0, prefix), edits: "" });
const stages = /** @type {any[]} */ ([{ stem: "heads", moments: [{ name: "wall" }] }]);
const files = { learning: "learning" };
const told = /** @type {any} */ ({ meta, labels: ["one"], mean: [0, 0, 0], std: [1, 1, 1], switched: [], files });
const picture = numbers(9 * config.patch_values, 100);

/** @param {string} name @returns {Promise<Uint8Array>} */
async function file(name) {
    throw new Error(`${name} did not come`);
}

/** @param {(link: string) => Promise<{ patches: Float32Array }>} [photo] */
async function begun(photo = async () => ({ patches: picture })) {
    serve({ heads });
    return worker({ script: "", parameters: MODEL, means: "", config, told, photo, file }, stages);
}

/** @param {Awaited<ReturnType<typeof begun>>} at @param {string} name @param {AbortSignal} [signal] */
const asked = ({ transport }, name, signal = new AbortController().signal, words = WORDS) =>
    transport({ digest: DIGEST, name, words, key: "" }, signal, () => {});

test("the names of an address come, and the numbers of each are those of the pass", async () => {
    const at = await begun();
    assert.deepEqual(await asked(at, ""), ["opening", "maps-1", "maps-0", "maps-2", "exact-1-6"]);
    const { digest, name, arrays } = /** @type {any} */ (await asked(at, "exact-1-6"));
    assert.deepEqual([digest, name], [DIGEST, "exact-1-6"]);
    const weights = passes().picture.pass.weights[1].map((it) => rows(it));
    const wanted = weights.flatMap((its) => [...its.subarray(6 * config.tokens, 7 * config.tokens)]);
    assert.deepEqual([...arrays.row.data], wanted);
    assert.deepEqual(arrays.row.shape, [config.heads, config.tokens]);
});

test("of a name that the address has not there is nothing, nor of what nobody wants any more", async () => {
    const at = await begun();
    assert.equal(await asked(at, "exact-0-0"), null);
    const control = new AbortController();
    const answer = asked(at, "exact-1-6", control.signal);
    control.abort();
    assert.equal(await answer, null);
    assert.ok(await asked(at, "exact-1-6"), "and it can be asked for again");
});

test("why numbers do not come is a sentence, and what is asked next is answered", async () => {
    let there = false;
    const at = await begun(async () => {
        if (!there) throw new Error("the picture is not here");
        return { patches: picture };
    });
    assert.equal(await asked(at, ""), "the picture is not here");
    there = true;
    assert.ok(Array.isArray(await asked(at, "")));
    assert.equal(await asked(at, "learning", undefined, "learned=100&page=heads"), "learning did not come");
});

test("a model that cannot be had is told at the start", async () => {
    serve({ heads });
    const source = {
        script: "",
        parameters: "gone",
        means: "",
        config,
        told,
        photo: async () => ({ patches: picture }),
        file,
    };
    await assert.rejects(worker(source, stages), /gone answers 404/);
});
