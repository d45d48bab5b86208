import assert from "node:assert/strict";
import { test } from "node:test";

import { attend, inbox } from "#frontend/transport/inbox.js";
import { unpack } from "#frontend/transport/parcels.js";

/** A parcel as Python packs it. @param {Record<string, [string, number[], ArrayBufferView]>} arrays */
function pack(arrays, name = "some", digest = "one") {
    const listed = Object.entries(arrays).map(([key, [type, shape, { byteLength: length }]]) => ({
        name: key,
        type,
        shape,
        length,
    }));
    const header = new TextEncoder().encode(JSON.stringify({ digest, name, arrays: listed }));
    const parts = Object.values(arrays).map(([, , { buffer }]) => new Uint8Array(/** @type {ArrayBuffer} */ (buffer)));
    const size = new Uint8Array(Uint32Array.of(header.length).buffer);
    return Uint8Array.from([size, header, ...parts].flatMap((part) => [...part]));
}

test("arrays come out as they went in, wherever the bytes lie", () => {
    const bytes = pack({
        codes: ["u1", [3], Uint8Array.of(1, 2, 255)],
        numbers: ["f4", [1, 2], Float32Array.of(0.5, -3)],
        places: ["i4", [1], Int32Array.of(-7)],
    });
    const { name, digest, arrays } = unpack(Uint8Array.from([9, 9, 9, ...bytes]).subarray(3));
    assert.deepEqual([name, digest], ["some", "one"]);
    assert.deepEqual(arrays.codes, { shape: [3], data: Uint8Array.of(1, 2, 255) });
    assert.deepEqual(arrays.numbers, { shape: [1, 2], data: Float32Array.of(0.5, -3) });
    assert.deepEqual(arrays.places.data, Int32Array.of(-7));
});

test("numbers of 16 bit are those of IEEE 754", () => {
    const known = {
        0: 0,
        32768: -0,
        1: 2 ** -24, // the smallest
        1023: 1023 * 2 ** -24, // the largest without a leading one
        1024: 2 ** -14,
        13653: 0.333251953125, // a third
        15360: 1,
        15361: 1 + 2 ** -10,
        49152: -2,
        31743: 65504, // the largest
        31744: Number.POSITIVE_INFINITY,
        64512: Number.NEGATIVE_INFINITY,
        32256: Number.NaN,
    };
    const words = Uint16Array.from(Object.keys(known), Number);
    const { data } = unpack(pack({ halves: ["f2", [words.length], words] })).arrays.halves;
    assert.deepEqual([...data], Object.values(known));
});

test("what is said waits for the board, then goes straight to it", () => {
    const read = /** @type {string[]} */ ([]);
    const say = (/** @type {string} */ stem) => inbox().push({ stem, css: "" });
    say("one");
    attend((sent) => read.push("stem" in sent ? sent.stem : ""));
    say("two");
    assert.equal(read.join(), "one,two");
});
