// The answer before the first block and after each, as vitviz/board/lens.py.

/** @import { Arrays_ } from "../types/numbers.js" */
/** @import { Trace } from "./trace.js" */

import { alone, argmax, array, rowOf, softmax } from "./arrays.js";

const LINES = 16; // classes of the logit lens that are drawn
const EVERY = 1_000_000; // probabilities of the logit lens up to which those of every class are sent

/** Probabilities before the first block and after each: `(depth + 1) classes`, none where there is no head. @param {Trace} trace */
export const logitLens = ({ answers, config: { classes } }) =>
    classes ? softmax(answers, classes) : new Float32Array();

/** Logits and probabilities of the classes that are sent, and the places of those worth a line among them.
 *  @param {Trace} trace @returns {Arrays_} */
export function lens(trace) {
    const { classes: many, depth } = trace.config;
    const table = logitLens(trace);
    const lines = namedClasses(table, many);
    const rows = Array.from({ length: depth + 1 }, (_, after) => rowOf(table, after, many));
    const sent = new Set(table.length > EVERY ? [...lines, ...rows.flatMap((row) => best(row))] : [...rows[0].keys()]);
    const classes = Int32Array.from(sent).sort();
    const of = (/** @type {Float32Array} */ all) =>
        Float32Array.from({ length: (depth + 1) * classes.length }, (_, at) => {
            const after = Math.floor(at / classes.length);
            return all[after * many + classes[at % classes.length]];
        });
    const shape = [depth + 1, classes.length];
    return {
        classes: array([classes.length], classes),
        probabilities: array(shape, of(table)),
        logits: array(shape, of(trace.answers)),
        lines: array(
            [lines.length],
            Int32Array.from(lines, (it) => classes.indexOf(it)),
        ),
    };
}

/** The most probable classes, the best first; of equals the one that comes first. @param {Float32Array} row */
const best = (row) => [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, LINES);

/** Classes that tell the story of the lens, the most probable at the end first: those that win after some block, the last
 *  block before the others, then the best of the rest. @param {Float32Array} table @param {number} many */
function namedClasses(table, many) {
    const last = table.subarray(-many);
    const winners = Array.from({ length: table.length / many }, (_, after) => argmax(rowOf(table, after, many)));
    const classes = [...new Set([...winners.reverse(), ...best(last)])].slice(0, LINES);
    return classes.sort((a, b) => last[b] - last[a] || a - b);
}

/** Of a model without classes what a head would read. @param {Trace} trace @returns {Arrays_} */
export const vectors = ({ answers, config: { depth, dim } }) => alone("vectors", [depth + 1, dim], answers);

/** The parcel of an answer: its name, and what makes it. @param {Trace} trace @returns {[string, () => Arrays_]} */
export const readOut = (trace) =>
    trace.config.classes ? ["lens", () => lens(trace)] : ["vectors", () => vectors(trace)];
