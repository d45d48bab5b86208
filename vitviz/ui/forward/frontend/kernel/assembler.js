// WebAssembly written out: the bytes of a module with one function, from nested lists.

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
