import assert from "node:assert/strict";
import { test } from "node:test";

import { along } from "#frontend/figures/along.js";
import { placed } from "#frontend/figures/layout.js";
import { numbers, spell, under, written } from "#frontend/figures/places.js";

/** @import { Axis, Figure, Heat, Panel } from "#frontend/types/figure.js" */

/** @param {Partial<Panel>} [own] @returns {Panel} */
const panel = (own) => ({ across: { low: 0, high: 1 }, down: { low: 0, high: 1 }, height: 300, marks: [], ...own });

/** A map of 14 x 14 cells without axes, so that it is a square. @param {Heat[]} marks */
const square = (...marks) =>
    panel({ across: { low: -0.5, high: 13.5 }, down: { low: 13.5, high: -0.5 }, square: 1, height: 280, marks });

test("half of a number at the right edge has room beside the chart", () => {
    for (const text of ["5", "1,200", "1,000,000"]) {
        const across = { low: 0, high: 1, ticks: /** @type {[number, string][]} */ ([[1, text]]) };
        const [{ scale }] = placed({ rows: [[panel({ across })]] }, 600).all;
        assert.equal(scale.x(1), scale.right);
        assert.ok(600 - scale.right >= 4.5 * text.length, `${600 - scale.right} pixels for half of ${text}`);
    }
});

test("a figure of one panel is as high as its panel, and more with a title and a colour scale", () => {
    assert.equal(placed({ rows: [[panel()]] }, 600).height, 300);
    const more = placed({ rows: [[panel()]], title: "Weights", scale: { limit: 1 } }, 600);
    assert.ok(more.foot > 300 && more.height > more.foot);
});

test("panels of a row stand below one another where the width is small, none wider than those above", () => {
    const row = [square(), square(), square()];
    const lefts = (/** @type {number} */ width) => placed({ rows: [row] }, width).all.map(({ scale }) => scale.edge);
    assert.deepEqual(lefts(1000).map(Math.round), [0, 341, 681]);
    assert.deepEqual(lefts(360).map(Math.round), [0, 191, 0]);
    const { all } = placed({ rows: [row] }, 360);
    assert.ok(all[2].scale.top > all[0].scale.bottom);
    const sides = all.map(({ scale }) => Math.round(scale.right - scale.left));
    assert.equal(new Set(sides).size, 1);
});

test("cells of a picture are as high as wide", () => {
    for (const width of [200, 360, 1000]) {
        const { scale } = placed({ rows: [[square()]] }, width).all[0];
        assert.ok(Math.abs(scale.x(1) - scale.x(0) - (scale.y(1) - scale.y(0))) < 1e-9);
        assert.ok(scale.right <= width && scale.bottom <= 280);
    }
});

test("a scale leads back from a pixel to what stands there", () => {
    /** @type {Axis[]} */
    const axes = [
        { low: -2, high: 5 },
        { low: 9, high: -1 },
        { low: 0.01, high: 1000, log: true },
    ];
    for (const axis of axes) {
        const scale = along(axis, 40, 400);
        assert.deepEqual([scale(axis.low), scale(axis.high)].map(Math.round), [40, 400]);
        for (const value of [axis.low, 0.5, 3]) assert.ok(Math.abs(scale.back(scale(value)) - value) < 1e-9);
    }
});

test("numbers are written as Python writes them", () => {
    for (const [value, form, text] of /** @type {[number, string, string][]} */ ([
        [0.12345, ".4f", "0.1235"],
        [-0.5, ".3f", "−0.500"],
        [1234567, ",", "1,234,567"],
        [0.000012345, ".3g", "1.23e-05".replace("-", "−")],
        [12.345, ".3g", "12.3"],
        [7, "", "7"],
    ]))
        assert.equal(written(value, form), text);
});

test("what is pointed at is said in the words of its cell", () => {
    const bytes = Buffer.from(Float32Array.from({ length: 196 }, (_, at) => at / 10).buffer).toString("base64");
    /** @type {Heat} */
    const heat = {
        kind: "heat",
        values: { f4: bytes, shape: [14, 14] },
        rows: 14,
        columns: 14,
        colours: { limit: 20 },
        says: { words: "{name}, row {y}: {value:.1f}", columns: { name: { texts: ["head 1"], shape: [] } } },
    };
    /** @type {Figure} */
    const figure = { rows: [[square(heat)]] };
    const { all } = placed(figure, 400);
    const { scale } = all[0];
    assert.equal(under(all, scale.x(3), scale.y(2))?.words, "head 1, row 2: 3.1");
    assert.equal(under(all, scale.right + 40, scale.y(2)), undefined);
    assert.equal(numbers(heat.values)[31], Math.fround(3.1));
});

test("a column of words may have one for a row or one for a column", () => {
    const columns = { row: { texts: ["a", "b"], shape: [2, 1] }, column: { texts: ["x", "y", "z"], shape: [3] } };
    const words = Array.from({ length: 6 }, (_, at) => spell({ words: "{row}{column}", columns }, at, 3, {}));
    assert.deepEqual(words, ["ax", "ay", "az", "bx", "by", "bz"]);
    assert.equal(spell({ words: "{a:.2f}", columns: { a: [Number.NaN] } }, 0, 1, {}), "");
});
