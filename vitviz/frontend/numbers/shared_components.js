// The components that patches of several pictures share, and what can be read off a patch, as
// vitviz/measures/shared_components.py.

/** @import { Arrays_ } from "../types/numbers.js" */
/** @import { Trace } from "./trace.js" */

import { array, dot, quantile } from "./arrays.js";
import { eigen, fixed, products } from "./components.js";
import { patchVectors } from "./similarity.js";

const COLOURS = 3; // red, green and blue
const REACHED = 0.98; // of the coordinates lie between black and full colour
const FLAT = 1e-12; // of the mean square of a component: what varies less is rounded
const RIDGE = 1e-2; // of the mean variance of a direction, for directions in which the known patches do not differ
const PLACES = 2; // row and column, of the facts of a patch

/** What patches are before the first layer, row 0, or after one. @param {Trace} trace @param {number} row */
const statesOf = (trace, row) => patchVectors(trace, row ? "state" : "token", Math.max(row - 1, 0)).rows;

/** Numbers less the mean of their column, which are turned to columns of rows. @param {Float32Array[]} pictures
 *  @param {number} size */
function centred(pictures, size) {
    const many = pictures.reduce((sum, it) => sum + it.length / size, 0);
    const out = new Float64Array(many * size); // c n
    let [n, square] = [0, 0];
    for (const rows of pictures)
        for (let at = 0; at < rows.length; at += size, n++)
            for (let c = 0; c < size; c++) {
                out[c * many + n] = rows[at + c];
                square += rows[at + c] ** 2;
            }
    const means = new Float64Array(size);
    for (let c = 0; c < size; c++) {
        const column = out.subarray(c * many, (c + 1) * many);
        means[c] = column.reduce((a, b) => a + b, 0) / many;
        for (let at = 0; at < many; at++) column[at] -= means[c];
    }
    return { columns: out, means, many, square: square / many };
}

/** Patches of several pictures on the first three principal components of all of them, of one row.
 *  @param {Trace[]} traces @param {number} row
 *  @returns {{ coordinates: Float64Array, share: number[], reach: number[] }} coordinates `picture n 3` */
export function componentsOfRow(traces, row) {
    const { dim } = traces[0].config;
    const { columns, many, square } = centred(
        traces.map((it) => statesOf(it, row)),
        dim,
    );
    const coordinates = new Float64Array(many * COLOURS);
    const { values, vectors } = eigen(
        products(columns, dim).map((it) => it / many),
        dim,
    );
    const variance = values.reduce((a, b) => a + b, 0);
    if (variance <= FLAT * square) return { coordinates, share: [0, 0, 0], reach: [0, 0, 0] };
    for (let k = 0; k < COLOURS; k++) {
        const direction = vectors.subarray((dim - 1 - k) * dim, (dim - k) * dim);
        fixed(direction);
        for (let c = 0; c < dim; c++)
            for (let n = 0; n < many; n++) coordinates[n * COLOURS + k] += direction[c] * columns[c * many + n];
    }
    const of = (/** @type {number} */ k) =>
        Float64Array.from({ length: many }, (_, n) => Math.abs(coordinates[n * 3 + k]));
    return {
        coordinates,
        share: [1, 2, 3].map((k) => values[dim - k] / variance),
        reach: [0, 1, 2].map((k) => quantile(of(k), REACHED)),
    };
}

/** Row, column and mean colour of every patch, as the model reads it: `n (2 + c)`. @param {Trace} trace */
function factsOf({ patches, config: { columns, channels, patch_values: values, patches: n } }) {
    const size = PLACES + channels;
    const out = new Float64Array(n * size);
    for (let patch = 0; patch < n; patch++) {
        out.set([Math.floor(patch / columns), patch % columns], patch * size);
        for (let c = 0; c < channels; c++) {
            const from = patch * values + (c * values) / channels;
            const colour = patches.subarray(from, from + values / channels);
            out[patch * size + PLACES + c] = Math.fround(colour.reduce((a, b) => a + b, 0) / colour.length);
        }
    }
    return { facts: out, size };
}

/** How much of a patch's row, column and colour a read-out finds in its state that other pictures have taught, as R²: of
 *  ordinary patches and of outliers, `row 3`; and the places that are read, `row n 2`.
 *  @param {Trace[]} traces the first is the one that is read @param {number[]} outliers patches @returns {Arrays_} */
export function whatPatchesHold([here, ...others], outliers) {
    const { depth, patches: n, dim } = here.config;
    const { facts, size } = factsOf(here);
    const known = others.map((it) => factsOf(it).facts);
    const taught = Float64Array.from(known.flatMap((it) => [...it]));
    const spread = spreadOf(facts, n, size);
    const rows = depth + 1;
    const [ordinary, far, places] = [
        new Float32Array(rows * 3),
        new Float32Array(rows * 3),
        new Float32Array(rows * n * 2),
    ];
    for (let row = 0; row < rows; row++) {
        const states = others.map((it) => statesOf(it, row));
        const read = readOut(states, taught, size, statesOf(here, row), dim);
        for (let patch = 0; patch < n; patch++)
            places.set(read.subarray(patch * size, patch * size + 2), (row * n + patch) * 2);
        const explained = (/** @type {(patch: number) => boolean} */ which) =>
            explainedOf(read, facts, spread, n, size, which);
        ordinary.set(
            explained((patch) => !outliers.includes(patch)),
            row * 3,
        );
        far.set(
            explained((patch) => outliers.includes(patch)),
            row * 3,
        );
    }
    const some = outliers.length ? rows : 0;
    return {
        ordinary: array([rows, 3], ordinary),
        outliers: array([some, 3], far.subarray(0, some * 3)),
        places: array([rows, n, 2], places),
    };
}

/** The variance of every fact. @param {Float64Array} facts @param {number} n @param {number} size */
function spreadOf(facts, n, size) {
    return Float64Array.from({ length: size }, (_, f) => {
        const column = Float64Array.from({ length: n }, (_, at) => facts[at * size + f]);
        const mean = column.reduce((a, b) => a + b, 0) / n;
        return column.reduce((sum, it) => sum + (it - mean) ** 2, 0) / n;
    });
}

/** R² of row, column and colour, the channels of that together; of no patches nothing that counts.
 *  @param {Float64Array} read @param {Float64Array} facts @param {Float64Array} spread @param {number} n @param {number} size
 *  @param {(patch: number) => boolean} which */
function explainedOf(read, facts, spread, n, size, which) {
    const some = Array.from({ length: n }, (_, at) => at).filter(which);
    return [[0], [1], Array.from({ length: size - PLACES }, (_, c) => PLACES + c)].map((its) => {
        if (!some.length) return 0;
        const lost = its.map((f) =>
            some.reduce((sum, at) => sum + (read[at * size + f] - facts[at * size + f]) ** 2, 0),
        );
        const variance = its.reduce((sum, f) => sum + spread[f], 0);
        return variance ? 1 - lost.reduce((a, b) => a + b, 0) / some.length / variance : Number.NaN;
    });
}

/** What a ridge regression from states to facts says of others: `n f`. @param {Float32Array[]} states that teach
 *  @param {Float64Array} facts @param {number} size of these @param {Float32Array} tested @param {number} dim */
function readOut(states, facts, size, tested, dim) {
    const { columns, means, many } = centred(states, dim);
    const square = products(columns, dim);
    let trace = 0;
    for (let c = 0; c < dim; c++) trace += square[c * (dim + 1)];
    const ridge = Math.max((RIDGE * trace) / dim, 2 ** -126);
    for (let c = 0; c < dim; c++) square[c * (dim + 1)] += ridge;
    const middle = Float64Array.from({ length: size }, (_, f) => {
        let sum = 0;
        for (let at = f; at < facts.length; at += size) sum += facts[at];
        return sum / many;
    });
    const root = rootOf(square, dim);
    const out = new Float64Array((tested.length / dim) * size);
    for (let f = 0; f < size; f++) {
        const wanted = Float64Array.from({ length: many }, (_, at) => facts[at * size + f] - middle[f]);
        const right = Float64Array.from({ length: dim }, (_, c) => dot(columns, wanted, many, c * many));
        const matrix = solved(root, right, dim);
        for (let at = 0; at < tested.length; at += dim) {
            let sum = middle[f];
            for (let c = 0; c < dim; c++) sum += (tested[at + c] - means[c]) * matrix[c];
            out[(at / dim) * size + f] = sum;
        }
    }
    return out;
}

/** The lower triangle that a positive matrix is the square of (Cholesky). @param {Float64Array} matrix @param {number} n */
function rootOf(matrix, n) {
    const root = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
        for (let j = 0; j <= i; j++) {
            const rest = matrix[i * n + j] - dot(root, root, j, i * n, j * n);
            root[i * n + j] = i === j ? Math.sqrt(rest) : rest / root[j * n + j];
        }
    return root;
}

/** What such a square makes a vector of. @param {Float64Array} root @param {Float64Array} wanted @param {number} n */
function solved(root, wanted, n) {
    const out = wanted.slice();
    for (let i = 0; i < n; i++) out[i] = (out[i] - dot(root, out, i, i * n)) / root[i * n + i];
    for (let i = n - 1; i >= 0; i--) {
        for (let j = i + 1; j < n; j++) out[i] -= root[j * n + i] * out[j];
        out[i] /= root[i * n + i];
    }
    return out;
}
