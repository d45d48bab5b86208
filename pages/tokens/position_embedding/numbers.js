// Position embedding: what is added, what it knows, and what it is for.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { alone, array, dot, softmax } from "#frontend/numbers/arrays.js";
import { permutation } from "#frontend/numbers/chance.js";

const WHOLE = 600; // patches up to which all maps are sent
const SHUFFLE_SEED = 0;

/** @type {Make_} */
export function* parcels(trace, { moment, patch, key }) {
    const { patches, classes, prefix } = trace.config;
    yield ["added", () => added(trace)];
    if (patches <= WHOLE) yield ["position-maps", () => alone("maps", [patches, patches], maps(trace))];
    else yield [`position-map-${patch}`, () => alone("map", [patches], maps(trace, patch))];
    if (classes) yield ["positions-answers", () => answers(trace)];
    if (moment === "swap") {
        const across = patches - 1 - patch;
        const other = key >= prefix ? key - prefix : across === patch ? 0 : across;
        yield [`swap-${patch}-${other}`, () => swapped(trace, patch, other)];
    }
}

/** Of patches alone. @param {Trace} trace @param {Float32Array} tokens `t d` */
const ofPatches = ({ config: { prefix, dim } }, tokens) => tokens.slice(prefix * dim);

/** @param {Trace} trace */
function added(trace) {
    const { patches, dim } = trace.config;
    const { patch_tokens: token, resid_post: placed } = trace.embedding();
    const shape = [patches, dim];
    return {
        token: array(shape, token),
        position: array(shape, ofPatches(trace, trace.positions)),
        sum: array(shape, ofPatches(trace, placed)),
    };
}

/** Cosines of the positions of all patches, or of one, with those of all: `n n`, or `n`; 0 where there is none.
 *  @param {Trace} trace @param {number} [one] */
function maps(trace, one) {
    const { patches: n, dim } = trace.config;
    const unit = Float64Array.from(ofPatches(trace, trace.positions));
    for (let patch = 0; patch < n; patch++) {
        const vector = unit.subarray(patch * dim, (patch + 1) * dim);
        const length = Math.sqrt(dot(vector, vector, dim)) || 1;
        for (let c = 0; c < dim; c++) vector[c] /= length;
    }
    const rows = one === undefined ? Array.from({ length: n }, (_, at) => at) : [one];
    return Float32Array.from({ length: rows.length * n }, (_, at) =>
        dot(unit, unit, dim, rows[Math.floor(at / n)] * dim, (at % n) * dim),
    );
}

/** What the model says with its positions, without, and with those of patches in another order. @param {Trace} trace */
function answers(trace) {
    const { patches, classes } = trace.config;
    const order = permutation(patches, SHUFFLE_SEED);
    const said = (/** @type {Float32Array} */ logits) => array([classes], softmax(logits, classes));
    return {
        learned: said(trace.answer),
        off: said(trace.anew({ positions: "off" }).answer),
        shuffled: said(trace.anew({ positions: [...order] }).answer),
        order: array([patches], order),
    };
}

/** What becomes of the model when two patches change places, as largest differences: without positions between the outputs
 *  of both and each other's before, of all other tokens, and of the answer; and of the answer with positions.
 *  @param {Trace} trace @param {number} first @param {number} second */
function swapped(trace, first, second) {
    const { tokens, prefix, dim, patches } = trace.config;
    const pixels = Array.from({ length: patches }, (_, at) => at);
    [pixels[first], pixels[second]] = [second, first];
    const [before, after] = [trace.anew({ positions: "off" }), trace.anew({ positions: "off", pixels })];
    let [moved, stayed] = [0, 0];
    for (let token = 0; token < tokens; token++) {
        const n = token - prefix;
        const place = n < 0 ? token : prefix + pixels[n];
        for (let c = 0; c < dim; c++) {
            const apart = Math.abs(after.stream[place * dim + c] - before.stream[token * dim + c]);
            if (n === first || n === second) moved = Math.max(moved, apart);
            else stayed = Math.max(stayed, apart);
        }
    }
    const one = (/** @type {number} */ value) => array([1], Float32Array.of(value));
    return {
        moved: one(moved),
        stayed: one(stayed),
        logits: one(furthest(before.answer, after.answer)),
        with: one(furthest(trace.anew({}).answer, trace.anew({ pixels }).answer)),
    };
}

/** @param {Float32Array} a @param {Float32Array} b */
const furthest = (a, b) => a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);
