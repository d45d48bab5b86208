// How far a vector is from the unedited one.

import assert from "node:assert/strict";
import test from "node:test";
import { MOVES, Moved, moved } from "#pages/laboratory/intervene/compared.js";

test("a vector that stays is at cosine 1, a turned one at 0, and lengths are those of the unedited", () => {
    assert.deepEqual(moved([9, 3, 4], [7, 3, 4], 1, 2), { cosine: 1, length: 0 });
    assert.deepEqual(moved([3, 4], [-4, 3], 0, 2), { cosine: 0, length: Math.SQRT2 });
    assert.deepEqual(moved([3, 4], [6, 8], 0, 2), { cosine: 1, length: 1 });
});

test("what came is told by the cosine: of a vector that hardly moves, moves, or moves as far as to another picture", () => {
    const run = (/** @type {number[]} */ ...vectors) => /** @type {any} */ ({ vectors });
    const column = {
        meta: { pool: "class", depth: 0, dim: 2 },
        data: { facts: { second: "cat", samples: { cat: "Cat" } } },
        chosen: { donor: "" },
    };
    const pair = { own: [1, 0], second: [3, 4] }; // at cosine 0.6
    const it = Object.assign(Object.create(Moved.prototype), { column, runs: { pair } });
    const said = (/** @type {number[]} */ ...after) => it.verdict("less", "the MLPs", run(1, 0), run(...after));
    assert.equal(said(10, 1), "Not so: it hardly moves, cosine 0.995. The class token hardly needs the MLPs.");
    assert.match(said(4, 3), /^Right: it moves, less far than to another picture, cosine 0\.800\. Some of what/);
    assert.match(said(3, 4), /^Not so: it moves as far as to another picture, cosine 0\.600\. .*that of “Cat” is\.$/);
    assert.match(it.rule, /at most that to “Cat”, 0\.600\.$/);
    assert.deepEqual(
        MOVES.map(([name]) => name),
        ["same", "less", "other"],
    );
});
