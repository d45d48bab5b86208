// A plot on a canvas: from units to pixels, numbers below it that have room, bars from 0; and words as large as what they are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wrapped } from "#frontend/draw/lines.js";
import { layersAxis, PROBABILITY, plotOn } from "#frontend/draw/plot.js";
import { styles } from "#frontend/draw/surface.js";
import { write } from "#frontend/draw/words.js";

const LETTER = 8; // pixels
const BOX = { x: 40, y: 10, width: 240, height: 100 };

/** A canvas that writes down what it is told, and on which each letter is as wide. */
function canvas() {
    /** @type {{ texts: [string, number, number, string, unknown][], boxes: number[][] }} */
    const told = { texts: [], boxes: [] };
    const context = /** @type {any} */ ({
        measureText: (/** @type {string} */ text) => ({ width: LETTER * text.length }),
        /** @param {string} text @param {number} x @param {number} y */
        fillText: (text, x, y) => told.texts.push([text, x, y, context.font, context.fillStyle]),
        fillRect: (/** @type {number[]} */ ...box) => told.boxes.push(box),
        strokeRect() {},
    });
    styles.set(context, { fontFamily: "Sans", color: "ink" });
    return { context, ...told };
}

test("units become pixels, upwards from the axis below", () => {
    const { x, y } = plotOn(canvas().context, BOX, layersAxis(6), PROBABILITY);
    assert.deepEqual([0, 3, 6].map(x), [40, 160, 280]);
    assert.deepEqual([0, 0.5, 1].map(y), [110, 60, 10]);
});

test("as many numbers stand at an axis as have room", () => {
    const names = (/** @type {number} */ depth) => {
        const { context, texts } = canvas();
        plotOn(context, BOX, layersAxis(depth, "layer"), PROBABILITY).names();
        return texts.map(([text]) => text);
    };
    assert.deepEqual(names(4), ["0", "1", "2", "3", "4", "layer", "0", "1", "0.5"]);
    const low = canvas();
    plotOn(low.context, { ...BOX, height: 39 }, { low: 0, high: 1 }, PROBABILITY).names();
    assert.deepEqual(
        low.texts.map(([text]) => text),
        ["0", "1"],
    );
    assert.deepEqual(names(24).slice(0, -4), ["0", "3", "6", "9", "12", "15", "18", "21", "24"]);
});

test("a line ends where there is no number, and goes on behind it", () => {
    /** @type {[string, number, number][]} */
    const told = [];
    const { context } = canvas();
    Object.assign(context, {
        ...Object.fromEntries(["setLineDash", "beginPath", "stroke"].map((name) => [name, () => {}])),
        ...Object.fromEntries(
            ["moveTo", "lineTo"].map((name) => [name, (/** @type {number[]} */ ...[x, y]) => told.push([name, x, y])]),
        ),
    });
    plotOn(context, BOX, layersAxis(3), PROBABILITY).line([0, 1, Number.NaN, 0.5, 0].entries());
    const drawn = told.filter(([, , y]) => Number.isFinite(y)); // a canvas takes no notice of others
    assert.deepEqual(drawn, [
        ["moveTo", 40, 110],
        ["lineTo", 120, 10],
        ["moveTo", 280, 60],
        ["lineTo", 360, 110],
    ]);
});

test("a bar stands on 0 or hangs from it, and one of 0 is a line", () => {
    const { context, boxes } = canvas();
    const plot = plotOn(context, BOX, { low: 0, high: 4 }, { low: -1, high: 1 });
    for (const [at, value] of [1, -0.5, 0].entries()) plot.bar(at, at + 1, value, "red", 4);
    assert.deepEqual(boxes, [
        [42, 10, 56, 50],
        [102, 60, 56, 25],
        [162, 59, 56, 1],
    ]);
});

test("a text says what it is, and stands in the page's colour and font where it says no other", () => {
    const { context, texts } = canvas();
    write(context, "a", 1, 2);
    write(context, "b", 3, 4, { as: "tick", bold: true, colour: "red" });
    write(context, "c", 5, 6, { as: 11 });
    assert.deepEqual(texts, [
        ["a", 1, 2, "16px Sans", "ink"],
        ["b", 3, 4, "600 15px Sans", "red"],
        ["c", 5, 6, "11px Sans", "ink"],
    ]);
});

test("a sentence goes on in a new line where its words have no room", () => {
    const { context, texts } = canvas();
    wrapped(context, "one two three", 0, 10, 7 * LETTER);
    assert.deepEqual(
        texts.map(([text, , y]) => [text, y]),
        [
            ["one two", 10],
            ["three", 30],
        ],
    );
});
