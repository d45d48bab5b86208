// Matrices, and the memory in which the kernel multiplies them.

const PAGE = 65_536;
const BYTES = 4; // of a number
const [ROWS, COLUMNS] = [4, 8]; // that the kernel takes at once: it is given multiples of them

/** What an assembler makes of kernel.wat, in base64; there it can be read. A test holds the two together. */
export const KERNEL =
    "AGFzbQEAAAABFAJgCX9/f39/f39/fwBgBH9/f38AAg8BA2l0cwZtZW1vcnkCAAADAwIAAQcTAgdwcm9kdWN0AAAFd2lkZW4AAQrNBALvAwILfwt7IAQhDSAEIAdBBGxqIQkgACAGIAFsaiEKA0AgACEMIA0hDgNAIAwhECAQIAFqIREgESABaiESIBIgAWohEyAMIAhBBGxqIQsgAiEPIAP9AAIAIRcgA/0AAhAhGCAD/QACACEZIAP9AAIQIRogA/0AAgAhGyAD/QACECEcIAP9AAIAIR0gA/0AAhAhHgNAIA/9AAIAIRQgD/0AAhAhFSAQ/QkCACEWIBcgFiAU/eYB/eQBIRcgGCAWIBX95gH95AEhGCAR/QkCACEWIBkgFiAU/eYB/eQBIRkgGiAWIBX95gH95AEhGiAS/QkCACEWIBsgFiAU/eYB/eQBIRsgHCAWIBX95gH95AEhHCAT/QkCACEWIB0gFiAU/eYB/eQBIR0gHiAWIBX95gH95AEhHiAQQQRqIRAgEUEEaiERIBJBBGohEiATQQRqIRMgD0EgaiEPIBAgC0kNAAsgDiAX/QsCACAOIBj9CwIQIA4gBWohDiAOIBn9CwIAIA4gGv0LAhAgDiAFaiEOIA4gG/0LAgAgDiAc/QsCECAOIAVqIQ4gDiAd/QsCACAOIB79CwIQIA4gBWohDiAMIAFBBGxqIQwgDCAKSQ0ACyANQSBqIQ0gA0EgaiEDIAIgCEEEbEEIbGohAiANIAlJDQALC1oBA3sgAv0AAgAhBCAC/QACECEFA0AgAP0BAAAhBiADIAb9pwH9+gEgBP3mAf0LAgAgAyAG/agB/foBIAX95gH9CwIQIABBCGohACADQSBqIQMgACABSQ0ACws=";

/** The kernel at work in a memory; throws where WebAssembly, its SIMD, or the page's policy is lacking.
 *  @param {WebAssembly.Memory} memory
 *  @returns {Record<"product" | "widen", (...parameters: number[]) => void>} */
function working(memory) {
    const bytes = Uint8Array.from(atob(KERNEL), (letter) => letter.charCodeAt(0));
    return /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(bytes), { its: { memory } }).exports);
}

/** A matrix: its numbers, its address, and how many numbers it is from row to row. The kernel fills more rows than there
 *  are, up to a multiple of what it takes at once; what stands in those means nothing.
 *  @typedef {{ data: Float32Array, at: number, rows: number, columns: number, row: number }} Matrix */

/** What matrices are multiplied by, in the order of the kernel, and what is added to each row of the product.
 *  @typedef {{ data: Float32Array, at: number, bias: number, steps: number, columns: number }} Factor */

/** The same in 8 bits, where each column is to be multiplied by one of `scales`. @typedef {{ eight: Int8Array, scales: number,
 *      bias: number, steps: number, columns: number }} EightBits */

/** @param {number} many @param {number} unit */
export const filled = (many, unit) => Math.ceil(many / unit) * unit;

/** Memory that is given out once, and the products of what lies in it. */
export class Memory {
    /** @param {number} numbers how many it has room for. Raises where the browser has less */
    constructor(numbers) {
        const pages = Math.ceil((numbers * BYTES) / PAGE);
        try {
            this.memory = new WebAssembly.Memory({ initial: pages });
        } catch {
            const size = Math.ceil((pages * PAGE) / 1e6);
            throw new Error(`the model takes ${size} MB of memory, and this browser gives less`);
        }
        this.kernel = working(this.memory);
        this.used = 0;
        /** Where a strip of a matrix of 8 bits stands as numbers, while it is multiplied by. */
        this.strip = { at: 0, steps: 0 };
    }

    /** @param {number} bytes @returns {number} the address of so many */
    room(bytes) {
        const at = this.used;
        this.used += filled(bytes, 64);
        return at;
    }

    /** @param {number} many */
    numbers(many) {
        return new Float32Array(this.memory.buffer, this.room(many * BYTES), many);
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

    /** A matrix of 8 bits, `column step`, each column times a number of its own.
     *  @param {Int8Array} from @param {Float32Array} scale @param {Float32Array} [bias] @returns {EightBits} */
    eightBits(from, scale, bias) {
        const columns = scale.length;
        const steps = from.length / columns;
        const many = filled(columns, COLUMNS);
        const [scales, added] = [this.numbers(many), this.numbers(many)];
        scales.set(scale);
        if (bias) added.set(bias);
        const eight = new Int8Array(this.memory.buffer, this.room(many * steps), many * steps);
        fill({ data: eight, steps, columns }, from, 1, steps);
        if (steps > this.strip.steps) this.strip = { at: this.room(steps * COLUMNS * BYTES), steps };
        return { eight, scales: scales.byteOffset, bias: added.byteOffset, steps, columns };
    }

    /** Some columns of a matrix, as a matrix. @param {Matrix} whole @param {number} from @param {number} columns
     *  @returns {Matrix} */
    columns({ data, at, rows, row }, from, columns) {
        return { data: data.subarray(from), at: at + from * BYTES, rows, columns, row };
    }

    /** @param {Matrix} a @param {Factor | EightBits} b @param {Matrix} out @param {number} [rows] where not all are wanted */
    product(a, b, out, rows = a.rows) {
        const many = filled(b.columns, COLUMNS);
        const those = filled(rows, ROWS);
        const [row, outRow] = [a.row * BYTES, out.row * BYTES];
        if ("data" in b) return this.kernel.product(a.at, row, b.at, b.bias, out.at, outRow, those, many, b.steps);
        const length = b.steps * COLUMNS;
        for (let c = 0, at = b.eight.byteOffset; c < many; c += COLUMNS, at += length) {
            const column = c * BYTES;
            this.kernel.widen(at, at + length, b.scales + column, this.strip.at);
            const [bias, to] = [b.bias + column, out.at + column];
            this.kernel.product(a.at, row, this.strip.at, bias, to, outRow, those, COLUMNS, b.steps);
        }
    }
}

/** Fill a factor from numbers that lie `step` apart from step to step, and `column` from column to column.
 *  @param {{ data: Float32Array | Int8Array, steps: number, columns: number }} factor
 *  @param {Float32Array | Int8Array} from @param {number} step @param {number} column */
export function fill({ data, steps, columns }, from, step, column) {
    for (let c = 0; c < columns; c++) {
        const strip = (c - (c % COLUMNS)) * steps + (c % COLUMNS);
        for (let s = 0; s < steps; s++) data[strip + s * COLUMNS] = from[s * step + c * column];
    }
}
