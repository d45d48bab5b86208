import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mix, shuffled } from "#frontend/forward/chance.js";
import { activation, normalise, softmax } from "#frontend/forward/functions.js";
import { fill, KERNEL, Memory } from "#frontend/forward/memory.js";
import { assembled } from "./assembled.js";
import { numbers } from "./sizes.js";

/** @param {ArrayLike<number>} found @param {ArrayLike<number>} wanted @param {number} most */
function near(found, wanted, most) {
    assert.equal(found.length, wanted.length);
    for (let at = 0; at < wanted.length; at++) {
        assert.ok(Math.abs(found[at] - wanted[at]) <= most, `${found[at]} at ${at} and not ${wanted[at]}`);
    }
}

test("the kernel is what its text says, and a small module that every engine takes", () => {
    const text = readFileSync(new URL("../../../vitviz/frontend/forward/kernel.wat", import.meta.url), "utf8");
    const bytes = Buffer.from(KERNEL, "base64");
    assert.equal(Buffer.from(assembled(text)).toString("base64"), KERNEL, "put this in the place of KERNEL");
    assert.ok(WebAssembly.validate(bytes));
    assert.ok(bytes.length < 700, `${bytes.length} bytes`);
});

for (const [rows, steps, columns] of [
    [1, 1, 1],
    [7, 12, 20],
    [145, 300, 9],
]) {
    test(`a product of ${rows} rows, ${steps} steps and ${columns} columns of 8 bits is the sum that it should be`, () => {
        const memory = new Memory(90_000);
        const [a, out] = [memory.matrix(rows, steps), memory.matrix(rows, columns)];
        const [left, scale, bias] = [numbers(rows * steps, 1), numbers(columns, 2), numbers(columns, 3)];
        const right = Int8Array.from(numbers(steps * columns, 4), (it) => 127 * it);
        for (let r = 0; r < rows; r++) a.data.set(left.subarray(r * steps, (r + 1) * steps), r * a.row);
        memory.product(a, memory.eightBits(right, scale, bias), out);
        for (let r = 0; r < rows; r++) {
            const wanted = Array.from(bias, (added, c) => {
                const terms = Array.from({ length: steps }, (_, s) => left[r * steps + s] * right[c * steps + s]);
                return added + scale[c] * terms.reduce((sum, term) => sum + term, 0);
            });
            near(out.data.subarray(r * out.row, r * out.row + columns), wanted, 2e-3);
        }
    });
}

for (const [rows, steps, columns] of [
    [1, 1, 1],
    [4, 5, 8],
    [7, 12, 20],
    [145, 33, 9],
]) {
    test(`a product of ${rows} rows, ${steps} steps and ${columns} columns is the sum that it should be`, () => {
        const memory = new Memory(20_000);
        const [a, out] = [memory.matrix(rows, steps), memory.matrix(rows, columns)];
        const bias = numbers(columns, 3);
        const b = memory.factor(steps, columns, bias);
        const [left, right] = [numbers(rows * steps, 1), numbers(steps * columns, 2)];
        for (let r = 0; r < rows; r++) a.data.set(left.subarray(r * steps, (r + 1) * steps), r * a.row);
        fill(b, right, columns, 1);
        memory.product(a, b, out);
        for (let r = 0; r < rows; r++) {
            const wanted = Array.from(bias, (added, c) => {
                const terms = Array.from({ length: steps }, (_, s) => left[r * steps + s] * right[s * columns + c]);
                return terms.reduce((sum, term) => sum + term, added);
            });
            near(out.data.subarray(r * out.row, r * out.row + columns), wanted, 1e-5);
        }
    });
}

test("a product of some rows leaves the others alone", () => {
    const memory = new Memory(2_000);
    const [a, b, out] = [memory.matrix(12, 3), memory.factor(3, 8), memory.matrix(12, 8)];
    a.data.fill(1);
    b.data.fill(1);
    memory.product(a, b, out, 1);
    assert.deepEqual([...new Set(out.data.subarray(0, 4 * out.row))], [3]);
    assert.deepEqual([...new Set(out.data.subarray(4 * out.row))], [0]);
});

test("softmax is the exponentials' share, and 0 where nothing is let through", () => {
    const memory = new Memory(1_000);
    const matrix = memory.matrix(2, 6);
    const row = [3, -2, Number.NEGATIVE_INFINITY, 0.5, 2.75, -60];
    for (const r of [0, 1]) matrix.data.set(row, r * matrix.row);
    softmax(matrix, 0.7);
    const exponentials = row.map((x) => Math.exp(0.7 * x));
    const sum = exponentials.reduce((all, it) => all + it);
    for (const r of [0, 1]) {
        const found = matrix.data.subarray(r * matrix.row, r * matrix.row + 6);
        near(
            found,
            exponentials.map((it) => it / sum),
            2e-7,
        );
        assert.equal(found[2], 0);
    }
});

test("a layer norm leaves mean 0 and variance 1, before its weight and bias", () => {
    const memory = new Memory(1_000);
    const [from, to] = [memory.matrix(3, 40), memory.matrix(3, 40)];
    from.data.set(numbers(120, 8));
    const ones = { weight: new Float32Array(40).fill(1), bias: new Float32Array(40) };
    normalise(from, ones, 0, to);
    for (let r = 0; r < 3; r++) {
        const row = [...to.data.subarray(r * 40, (r + 1) * 40)];
        near([row.reduce((sum, x) => sum + x) / 40], [0], 1e-6);
        near([row.reduce((sum, x) => sum + x * x, 0) / 40], [1], 1e-6);
    }
});

// From PyTorch: F.gelu(x), F.gelu(x, approximate="tanh"), x * sigmoid(1.702 x).
const AT = [-12, -5.5, -3, -1.2345, -0.001, 0, 0.3, 1.7, 4.2, 9.999, 11];
/** @type {Record<string, number[]>} */
const ACTIVATIONS = {
    gelu: [0, -1.04442594e-7, -0.00404969409, -0.133953525, -0.000499601058, 0, 0.185373427, 1.62423871, 4.19994395],
    gelu_tanh: [0, -5.92764027e-9, -0.00363739208, -0.134174336, -0.000499601058, 0, 0.185370924, 1.6241059, 4.1999739],
    quick_gelu: [
        0, -0.000473036541, -0.0180713097, -0.134545819, -0.0004995745, 0, 0.187484135, 1.61078266, 4.19670089,
    ],
};

for (const [name, wanted] of Object.entries(ACTIVATIONS)) {
    test(`${name} is PyTorch's`, () => {
        const memory = new Memory(1_000);
        const matrix = memory.matrix(1, AT.length);
        matrix.data.set(AT);
        activation(name)(matrix);
        near(matrix.data.subarray(0, AT.length), [...wanted, 9.999, 11], 2e-6);
    });
}

test("chance is Python's", () => {
    assert.deepEqual([0, 1, 7, 0xffffffff].map(mix), [0, 1753845952, 2492178918, 1734902346]);
    assert.deepEqual(shuffled(9, 7), [1, 0, 3, 7, 4, 5, 6, 2, 8]);
    assert.deepEqual(shuffled(6, 0), [3, 2, 0, 5, 1, 4]);
});
