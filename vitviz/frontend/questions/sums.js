// What follows from the sums of guesses; a guess is right here by the same rule as on the server (vitviz/lecture/rooms).

/** @import { Own, Question, Sums, Truth, Vote } from "../types/lecture.js" */

import { BINS, FULL } from "../schema/guesses.js";

/** The bin of a number, from 0 on, as the server counts. @param {{ low: number, high: number }} scale @param {number} value */
export function binOf({ low, high }, value) {
    return Math.max(0, Math.min(BINS - 1, Math.floor(BINS * placeOf({ low, high }, value))));
}

/** Where a number stands between `low` and `high`, from 0 to 1. @param {{ low: number, high: number }} scale
 *  @param {number} value */
export const placeOf = ({ low, high }, value) => Math.max(0, Math.min(1, Math.log(value / low) / Math.log(high / low)));

/** The number at such a place. @param {{ low: number, high: number }} scale @param {number} place */
export const numberAt = ({ low, high }, place) => low * (high / low) ** place;

/** @param {string} text base64 */
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The share of every patch. @param {Truth} truth */
export function sharesOf({ map = "", most = 1 }) {
    const bytes = bytesOf(map);
    return Float64Array.from({ length: bytes.length / 2 }, (_, at) => {
        return ((bytes[2 * at] | (bytes[2 * at + 1] << 8)) / FULL) * most;
    });
}

/** Whether a guess is right: a number within a bin's width, a patch with at least half of the largest share.
 *  @param {Question} question @param {Vote} vote @param {Truth} truth */
export function isRight({ kind, low, high }, vote, truth) {
    if (kind === "choose") return vote === truth.option;
    if (kind === "number") return Math.abs(Math.log(Number(vote) / Number(truth.value))) <= Math.log(high / low) / BINS;
    if (kind === "patch") return vote === truth.patch || sharesOf(truth)[Number(vote)] >= Number(truth.most) / 2;
    const [a, b] = /** @type {[number, number]} */ (vote);
    const [c, d] = /** @type {[number, number]} */ (truth.pair);
    return (a === c && b === d) || (a === d && b === c);
}

/** The sums of guesses as the server makes them, for who takes a lesson alone. @param {Question} question
 *  @param {Vote[]} votes @param {Truth} truth @param {number} patches @returns {Sums} */
export function tally(question, votes, truth, patches) {
    const { kind, options } = question;
    const many = { choose: options?.length ?? 0, number: BINS, patch: patches, pair: patches }[kind];
    const counts = new Array(many).fill(0);
    for (const vote of votes) for (const one of [vote].flat()) counts[kind === "number" ? binOf(question, one) : one]++;
    const right = votes.filter((vote) => isRight(question, vote, truth)).length;
    const packed = btoa(String.fromCharCode(...counts));
    return { voted: votes.length, right, [kind]: kind === "patch" || kind === "pair" ? packed : counts };
}

/** Whether others have guessed, too: the sum of one's own guess is that guess. @param {Sums[]} rounds @param {Own} own */
export const ofOthers = (rounds, own) => rounds.some(({ voted }, round) => voted > (own[round] === null ? 0 : 1));

/** How often each patch was clicked. @param {Sums} sums */
export const clicksOf = ({ patch, pair }) => bytesOf(patch ?? pair ?? "");

/** What the patches that were clicked hold together, and what as many could hold at best.
 *  @param {ArrayLike<number>} clicks @param {ArrayLike<number>} shares */
export function caught(clicks, shares) {
    const clicked = Array.from(shares).filter((_, patch) => clicks[patch] > 0);
    const best = Array.from(shares)
        .sort((a, b) => b - a)
        .slice(0, clicked.length);
    return { patches: clicked.length, share: sum(clicked), best: sum(best) };
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((before, number) => before + number, 0);
