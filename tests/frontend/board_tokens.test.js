import assert from "node:assert/strict";
import { test } from "node:test";

// Scenes are written for a browser: what their modules ask for while they are read.
Object.assign(globalThis, { matchMedia: () => ({ matches: true }) });

const { ranking } = await import("#frontend/draw/bars.js");
const { addend, small, whole } = await import("#frontend/draw/text.js");
const { across, asPicture, tint } = await import("#pages/tokens/patch_embedding/scene.js");
const { around, inside, scaled, squareOf, textOf } = await import("#pages/tokens/patch_grid/crop.js");
const { inSequence, onGrid } = await import("#pages/tokens/patch_grid/layouts.js");

test("a small number reads as Python writes it, in tests/unit/test_numbers.py", () => {
    for (const [number, text] of /** @type {[number, string][]} */ ([
        [0.01312, "0.013"],
        [0.1312, "0.131"],
        [0.001312, "0.0013"],
        [0.0001312, "0.00013"],
        [0.00001312, "1.3·10⁻⁵"],
        [1.0, "1.00"],
        [0.9996, "1.00"],
        [12.345, "12.3"],
        [1234.5, "1,234"],
        [0, "0"],
        [-0.25, "−0.250"],
        [-3.2e-7, "−3.2·10⁻⁷"],
        [Number.NEGATIVE_INFINITY, "−∞"],
        [Number.NaN, "nan"],
    ]))
        assert.equal(small(number), text);
});

test("halves go to the even digit, as in Python, and what only looks like a half does not", () => {
    assert.deepEqual([0.0625, 0.1875, 1.125, 1.375, 2.5, 100.5, 101.5].map(small), [
        "0.062",
        "0.188",
        "1.12",
        "1.38",
        "2.50",
        "100",
        "102",
    ]);
    assert.deepEqual([1.005, 1.015, 1.025].map(small), ["1.00", "1.01", "1.02"]);
});

test("a whole number has all its digits, and a negative addend stands in brackets", () => {
    assert.deepEqual([0, 197, 1370, 86_567_656].map(whole), ["0", "197", "1,370", "86,567,656"]);
    assert.deepEqual([0.25, -0.25].map(addend), ["0.250", "(−0.250)"]);
});

test("classes are ranked by probability, equal ones in their order", () => {
    assert.deepEqual(ranking([0.1, 0.4, 0.1, 0.4], 3), [1, 3, 0]);
    assert.deepEqual(ranking(Float32Array.of(1), 3), [0]);
});

for (const [columns, rows, width, height, shape] of [
    [12, 6, 760, 536, 0.5],
    [6, 12, 760, 536, 2],
    [12, 12, 760, 536],
    [37, 37, 358, 340],
    [1, 1, 300, 300],
    [20, 10, 300, 300],
]) {
    test(`${rows} x ${columns} patches lie inside ${width} x ${height} and on no other, shape ${shape ?? 1}`, () => {
        const many = columns * rows;
        for (const box of [onGrid(columns, rows, width, height, shape), inSequence(many, width, height, shape)]) {
            const boxes = Array.from({ length: many }, (_, patch) => box(patch));
            for (const { x, y, width: wide, height: tall } of boxes) {
                assert.ok(x >= 0 && y >= 0 && wide > 0 && tall > 0);
                assert.ok(x + wide <= width && y + tall <= height + 1e-6);
            }
            for (let at = 1; at < many; at++) {
                const [before, here] = [boxes[at - 1], boxes[at]];
                assert.ok(here.x >= before.x + before.width || here.y >= before.y + before.height);
            }
        }
    });
}

test("squares fit, and their last row is full where a few more side by side make it so", () => {
    assert.equal(across(128, 756, 536), 16);
    assert.equal(across(1, 300, 300), 1);
    for (const many of [2, 28, 192, 768]) {
        const side = across(many, 756, 536);
        assert.ok(Math.ceil(many / side) * (756 / side) <= 536);
    }
});

test("a filter as a picture: grey is 0, the largest number is a full colour, of either sign", () => {
    assert.deepEqual([-1, 0, 1].map(tint), [0, 128, 255]);
    const words = painted(() => asPicture([0, 2, -4, 0, /**/ 0, 0, 4, 0, /**/ 4, 0, 0, -2], [3, 2, 2]));
    assert.deepEqual(words, ["8080ffff", "bf8080ff", "00ff80ff", "808040ff"].map(reversed));
});

test("a filter of one channel is a grey picture", () => {
    assert.deepEqual(
        painted(() => asPicture([-1, 0, 1, 0], [1, 2, 2])),
        ["000000ff", "808080ff", "ffffffff", "808080ff"].map(reversed),
    );
});

/** What is painted on a canvas, a word per pixel. @param {() => unknown} draw @returns {number[]} */
function painted(draw) {
    /** @type {Uint32Array} */
    let words = new Uint32Array();
    class OffscreenCanvas {
        getContext() {
            return {
                createImageData: (/** @type {number} */ width, /** @type {number} */ height) => ({
                    data: new Uint8ClampedArray(4 * width * height),
                }),
                putImageData: (/** @type {{ data: Uint8ClampedArray }} */ { data }) => {
                    words = new Uint32Array(data.buffer);
                },
            };
        }
    }
    Object.assign(globalThis, { OffscreenCanvas });
    draw();
    return [...words];
}

/** Red, green, blue, alpha as they lie in memory. @param {string} rgba */
function reversed(rgba) {
    return Number.parseInt(rgba.match(/../g)?.reverse().join("") ?? "", 16);
}

test("a square stays in its picture, and keeps its middle as it grows", () => {
    const size = [600, 400];
    assert.deepEqual(around([100, 0, 500, 400], size), { left: 250, top: 0, side: 1000 });
    assert.deepEqual(inside({ left: -20, top: 2000, side: 500 }, size), { left: 0, top: 500, side: 500 });
    assert.deepEqual(inside({ left: 1400, top: 10.4, side: 2000 }, size), { left: 500, top: 0, side: 1000 });
    assert.deepEqual(scaled({ left: 500, top: 400, side: 200 }, 2, size), { left: 400, top: 300, side: 400 });
    assert.equal(scaled({ left: 0, top: 0, side: 60 }, 0.1, size).side, 50);
    assert.equal(textOf(/** @type {any} */ (squareOf("250-100-500"))), "250-100-500");
    assert.equal(squareOf(""), null);
});
