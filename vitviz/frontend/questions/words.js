// Guesses and shares in words.

/** @import { Meta } from "../types/board.js" */
/** @import { Question, Sums, Vote } from "../types/lecture.js" */

import { small, tokenName, tokenPlace, whole } from "../draw/text.js";

const LARGE = /** @type {const} */ ([
    [1e9, "billion"],
    [1e6, "million"],
]);

/** "86 million", "197", "0.13". @param {number} value */
export function number(value) {
    for (const [size, name] of LARGE) if (value >= size) return `${Number((value / size).toPrecision(3))} ${name}`;
    return value >= 1000 || Number.isInteger(value) ? whole(Math.round(value)) : small(value);
}

/** @param {Question} question @param {number} value */
export const withUnit = ({ unit }, value) => `${number(value)}${unit ? ` ${unit}` : ""}`;

/** "43.1 %". @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** What the rounds are called, with how many guessed. @param {Sums[]} rounds */
export const roundNames = (rounds) =>
    rounds.map(({ voted }, at) => {
        const name = rounds.length === 1 ? "" : at ? "second: " : "first: ";
        return `${name}${whole(voted)} ${voted === 1 ? "guess" : "guesses"}`;
    });

/** "patch 61 (row 6, column 1)". @param {Meta} meta @param {number} patch from 0 on */
export function patchName(meta, patch) {
    const token = meta.prefix.length + patch;
    return `${tokenName(meta, token)} (${tokenPlace(meta, token)})`;
}

/** A guess as it is said. @param {Meta} meta @param {Question} question @param {Vote} vote */
export function guessed(meta, question, vote) {
    if (question.kind === "choose") return question.options[Number(vote)];
    if (question.kind === "number") return withUnit(question, Number(vote));
    return [vote]
        .flat()
        .map((patch) => patchName(meta, patch))
        .join(" and ");
}

/** Why a guess is in no sum. */
export const UNCOUNTED =
    "It does not count: it came too late, others guessed while your line was away, or your network has as many guesses as may count.";
export const LATE = "What you chose after the lock does not count.";

/** What a browser has guessed so far. @param {Meta} meta @param {Question} question @param {Vote | null} vote
 *  @param {number} round @param {Vote | null} first @param {string} [uncounted] why it, or another one, is in no sum */
export function says(meta, question, vote, round, first, uncounted = "") {
    const named = vote === null ? "Your first guess" : "Your guess";
    const guess = vote ?? (round === 2 ? first : null);
    const own = guess === null ? "" : `${named}: ${guessed(meta, question, guess)}`;
    return [own, uncounted].filter(Boolean).join(". ");
}
