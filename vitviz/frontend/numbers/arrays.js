// Arrays as parcels hold them, and what is done to rows of numbers.

/** @import { Array_, Arrays_ } from "../types/numbers.js" */

/** @param {number[]} shape @param {Array_["data"]} data @returns {Array_} */
export const array = (shape, data) => ({ shape, data });

/** The same with a name. @param {string} name @param {number[]} shape @param {Array_["data"]} data @returns {Arrays_} */
export const alone = (name, shape, data) => ({ [name]: array(shape, data) });

/** @param {Array_["data"]} data @param {number} row @param {number} size @returns {Float32Array} */
export const rowOf = (data, row, size) => /** @type {Float32Array} */ (data.subarray(row * size, (row + 1) * size));

/** Softmax of each row of `size` numbers. @param {Float32Array} logits @param {number} size */
export function softmax(logits, size) {
    const out = new Float32Array(logits.length);
    for (let at = 0; at < logits.length; at += size) {
        const row = logits.subarray(at, at + size);
        const most = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
        const powers = Float64Array.from(row, (it) => Math.exp(it - most));
        const sum = powers.reduce((a, b) => a + b, 0);
        for (const [i, power] of powers.entries()) out[at + i] = power / sum;
    }
    return out;
}

/** Where the largest number stands; of equals the first. @param {ArrayLike<number>} row */
export function argmax(row) {
    let best = 0;
    for (let at = 1; at < row.length; at++) if (row[at] > row[best]) best = at;
    return best;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} size @param {number} [from] @param {number} [at] */
export function dot(a, b, size, from = 0, at = 0) {
    let sum = 0;
    for (let c = 0; c < size; c++) sum += a[from + c] * b[at + c];
    return sum;
}

/** Rows and columns change places, `rows columns -> columns rows`. @param {Float32Array} matrix @param {number} columns */
export function turned(matrix, columns) {
    const rows = matrix.length / columns;
    const out = new Float32Array(matrix.length);
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = matrix[r * columns + c];
    return out;
}

/** The number that a share of sorted numbers does not exceed, between two of them on a straight line.
 *  @param {ArrayLike<number>} numbers @param {number} share */
export function quantile(numbers, share) {
    const sorted = Float64Array.from(numbers).sort();
    const place = share * (sorted.length - 1);
    const at = Math.floor(place);
    return sorted[at] + (place - at) * (sorted[Math.min(at + 1, sorted.length - 1)] - sorted[at]);
}

/** To the nearest whole number; of two as near the even one, as Python rounds. @param {number} value */
export function round(value) {
    const whole = Math.floor(value);
    const rest = value - whole;
    return rest > 0.5 || (rest === 0.5 && whole % 2) ? whole + 1 : whole;
}
