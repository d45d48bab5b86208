import assert from "node:assert/strict";
import { test } from "node:test";

import { changed } from "#frontend/columns/changes.js";

const NONE = -1;
const answer = (/** @type {number[]} */ ...probabilities) => new Map(probabilities.entries());
const classes = (/** @type {ReturnType<typeof changed>} */ listed) => listed.map(({ it }) => it);

test("classes stand by the size of their change, the chosen one among them", () => {
    const [first, second] = [answer(0.5, 0.2, 0.2, 0.1), answer(0.1, 0.25, 0.2, 0.45)];
    assert.deepEqual(classes(changed(first, second, 2, NONE)), [0, 3]);
    assert.deepEqual(classes(changed(first, second, 2, 2)), [0, 2]);
    assert.equal(changed(first, second, 2, NONE)[1].change, 0.45 - 0.1);
});

test("where nothing differs the most probable classes stand there", () => {
    const same = answer(0.01, 0.02, 0.6, 0.07, 0.3);
    assert.deepEqual(classes(changed(same, same, 3, NONE)), [2, 4, 3]);
    assert.deepEqual(classes(changed(same, same, 3, 0)), [2, 4, 0]);
});

test("what is rounding is no difference", () => {
    const [first, second] = [answer(0.1, 0.3, 0.6), answer(0.1 + 5e-7, 0.3, 0.6 - 5e-7)];
    assert.deepEqual(classes(changed(first, second, 3, NONE)), [2, 1, 0]);
    assert.deepEqual(classes(changed(first, answer(0.1, 0.3, 0.6 - 2e-6), 3, NONE))[0], 2);
    assert.deepEqual(classes(changed(first, answer(0.1 + 2e-6, 0.3, 0.6), 3, NONE))[0], 0);
});
