// Matrices in the memory of the kernel.

import { BYTES, COLUMNS, multiplier, ROWS } from "./kernel.js";

const PAGE = 65_536;

/** A matrix: its numbers, its address, and how many numbers it is from row to row. The kernel fills more rows than there
 *  are, up to a multiple of what it takes at once; what stands in those means nothing.
 *  @typedef {{ data: Float32Array, at: number, rows: number, columns: number, row: number }} Matrix */

/** What matrices are multiplied by, in the order of the kernel, and what is added to each row of the product.
 *  @typedef {{ data: Float32Array, at: number, bias: number, steps: number, columns: number }} Factor */

/** @param {number} many @param {number} unit */
export const filled = (many, unit) => Math.ceil(many / unit) * unit;

/** Memory that is given out once, and the products of what lies in it. */
export class Memory {
    /** @param {number} numbers how many it has room for */
    constructor(numbers) {
        this.memory = new WebAssembly.Memory({ initial: Math.ceil((numbers * BYTES) / PAGE) });
        this.kernel = multiplier(this.memory);
        this.used = 0;
        this.zeros = 0;
    }

    /** @param {number} many */
    numbers(many) {
        const data = new Float32Array(this.memory.buffer, this.used, many);
        this.used += filled(many * BYTES, 64);
        return data;
    }

    /** @param {number} rows @param {number} columns @returns {Matrix} */
    matrix(rows, columns) {
        const row = filled(columns, COLUMNS);
        const data = this.numbers(filled(rows, ROWS) * row);
        return { data, at: data.byteOffset, rows, columns, row };
    }

    /** @param {number} steps @param {number} columns @param {Float32Array} [bias] @returns {Factor} */
    factor(steps, columns, bias) {
        const data = this.numbers(steps * filled(columns, COLUMNS));
        const added = this.numbers(filled(columns, COLUMNS));
        if (bias) added.set(bias);
        return { data, at: data.byteOffset, bias: added.byteOffset, steps, columns };
    }

    /** Some columns of a matrix, as a matrix. @param {Matrix} whole @param {number} from @param {number} columns
     *  @returns {Matrix} */
    columns({ data, at, rows, row }, from, columns) {
        return { data: data.subarray(from), at: at + from * BYTES, rows, columns, row };
    }

    /** @param {Matrix} a @param {Factor} b @param {Matrix} out @param {number} [rows] where not all are wanted */
    product(a, b, out, rows = a.rows) {
        const many = filled(b.columns, COLUMNS);
        this.kernel(a.at, a.row * BYTES, b.at, b.bias, out.at, out.row * BYTES, filled(rows, ROWS), many, b.steps);
    }
}

/** Fill a factor from numbers that lie `step` apart from step to step, and `column` from column to column.
 *  @param {Factor} factor @param {Float32Array} from @param {number} step @param {number} column */
export function fill({ data, steps, columns }, from, step, column) {
    for (let c = 0; c < columns; c++) {
        const strip = (c - (c % COLUMNS)) * steps + (c % COLUMNS);
        for (let s = 0; s < steps; s++) data[strip + s * COLUMNS] = from[s * step + c * column];
    }
}
