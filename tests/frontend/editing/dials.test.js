import assert from "node:assert/strict";
import { test } from "node:test";

import { dialsOf } from "#pages/laboratory/intervene/panels/dials.js";
import { meta as small } from "../page.js";

const meta = { ...small("one", 6), head_dim: 16, rows: 12, columns: 12, tokens: 145 };
const usual = { score_scale: null, top_k: null, window: null, positions: "learned" };

/** The names of a dial's stops, and the one that it begins at. @param {string} letter @param {object} [own] */
function names(letter, own = {}) {
    const dial = dialsOf(meta, { ...usual, ...own }).find((it) => it.letter === letter);
    return dial && [dial.stops.map(([, name]) => name), dial.stops[dial.usual][1]];
}

test("the divisor begins at the model's own, and √dₕ is offered where edits can say it", () => {
    assert.deepEqual(names("s"), [["√dₕ", "dₕ", "1"], "√dₕ"]);
    assert.deepEqual(names("s", { score_scale: 0.25 }), [["√dₕ", "dₕ", "1"], "√dₕ"]);
    assert.deepEqual(names("s", { score_scale: 1 }), [["dₕ", "1"], "1"]);
    assert.deepEqual(names("s", { score_scale: 1 / 16 }), [["dₕ", "1"], "dₕ"]);
    assert.deepEqual(names("s", { score_scale: 0.5 }), [["2", "dₕ", "1"], "2"]);
});

test("a model that keeps some scores only, or sees so far only, begins there and is not widened", () => {
    assert.deepEqual(names("k", { top_k: 8 }), [["1", "2", "4", "8"], "8"]);
    assert.deepEqual(names("k", { top_k: 5 }), [["1", "2", "4", "5"], "5"]);
    assert.deepEqual(names("k"), [["1", "2", "4", "8", "16", "32", "64", "128", "all"], "all"]);
    assert.deepEqual(names("w", { window: 2 }), [["0", "1", "2"], "2"]);
    assert.equal(names("w")?.[1], "all");
});

test("a causal mask is off until somebody turns it on", () => assert.deepEqual(names("c"), [["off", "on"], "off"]));

test("positions can be turned where there are some", () => {
    assert.equal(names("e")?.[1], "learned");
    assert.equal(names("e", { positions: "none" }), undefined);
    assert.equal(names("o")?.[1], "+0");
    assert.equal(names("o", { positions: "none" }), undefined);
});
