import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { exactWeights, matrix, weights } from "#frontend/state/maps.js";
import { Parcels, unpack } from "#frontend/transport/parcels.js";

/** @import { Column } from "#frontend/state/column.js" */

const [DEPTH, HEADS, TOKENS] = [4, 2, 5];

/** A parcel as Python packs it. @param {string} digest @param {string} name
 *  @param {Record<string, { type: string, shape: number[], bytes: Uint8Array }>} arrays */
function pack(digest, name, arrays) {
    const listed = Object.entries(arrays).map(([each, { type, shape, bytes }]) => {
        return { name: each, type, shape, length: bytes.length };
    });
    const text = new TextEncoder().encode(JSON.stringify({ digest, name, arrays: listed }));
    const length = new Uint8Array(Uint32Array.of(text.length).buffer);
    return Uint8Array.from([length, text, ...Object.values(arrays).map(({ bytes }) => bytes)].flatMap((it) => [...it]));
}

/** @param {Float32Array} values @param {number[]} shape */
const f4 = (values, shape) => ({ type: "f4", shape, bytes: new Uint8Array(values.buffer) });

/** A board that holds nothing yet. */
function empty() {
    const parcels = new Parcels("a");
    return /** @type {Column} */ (
        /** @type {unknown} */ ({
            meta: { depth: DEPTH, heads: HEADS, tokens: TOKENS },
            chosen: { edits: "" },
            data: { facts: {} },
            parcels,
            array: (/** @type {string} */ parcel, /** @type {string} */ name) => parcels.get(parcel)?.[name],
        })
    );
}

/** @type {Column} */
let column;

/** @param {string} name @param {Record<string, { type: string, shape: number[], bytes: Uint8Array }>} arrays */
const send = (name, arrays) => column.parcels.set(name, unpack(pack("a", name, arrays)).arrays);

/** The maps of a layer in which every query looks at itself, with the others' code at 255 / 3. @param {number} layer */
function sendLayer(layer) {
    const size = TOKENS ** 2;
    const bytes = Uint8Array.from({ length: HEADS * size }, (_, at) => ((at % size) % (TOKENS + 1) ? 85 : 255));
    send(`maps-${layer}`, { code: { type: "u1", shape: [HEADS, TOKENS, TOKENS], bytes } });
}

beforeEach(() => {
    column = empty();
});

test("a parcel is read from anywhere in a buffer", () => {
    const bytes = pack("é", "maps-3", {
        code: { type: "u1", shape: [2], bytes: Uint8Array.of(1, 2) },
        row: f4(Float32Array.of(0.5, -2), [2]),
    });
    const { digest, name, arrays } = unpack(Uint8Array.from([9, ...bytes, 9]).subarray(1, -1));
    assert.deepEqual([digest, name], ["é", "maps-3"]);
    assert.deepEqual(arrays.code, { shape: [2], data: Uint8Array.of(1, 2) });
    assert.deepEqual(arrays.row, { shape: [2], data: Float32Array.of(0.5, -2) });
});

test("half precision is read as it is, subnormal, infinite and negative", () => {
    const bytes = new Uint8Array(Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x3555).buffer);
    const { arrays } = unpack(pack("a", "b", { it: { type: "f2", shape: [5], bytes } }));
    assert.deepEqual([...arrays.it.data], [1, -2, 2 ** -24, Number.POSITIVE_INFINITY, 0.333251953125]);
});

test("weights are decoded so that a row sums to one", () => {
    sendLayer(1);
    const out = new Float32Array(TOKENS);
    for (const shows of /** @type {const} */ (["row", "column"])) {
        assert.ok(weights(column, { layer: 1, head: 0, query: 2, shows }, out));
        const [self, other] = [9 / 13, 1 / 13];
        assert.deepEqual(out, Float32Array.of(other, other, self, other, other));
        assert.ok(weights(column, { layer: 1, head: HEADS, query: 2, shows }, out), "the mean of equal heads");
        assert.ok(Math.abs(out[2] - self) < 1e-7);
    }
    assert.equal(
        weights(column, { layer: 2, head: 0, query: 2, shows: "row" }, out),
        false,
        "a layer that has not come",
    );
    assert.equal(matrix(column, { layer: 2, head: 0, shows: "row" }), null);
    const all = matrix(column, { layer: 1, head: 1, shows: "row" });
    assert.deepEqual(all?.subarray(TOKENS, TOKENS + 2), Float32Array.of(1 / 13, 9 / 13));
});

test("of a large model the rows of one query stand in for its layers", () => {
    const bytes = new Uint8Array(DEPTH * HEADS * TOKENS).fill(7);
    send("rows-3", { code: { type: "u1", shape: [DEPTH, HEADS, TOKENS], bytes } });
    const out = new Float32Array(TOKENS);
    assert.ok(weights(column, { layer: 2, head: 1, query: 3, shows: "row" }, out));
    assert.deepEqual(out, new Float32Array(TOKENS).fill(1 / TOKENS));
    assert.equal(weights(column, { layer: 2, head: 1, query: 4, shows: "row" }, out), false);
    assert.equal(weights(column, { layer: 2, head: 1, query: 3, shows: "column" }, out), false);
});

test("uncoded weights are for their layer and query only", () => {
    const row = Float32Array.from({ length: HEADS * TOKENS }, (_, at) => at / 100);
    send("exact-1-2", { row: f4(row, [HEADS, TOKENS]), column: f4(row, [HEADS, TOKENS]) });
    const what = /** @type {const} */ ({ layer: 1, head: 1, query: 2, shows: "row" });
    assert.deepEqual(exactWeights(column, what), row.subarray(TOKENS));
    const mean = Float32Array.from({ length: TOKENS }, (_, at) => (row[at] + row[TOKENS + at]) / 2);
    assert.deepEqual(exactWeights(column, { ...what, head: HEADS }), mean);
    assert.equal(exactWeights(column, { ...what, query: 3 }), null);
    assert.equal(exactWeights(column, { ...what, layer: 2 }), null);
});

test("rollouts come whole or for one query, and are as exact as they came", () => {
    const all = Float32Array.from({ length: DEPTH * TOKENS ** 2 }, (_, at) => at);
    const what = /** @type {const} */ ({ layer: 2, head: HEADS, query: 3, shows: "rollout" });
    assert.equal(exactWeights(column, what), null);
    send("rollout-3", { rows: f4(all.slice(0, DEPTH * TOKENS), [DEPTH, TOKENS]) });
    assert.deepEqual(exactWeights(column, what), all.subarray(2 * TOKENS, 3 * TOKENS));
    send("rollouts", { rows: f4(all, [DEPTH, TOKENS, TOKENS]) });
    const start = (2 * TOKENS + 3) * TOKENS;
    assert.deepEqual(exactWeights(column, what), all.subarray(start, start + TOKENS));
});

test("what came first is let go where a browser would hold too much, the picture never", () => {
    const large = { shape: [70e6], data: new Uint8Array(70e6) };
    column.parcels.set("opening", { picture: { shape: [1], data: new Uint8Array(1) } });
    for (const name of ["maps-0", "maps-1", "maps-0", "maps-2"]) column.parcels.set(name, { code: large });
    assert.deepEqual([...column.parcels.held.keys()], ["opening", "maps-0", "maps-2"]);
    assert.equal(column.parcels.count, 5);
});
