import assert from "node:assert/strict";
import { test } from "node:test";

import { arraysOf, makes } from "#frontend/editing/arrays.js";
import { meta as small } from "../page.js";

const meta = { ...small("one", 2), heads: 2, tokens: 2 };
const MIXES = [0.2, 0.8, 0.6, 0.4];
const STAYS = [1, 0, 0, 1];

/** The rollouts that a browser makes of a run whose two heads attend like this in both layers. @param {string} edits
 *  @param {string} name */
function rolled(edits, name = "rollouts") {
    const layers = new Map([0, 1].map((layer) => [layer, Float32Array.of(...MIXES, ...STAYS)]));
    const pass = { edits, arrays: {}, logits: new Float32Array(), layers };
    return [...arraysOf(name, pass, meta).rows.data].map((value) => Number(value.toFixed(5)));
}

/** A layer's step where the heads count so much. @param {number} mixes @param {number} stays */
function step(mixes, stays) {
    const whole = 2 + mixes + stays;
    return MIXES.map((weight, at) => (mixes * weight + (stays + 2) * STAYS[at]) / whole);
}

/** @param {number[]} a @param {number[]} b */
const times = ([a, b, c, d], [e, f, g, h]) => [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];

test("a rollout counts heads as far as edits let them into the stream, as Python's does", () => {
    for (const [edits, mixes, stays] of /** @type {[string, number, number][]} */ ([
        ["", 1, 1],
        ["h1.1*0", 0, 1],
        ["h1.2*0", 1, 0],
        ["h1.1*1.5 a1*0.5", 0.75, 0.5],
        ["h1.1=mean", 0, 1],
        ["a1=mean.all", 0, 0],
        ["h1.1*2 b1*0", 0, 0],
    ])) {
        const first = step(mixes, stays);
        const rows = [first, times(step(1, 1), first)].map((all) => all.map((it) => Number(it.toFixed(5))));
        assert.deepEqual(rolled(edits), rows.flat(), edits);
        assert.deepEqual(
            rolled(edits, "rollout-1"),
            rows.flatMap((all) => all.slice(2)),
            edits,
        );
    }
});

test("of drop path Python alone says what is left, and dropout leaves the weights that are shown", () => {
    for (const edits of ["l=0.1", "h1.1*0 l=0.1@2"]) assert.equal(makes(edits, meta)("rollouts"), false);
    for (const edits of ["h1.1*0", "d=0.1"]) assert.ok(makes(edits, meta)("rollouts"));
});
