import assert from "node:assert/strict";
import { test } from "node:test";

import { KEYS, keyAt, neighbour, spoken } from "../../vitviz/ui/explorer/frontend/keys.js";

/** @import { Instrument } from "../../vitviz/ui/explorer/frontend/instrument.js" */

/** An element that these selectors match. @param {string[]} own */
const element = (...own) => ({
    matches: (/** @type {string} */ selector) => selector.split(", ").some((each) => own.includes(each)),
});

test("no key does two things, and each has a name in its help", () => {
    const keys = KEYS.flatMap(({ keys }) => keys);
    assert.equal(new Set(keys).size, keys.length);
    for (const { help } of KEYS) assert.equal(help.split("{}").length, 2);
});

test("arrows and Space keep their own meaning on sliders, switches and buttons", () => {
    const works = (/** @type {string[]} */ ...own) =>
        ["ArrowUp", "L", "h", " ", "Escape"].filter((key) => keyAt(key, element(...own)));
    assert.deepEqual(works(".frame"), ["ArrowUp", "L", "h", " ", "Escape"]);
    assert.deepEqual(works(".scroll"), ["L", "h", " ", "Escape"]);
    assert.deepEqual(works("input"), ["L", "h", " ", "Escape"], "a slider");
    assert.deepEqual(works("input", "input:not([type=range])"), ["L", "h", "Escape"], "a switch");
    assert.deepEqual(works("button"), ["L", "h", "Escape"]);
    assert.equal(keyAt("x", element(".frame")), undefined);
});

test("a key acts on the instrument, backwards with Shift", () => {
    /** @type {unknown[][]} */
    const acts = [];
    const instrument = /** @type {Instrument} */ (
        /** @type {unknown} */ ({
            selection: { query: 3 },
            maps: { meta: { columns: 2, specials: ["class"], tokens: 5 } },
            ask: (/** @type {number} */ token) => acts.push(["ask", token]),
            turn: (/** @type {string} */ name, /** @type {number} */ by) => acts.push([name, by]),
            play: () => acts.push(["play"]),
            set: (/** @type {object} */ change) => acts.push([change]),
        })
    );
    for (const pressed of ["ArrowLeft", "l", "H", " ", "Escape"]) {
        keyAt(pressed, element(".frame"))?.act(instrument, pressed, pressed === "H" ? -1 : 1);
    }
    assert.deepEqual(acts, [["ask", 2], ["layer", 1], ["head", -1], ["play"], [{ pinned: false }]]);
});

test("arrows lead over the grid and to the special tokens before it", () => {
    const grid = { columns: 3, specials: ["class", "distillation"], tokens: 8 }; // patches 2 3 4, 5 6 7
    const to = (/** @type {string} */ arrow) => Array.from({ length: 8 }, (_, query) => neighbour(arrow, query, grid));
    assert.deepEqual(to("ArrowLeft"), [0, 0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(to("ArrowRight"), [1, 2, 3, 4, 5, 6, 7, 7]);
    assert.deepEqual(to("ArrowUp"), [0, 0, 1, 1, 1, 2, 3, 4]);
    assert.deepEqual(to("ArrowDown"), [2, 2, 5, 6, 7, 5, 6, 7]);
    assert.equal(neighbour("ArrowUp", 1, { columns: 3, specials: [], tokens: 6 }), 1, "no special token to go to");
});

test("a screen reader hears the keys where they work", () => {
    assert.equal(spoken("picture"), "The picture as the model sees it. Arrow keys move the query, Escape unpins it.");
    assert.equal(spoken("wall"), "One small attention map for each layer and head. L changes the layer, H the head.");
});
