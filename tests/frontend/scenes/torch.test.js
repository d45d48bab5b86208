import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { deflateSync } from "node:zlib";

import { meta, newBoard, said, timers } from "../page.js";

const { Torch } = await import("#pages/overview/overview/torch.js");
const { calm } = await import("#frontend/draw/motion.js");

/** @import { Photo } from "#frontend/frame/photo.js" */

const [PATCHES, BEAT] = [12, 900];
const LAYERS = Int32Array.of(0, 2); // of four: those between are seen as the one before them

/** Light of both layers: that of query q on key k is 2 q + k, of the second layer a step more; at most full. */
const pairs = [0, 1].flatMap((more) =>
    Array.from({ length: PATCHES ** 2 }, (_, at) => step(at % PATCHES, Math.floor(at / PATCHES), more)),
);
const light = deflateSync(
    Uint8Array.from({ length: pairs.length / 2 }, (_, at) => pairs[2 * at] | (pairs[2 * at + 1] << 4)),
);

/** @param {number} query @param {number} key @param {number} more */
function step(query, key, more) {
    return Math.min(15, 2 * query + key + more);
}

/** @type {ReturnType<typeof newBoard>["first"]} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;
/** @type {InstanceType<typeof Torch>} */
let torch;
/** @type {Photo} */
let photo;
const draw = () => torch.draw(first.shown);

beforeEach(async () => {
    timers.forget();
    ({ first, python } = newBoard());
    python.open({ ...said(""), palette: { chosen: "orange" } });
    const arrays = {
        light: { shape: [light.length], data: light },
        lit: { shape: [2], data: LAYERS },
    };
    first.receive({ digest: meta().digest, name: "overview", arrays });
    photo = /** @type {Photo} */ (/** @type {unknown} */ ({}));
    torch = new Torch(first, photo);
    await torch.bring();
});

/** What the photo is lit with. @param {number} patch @param {number} more */
const expected = (patch, more) => Float32Array.from({ length: PATCHES }, (_, key) => step(patch, key, more) / 15);

test("The photo is light where the patch in the middle looks, and then where the one looks that is pointed at", () => {
    draw();
    assert.deepEqual(photo.light, expected(5, 0)); // row 1, column 1 of 3 rows and 4 columns
    assert.deepEqual(photo.frames, [{ token: 7, colour: "orange" }]);
    first.look({ query: 2 + 11, layer: 3 });
    draw();
    assert.deepEqual(photo.light, expected(11, 1));
});

test("It goes through its layers until it is touched, and never again", () => {
    draw();
    const layers = [first.shown.layer];
    for (let beat = 0; beat < 3; beat++) {
        timers.pass(BEAT);
        draw();
        layers.push(first.shown.layer);
    }
    assert.deepEqual(layers, [0, 2, 0, 2]);
    assert(torch.plays);
    first.look({ query: 4 });
    first.look({});
    timers.pass(5 * BEAT);
    draw();
    assert.equal(first.shown.layer, 0);
    assert(!torch.plays);
    assert.equal(first.chosen.layer, 0); // the address never said more
});

test("It shows what is pointed at before its light has come", () => {
    first.look({ query: 2 + 11 });
    draw();
    assert(!torch.plays);
    timers.pass(5 * BEAT);
    draw();
    assert.deepEqual(photo.light, expected(11, 0));
});

test("It stands still where the system asks for less motion, and when its scene goes", async () => {
    Object.assign(calm, { matches: true });
    draw();
    timers.pass(5 * BEAT);
    assert.equal(first.shown.layer, 0);
    Object.assign(calm, { matches: false });
    torch = new Torch(first, photo);
    await torch.bring();
    draw();
    torch.close();
    timers.pass(5 * BEAT);
    assert.equal(first.shown.layer, 0);
});
