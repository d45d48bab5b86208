import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Cache, unpack } from "../../vitviz/ui/explorer/frontend/state/cache.js";

/** @import { LayerMessage, Opening, QueryMessage } from "../../vitviz/ui/explorer/frontend/types.js" */

const [DEPTH, HEADS, TOKENS] = [4, 2, 5];

/** A message as Python packs it. @param {object} header @param {Record<string, Uint8Array>} parts */
function pack(header, parts) {
    const sizes = Object.entries(parts).map(([name, part]) => [name, part.length]);
    const text = new TextEncoder().encode(JSON.stringify({ ...header, parts: sizes }));
    const length = new Uint8Array(Uint32Array.of(text.length).buffer);
    return Uint8Array.from([length, text, ...Object.values(parts)].flatMap((part) => [...part]));
}

/** @param {string} digest */
function opening(digest) {
    const sizes = { rows: 2, columns: 2, specials: ["class"], depth: DEPTH, heads: HEADS, tokens: TOKENS };
    const parts = { picture: new Uint8Array(3), rows: new Uint8Array(DEPTH * HEADS * TOKENS).fill(7) };
    return /** @type {Opening} */ (unpack(pack({ kind: "opening", digest, ...sizes }, parts)));
}

/** The maps of a layer in which every query looks at itself, with the others' code at 255 / 3.
 *  @param {string} digest @param {number} layer */
function maps(digest, layer) {
    const code = Uint8Array.from({ length: HEADS * TOKENS ** 2 }, (_, i) =>
        (i % TOKENS ** 2) % (TOKENS + 1) ? 85 : 255,
    );
    return /** @type {LayerMessage} */ (unpack(pack({ kind: "layer", digest, layer }, { code })));
}

/** @type {Cache} */
let cache;
let changes = 0;

beforeEach(() => {
    changes = 0;
    cache = new Cache(() => {
        changes += 1;
    });
});

test("a message is read from anywhere in a buffer", () => {
    const bytes = pack(
        { kind: "layer", digest: "é", layer: 3 },
        { code: Uint8Array.of(1, 2), more: new Uint8Array(0) },
    );
    const inside = Uint8Array.from([9, ...bytes, 9]).subarray(1, -1);
    const { kind, header, parts } = unpack(inside);
    assert.deepEqual([kind, header.digest], ["layer", "é"]);
    assert.deepEqual(parts, { code: Uint8Array.of(1, 2), more: new Uint8Array(0) });
});

test("weights are decoded so that a row sums to one", () => {
    const held = cache.open(opening("a"));
    cache.receive(maps("a", 1));
    const out = new Float32Array(TOKENS);
    for (const shows of /** @type {const} */ (["row", "column"])) {
        assert.ok(held.weights(1, 0, 2, shows, out));
        const [self, other] = [9 / 13, 1 / 13];
        assert.deepEqual(out, Float32Array.of(other, other, self, other, other));
    }
    assert.equal(held.weights(2, 0, 2, "row", out), false, "a layer that has not come");
    assert.ok(held.weights(2, 0, 0, "row", out), "but the rows of the class token have");
    assert.deepEqual(out, new Float32Array(TOKENS).fill(1 / TOKENS));
});

test("what comes before its picture waits for it, until something else comes", () => {
    cache.receive(maps("a", 0));
    cache.receive(maps("b", 1));
    cache.receive(maps("b", 2));
    assert.deepEqual(Object.keys(cache.open(opening("a")).layers), []);
    assert.deepEqual(Object.keys(cache.open(opening("b")).layers), ["1", "2"]);
});

test("the last three models and pictures are held, and what is on screen says when it changes", () => {
    for (const digest of ["a", "b", "c", "a", "d"]) cache.open(opening(digest));
    assert.deepEqual([...cache.all.keys()], ["c", "a", "d"]);
    cache.receive(maps("a", 0));
    assert.equal(changes, 0);
    cache.receive(maps("d", 0));
    assert.equal(changes, 1);
    const before = cache.maps;
    assert.equal(cache.open(opening("d")), before);
});

test("uncoded weights are for their layer and query only", () => {
    const held = cache.open(opening("a"));
    const row = Float32Array.from({ length: HEADS * TOKENS }, (_, i) => i / 100);
    const bytes = new Uint8Array(row.buffer);
    const message = pack({ kind: "query", digest: "a", layer: 1, query: 2 }, { row: bytes, column: bytes });
    cache.receive(/** @type {QueryMessage} */ (unpack(message)));
    assert.deepEqual(held.exactly(1, 1, 2, "row"), row.subarray(TOKENS));
    assert.deepEqual(
        held.exactly(1, HEADS, 2, "row"),
        Float32Array.from({ length: TOKENS }, (_, i) => (row[i] + row[TOKENS + i]) / 2),
    );
    assert.equal(held.exactly(1, 1, 3, "row"), null);
    assert.equal(held.exactly(2, 1, 2, "row"), null);
});
