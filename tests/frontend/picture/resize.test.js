// Pictures become what Pillow makes of them, byte for byte, and what models read of them, as tests/unit/images holds of it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { box, crop, patches } from "#frontend/picture/preprocess.js";
import { reduce, resize } from "#frontend/picture/resize.js";

const CASES = JSON.parse(readFileSync(new URL("pictures.json", import.meta.url), "utf-8"));

/** The noise of tests/references/write_pictures.py. @param {number[]} of width, height, channels, seed */
function made([width, height, channels, seed]) {
    const data = Uint8Array.from({ length: width * height * channels }, (_, at) => {
        const mixed = Math.imul(at + seed, 2654435761);
        const byte = Math.imul(mixed ^ (mixed >>> 15), 2246822519) >>> 24;
        return seed % 3 ? byte : byte < 128 ? 0 : 255;
    });
    return { width, height, channels, data };
}

/** @param {Uint8Array | Float32Array} data */
function digest({ buffer, byteOffset, byteLength }) {
    return createHash("sha256")
        .update(new Uint8Array(buffer, byteOffset, byteLength))
        .digest("hex")
        .slice(0, 16);
}

test("pictures of all shapes are resized as Pillow does it", () => {
    assert.ok(CASES.resized.length >= 100);
    for (const { of, size, filter, box, digest: wanted } of CASES.resized) {
        const found = resize(made(of), size[0], size[1], filter, box);
        assert.deepEqual([found.width, found.height, found.channels], [...size, of[2]]);
        assert.equal(digest(found.data), wanted, JSON.stringify({ of, size, filter, box }));
    }
});

test("pictures are reduced as Pillow does it", () => {
    for (const { of, factor, digest: wanted } of CASES.reduced)
        assert.equal(digest(reduce(made(of), factor).data), wanted, JSON.stringify({ of, factor }));
});

test("a picture that is handed on is not the one that came", () => {
    const picture = made([3, 2, 3, 1]);
    for (const same of [resize(picture, 3, 2, "bicubic"), reduce(picture, 1)]) {
        assert.deepEqual(same, picture);
        assert.notEqual(same.data, picture.data);
    }
});

test("a model reads the crop, the box and the patches that it reads in Python", () => {
    assert.ok(CASES.read.length >= 50);
    for (const { rule: name, of, chosen, ...wanted } of CASES.read) {
        const [rule, picture] = [CASES.rules[name], made(of)];
        const cropped = crop(picture, rule, chosen);
        const found = {
            box: box(picture, rule, chosen),
            crop: digest(cropped.data),
            patches: digest(patches(cropped, rule, rule.patch)),
        };
        assert.deepEqual(found, wanted, JSON.stringify({ name, of, chosen }));
    }
});
