// What came of an edit: the same answer or another one, and how much surer or less sure of it the model is.

import { ranking } from "../draw/bars.js";

const COUNTS = 0.1; // a move of the probability that counts

/** @typedef {"same" | "less" | "surer" | "other"} Outcome */

/** What can come, and how it is said. @type {[Outcome, string][]} */
export const OUTCOMES = [
    ["same", "the same, about as sure"],
    ["less", "the same, less sure"],
    ["surer", "the same, surer"],
    ["other", "another answer"],
];

/** When it is which. */
export const RULE = `The same: this class stays first. About as sure: its probability moves by less than ${COUNTS}.`;

/** As many thousandths as the screen says. @param {number} probability */
const thousandths = (probability) => Math.round(1000 * probability);

/** @param {ArrayLike<number>} before probabilities @param {ArrayLike<number>} after @returns {Outcome} */
export function outcome(before, after) {
    const [best] = ranking(before, 1);
    if (ranking(after, 1)[0] !== best) return "other";
    const moved = (thousandths(after[best]) - thousandths(before[best])) / 1000;
    return Math.abs(moved) < COUNTS ? "same" : moved < 0 ? "less" : "surer";
}

/** Whether a probability may rise so far that it counts. @param {number} probability */
export const canRise = (probability) => thousandths(probability) <= 1000 * (1 - COUNTS);
