// The logit lens as it has come: what the head would say before the first block and after each.

/** @import { Column } from "./column.js" */
/** @import { Array_, Selection } from "../types/board.js" */

import { ending, found } from "./edited.js";

/** What the browser holds of the logit lens; null where it is on its way. @param {Column} column */
export const lensOf = (column) => lensFrom(column, column.parcels.get("lens"));

/** The same of the run that is shown, with edits where there are some. @param {Column} column */
export const lensNow = (column) => lensFrom(column, found(column, ["lens"])?.arrays);

/** That of the run without edits, where another one is shown. @param {Column} column */
export const lensGhost = (column) => (ending(column) ? lensOf(column) : null);

/** The logit lens as a parcel holds it. @param {Column} column @param {Record<string, Array_> | undefined} arrays */
export function lensFrom(column, arrays) {
    const array = (/** @type {string} */ name) => arrays?.[name]?.data;
    const [classes, lines] = [array("classes"), array("lines")];
    const [probabilities, logits] = [array("probabilities"), array("logits")];
    if (!classes || !lines || !probabilities || !logits) return null;
    const many = classes.length;
    const depth = logits.length / many - 1;
    return {
        lines,
        depth,
        /** The name of a class by its place among those that were sent. @param {number} at */
        label: (at) => column.label(classes[at]),
        /** Its number among all classes. @param {number} at */
        number: (at) => classes[at],
        /** The place of a class, or -1 where it was not sent. @param {number} number */
        place: (number) => classes.indexOf(number),
        /** @param {number} after */
        probabilities: (after) => probabilities.subarray(after * many, (after + 1) * many),
        /** The probability of a class before the first layer and after each. @param {number} at @returns {[number, number][]} */
        along: (at) => Array.from({ length: depth + 1 }, (_, after) => [after, probabilities[after * many + at]]),
        /** @param {number} after */
        logits: (after) => logits.subarray(after * many, (after + 1) * many),
        /** The place of the class that is looked at: the chosen one, or the most probable at the end.
         *  @param {Selection} shown */
        answer: ({ answer }) => {
            const at = answer < 0 ? -1 : classes.indexOf(answer);
            const last = probabilities.subarray(-many);
            return at >= 0 ? at : last.indexOf(Math.max(...last));
        },
    };
}

/** The logit lens, or what a head would read, `after component`, where there is none. @param {Column} column
 *  @param {Record<string, Array_> | undefined} arrays */
export const readFrom = (column, arrays) => ({
    lens: lensFrom(column, arrays),
    vectors: /** @type {Float32Array | undefined} */ (arrays?.vectors?.data) ?? null,
});

/** @typedef {NonNullable<ReturnType<typeof lensOf>>} Lens */

/** Where the head reads. @param {number} after */
export const place = (after) => (after ? `after layer ${after}` : "before layer 1");

/** A logit lens that this browser has run, or without classes the vectors, as a parcel holds it.
 *  @param {Float32Array} logits `after class` @param {number} classes
 *  @returns {Record<string, Array_>} */
export function lensArrays(logits, classes) {
    if (!classes) return { vectors: { shape: [logits.length], data: logits } };
    const probabilities = new Float32Array(logits.length);
    for (let at = 0; at < logits.length; at += classes) {
        const row = logits.subarray(at, at + classes);
        const most = Math.max(...row);
        const powers = Array.from(row, (logit) => Math.exp(logit - most));
        const sum = powers.reduce((a, b) => a + b, 0);
        for (const [i, power] of powers.entries()) probabilities[at + i] = power / sum;
    }
    const numbers = Int32Array.from({ length: classes }, (_, at) => at);
    const shape = [logits.length / classes, classes];
    return {
        classes: { shape: [classes], data: numbers },
        lines: { shape: [classes], data: numbers },
        logits: { shape, data: logits },
        probabilities: { shape, data: probabilities },
    };
}
