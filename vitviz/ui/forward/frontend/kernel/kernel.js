// Matrix products, where a forward pass spends its time: WebAssembly that takes 4 rows and 8 columns at once, in eight
// sums of four numbers each. More sums, or several steps of the loop in one, were slower.

import {
    ADD,
    ADD4,
    advance,
    assemble,
    below,
    get,
    HALVES,
    load,
    loadEight,
    MULTIPLY,
    MULTIPLY4,
    number,
    set,
    splat,
    store,
} from "./assembler.js";

export const BYTES = 4; // of a number

/** How many rows and columns the kernel takes at once: it is given multiples of them. */
export const ROWS = 4;
export const COLUMNS = 8;

const STRIP = COLUMNS * BYTES;
const HALF = STRIP / 2; // four numbers
const PARAMETERS = 9;

/** The bytes of the kernel.
 *
 *  C = A B + bias, for addresses of A, B, bias and C, of A and C with the bytes from row to row; then how many rows,
 *  columns and steps there are, a step being one column of A and one row of B. The columns of B lie in strips of eight:
 *  a strip row after row, then the next strip, so that B is read in the order in which it lies. */
export function kernel() {
    let locals = 0;
    const more = (/** @type {number} */ many) => Array.from({ length: many }, () => locals++);
    const [a, aRow, b, bias, c, cRow, rows, columns, steps] = more(PARAMETERS);
    const [right, bottom, end, top, corner, out, at] = more(7);
    const left = more(ROWS);
    const wholes = locals - PARAMETERS;
    const [low, high, one] = more(3);
    const sums = left.map(() => more(2));

    const lengthOf = (/** @type {number} */ many) => [get(many), number(BYTES), MULTIPLY];
    const grow = (/** @type {number} */ sum, /** @type {number} */ by) => [
        [get(sum), get(one), get(by)],
        [MULTIPLY4, ADD4, set(sum)],
    ];
    const step = [
        [get(at), load(), set(low), get(at), load(HALF), set(high)],
        left.map((place, row) => [get(place), splat, set(one), grow(sums[row][0], low), grow(sums[row][1], high)]),
        left.map((place) => advance(place, number(BYTES))),
        advance(at, number(STRIP)),
    ];
    const block = [
        left.map((place, row) => [row ? [get(left[row - 1]), get(aRow), ADD] : get(top), set(place)]),
        [get(top), lengthOf(steps), ADD, set(end), get(b), set(at)],
        sums.map((pair) => pair.map((sum, half) => [get(bias), load(half * HALF), set(sum)])),
        below(left[0], end, step),
        sums.map((pair) => [
            pair.map((sum, half) => [get(out), get(sum), store(half * HALF)]),
            advance(out, get(cRow)),
        ]),
        advance(top, get(aRow), number(ROWS), MULTIPLY),
    ];
    const strip = [
        [get(a), set(top), get(corner), set(out)],
        below(top, bottom, block),
        advance(corner, number(STRIP)),
        advance(bias, number(STRIP)),
        advance(b, lengthOf(steps), number(COLUMNS), MULTIPLY),
    ];
    const all = [
        [get(c), set(corner), get(c), lengthOf(columns), ADD, set(right)],
        [get(a), get(rows), get(aRow), MULTIPLY, ADD, set(bottom)],
        below(corner, right, strip),
    ];
    return assemble("run", PARAMETERS, wholes, locals - PARAMETERS - wholes, all);
}

/** The bytes of what makes a strip of numbers of one that is stored in 8 bits: it is given the addresses of the strip, of
 *  its end, of the scales of its columns, and of where the numbers go. */
export function widening() {
    const [at, end, scales, out, ...fours] = [0, 1, 2, 3, 4, 5, 6];
    const [low, high, eight] = fours;
    const step = [
        [get(at), loadEight, set(eight)],
        [low, high].map((scale, half) => [
            [get(out), get(eight), HALVES[half], get(scale), MULTIPLY4, store(half * HALF)],
        ]),
        [advance(at, number(COLUMNS)), advance(out, number(STRIP))],
    ];
    const all = [get(scales), load(), set(low), get(scales), load(HALF), set(high), below(at, end, step)];
    return assemble("run", 4, 0, fours.length, all);
}

/** Code at work in a memory; throws where WebAssembly, its SIMD, or the page's policy is lacking.
 *  @param {Uint8Array} bytes @param {WebAssembly.Memory} memory @returns {(...parameters: number[]) => void} */
export function working(bytes, memory) {
    const module = new WebAssembly.Module(/** @type {any} */ (bytes));
    return /** @type {any} */ (new WebAssembly.Instance(module, { its: { memory } }).exports.run);
}
