// Matrix products, where a forward pass spends its time: WebAssembly that takes 4 rows and 8 columns at once, in eight
// sums of four numbers each. More sums, or several steps of the loop in one, were slower.

const [TYPE, IMPORT, FUNCTION, EXPORT, CODE] = [1, 2, 3, 7, 10];
const [WHOLE, FOUR] = [0x7f, 0x7b]; // what a local holds: a whole number, or four of 32 bit
const [LOOP, NO_RESULT, BRANCH_IF, LESS, END, SIMD] = [0x03, 0x40, 0x0d, 0x49, 0x0b, 0xfd];

/** @typedef {number | Code[]} Code */

/** A whole number, seven bits in a byte, the least first. @param {number} value @returns {number[]} */
const whole = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...whole(value >>> 7)]);

/** The same of a constant, which has a sign. @param {number} value @returns {number[]} */
const signed = (value) => (value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]);

/** A list with its length before it. @param {Code[]} list */
const listed = (...list) => [whole(list.length), list];

/** @param {Code[]} code @returns {number[]} */
const flat = (code) => code.flatMap((it) => (typeof it === "number" ? it : flat(it)));

/** Code with its length in bytes before it. @param {Code[]} code */
const sized = (...code) => listed(...flat(code));

/** @param {string} text */
const letters = (text) => [...new TextEncoder().encode(text)];

export const get = (/** @type {number} */ local) => [0x20, whole(local)];
export const set = (/** @type {number} */ local) => [0x21, whole(local)];
export const number = (/** @type {number} */ value) => [0x41, signed(value)];
export const ADD = 0x6a;
export const MULTIPLY = 0x6c;

/** Four numbers from the address on the stack. @param {number} [offset] bytes */
export const load = (offset = 0) => [SIMD, 0, 2, whole(offset)];

/** One number from the address on the stack, four times. */
export const splat = [SIMD, 9, 2, 0];

/** Eight whole numbers of 8 bit from the address on the stack, in 16 bit. */
export const loadEight = [SIMD, 1, 0, 0];

/** The first four and the last four of eight whole numbers, as numbers. */
export const HALVES = [0xa7, 0xa8].map((half) => [SIMD, whole(half), SIMD, whole(0xfa)]);

/** Four numbers to an address; both are on the stack. @param {number} [offset] bytes */
export const store = (offset = 0) => [SIMD, 11, 2, whole(offset)];

export const ADD4 = [SIMD, whole(0xe4)];
export const MULTIPLY4 = [SIMD, whole(0xe6)];

/** Move a local on by what the code leaves on the stack. @param {number} local @param {Code[]} by */
export const advance = (local, ...by) => [get(local), by, ADD, set(local)];

/** Run the code, and again while one local is less than another. @param {number} at @param {number} end @param {Code[]} code */
export const below = (at, end, ...code) => [LOOP, NO_RESULT, code, get(at), get(end), LESS, BRANCH_IF, 0, END];

/** A module of one function, `name`, in a memory that it is given.
 *  @param {string} name @param {number} parameters whole numbers that it is called with
 *  @param {number} wholes further locals, after them @param {number} fours locals of four numbers, after those
 *  @param {Code[]} code */
export function assemble(name, parameters, wholes, fours, ...code) {
    const section = (/** @type {number} */ id, /** @type {Code[]} */ ...only) => [id, sized(listed(only))];
    const type = [0x60, listed(...Array(parameters).fill(WHOLE)), listed()];
    const locals = listed([whole(wholes), WHOLE], [whole(fours), FOUR]);
    const bytes = [
        [letters("\0asm"), 1, 0, 0, 0],
        section(TYPE, type),
        section(IMPORT, sized(letters("its")), sized(letters("memory")), 2, 0, 0),
        section(FUNCTION, 0),
        section(EXPORT, sized(letters(name)), 0, 0),
        section(CODE, sized(locals, code, END)),
    ];
    return Uint8Array.from(flat(bytes));
}

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
