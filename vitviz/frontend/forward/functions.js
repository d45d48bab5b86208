// What a forward pass does besides products, row by row.

/** @import { Matrix } from "./memory.js" */

/** Layer norm of each row. @param {Matrix} from @param {{ weight: Float32Array, bias: Float32Array }} norm
 *  @param {number} epsilon @param {Matrix} to @param {number} [rows] */
export function normalise(from, { weight, bias }, epsilon, to, rows = from.rows) {
    const { columns } = from;
    for (let r = 0; r < rows; r++) {
        const [at, out] = [r * from.row, r * to.row];
        let sum = 0;
        for (let c = 0; c < columns; c++) sum += from.data[at + c];
        const mean = sum / columns;
        let square = 0;
        for (let c = 0; c < columns; c++) square += (from.data[at + c] - mean) ** 2;
        const scale = 1 / Math.sqrt(square / columns + epsilon);
        for (let c = 0; c < columns; c++) to.data[out + c] = (from.data[at + c] - mean) * scale * weight[c] + bias[c];
    }
}

/** Add to each row a multiple of another's. @param {Matrix} from @param {Matrix} other @param {number} scale
 *  @param {Matrix} to @param {number} [rows] */
export function add(from, other, scale, to, rows = from.rows) {
    for (let r = 0; r < rows; r++) {
        const [one, two, out] = [r * from.row, r * other.row, r * to.row];
        for (let c = 0; c < from.columns; c++) to.data[out + c] = from.data[one + c] + scale * other.data[two + c];
    }
}

/** Multiply each column by a number of its own: layer scale. @param {Matrix} matrix @param {Float32Array | undefined} by
 *  @param {number} rows */
export function scale({ data, columns, row }, by, rows) {
    if (!by) return;
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) data[r * row + c] *= by[c];
}

const FINE = 1024; // entries of a table from one whole number to the next

/** A function as a table. @param {number} from @param {number} to @param {(x: number) => number} value */
function tabulated(from, to, value) {
    return Float32Array.from({ length: (to - from) * FINE + 2 }, (_, at) => value(from + at / FINE));
}

/** Straight from one entry to the next. @param {Float32Array} table @param {number} place */
function between(table, place) {
    const at = place | 0;
    return table[at] + (place - at) * (table[at + 1] - table[at]);
}

const LEAST = -24; // e to the power of less is nothing beside the row's largest number, which is 1
const POWERS = tabulated(LEAST, 0, Math.exp);

/** Softmax of each row, of what its numbers are times `scale`. @param {Matrix} matrix @param {number} scale
 *  @param {number} [rows] */
export function softmax({ data, rows: all, columns, row }, scale, rows = all) {
    for (let r = 0; r < rows; r++) {
        const [at, end] = [r * row, r * row + columns];
        let most = Number.NEGATIVE_INFINITY;
        for (let c = at; c < end; c++) if (data[c] > most) most = data[c];
        let sum = 0;
        for (let c = at; c < end; c++) {
            const x = (data[c] - most) * scale;
            sum += data[c] = x > LEAST ? between(POWERS, (x - LEAST) * FINE) : 0;
        }
        const share = 1 / sum;
        for (let c = at; c < end; c++) data[c] *= share;
    }
}

const REACH = 10; // beyond it an activation function is 0, or the number itself

/** What an activation function leaves of a number. @type {Record<string, () => (x: number) => number>} */
const SHARES = {
    gelu: normal,
    gelu_tanh: () => (x) => 1 / (1 + Math.exp(-2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
    quick_gelu: () => (x) => 1 / (1 + Math.exp(-1.702 * x)),
};

/** The cumulative normal distribution, for numbers that are asked for in order, a step of the table apart: Simpson's rule
 *  adds up the density. */
function normal() {
    const density = (/** @type {number} */ x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const step = 1 / FINE;
    let sum = 0;
    return (/** @type {number} */ x) => {
        sum += ((density(x - step) + 4 * density(x - step / 2) + density(x)) * step) / 6;
        return sum;
    };
}

/** An activation function as a table, straight from one entry to the next.
 *  @param {string} name @returns {(matrix: Matrix, rows?: number) => void} what applies it in place */
export function activation(name) {
    const share = SHARES[name]();
    const table = tabulated(-REACH, REACH, (x) => x * share(x));
    return ({ data, rows: all, columns, row }, rows = all) => {
        for (let r = 0; r < rows; r++) {
            for (let c = r * row; c < r * row + columns; c++) {
                const x = data[c];
                if (x < REACH) data[c] = x > -REACH ? between(table, (x + REACH) * FINE) : 0;
            }
        }
    };
}

/** By what an activation function grows, as a table. @param {string} name @returns {(x: number) => number} */
export function slopeOf(name) {
    const share = SHARES[name]();
    const size = 2 * REACH * FINE + 2;
    const values = Float64Array.from({ length: size + 2 }, (_, at) => {
        const x = (at - 1) / FINE - REACH;
        return x * share(x);
    });
    const table = Float32Array.from({ length: size }, (_, at) => ((values[at + 2] - values[at]) * FINE) / 2);
    return (x) => (x < REACH ? (x > -REACH ? between(table, (x + REACH) * FINE) : 0) : 1);
}
