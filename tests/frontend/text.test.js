import assert from "node:assert/strict";
import { test } from "node:test";

import { small, whole } from "#frontend/draw/text.js";

test("a small number reads as Python writes it, in tests/unit/test_numbers.py", () => {
    for (const [number, text] of /** @type {[number, string][]} */ ([
        [0.01312, "0.013"],
        [0.1312, "0.131"],
        [0.001312, "0.0013"],
        [0.0001312, "0.00013"],
        [0.00001312, "1.3·10⁻⁵"],
        [1, "1.00"],
        [0.9996, "1.00"],
        [12.345, "12.3"],
        [0, "0"],
    ])) {
        assert.equal(small(number), text);
    }
});

test("a whole number has all its digits", () => {
    assert.deepEqual([0, 197, 1370, 86_567_656].map(whole), ["0", "197", "1,370", "86,567,656"]);
});
