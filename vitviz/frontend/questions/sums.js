// Sums of guesses, and what follows from them. Guesses are counted, and right, by the rules of vitviz/lecture/rooms/votes.py:
// tests/frontend/lecture/guesses.json holds both.

/** @import { Own, Question, Sums, Truth, Vote } from "../types/lecture.js" */

import { BINS, FULL } from "../schema/guesses.js";

const MOST = 255; // a count of a patch is one byte

/** The bin of a number, from 0 on. @param {{ low: number, high: number }} scale @param {number} value */
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

/** The codes of a map of shares, that of the largest one being FULL. @param {Truth} truth */
function codesOf({ map = "" }) {
    const bytes = bytesOf(map);
    return Float64Array.from({ length: bytes.length / 2 }, (_, at) => bytes[2 * at] | (bytes[2 * at + 1] << 8));
}

/** The share of every patch. @param {Truth} truth */
export const sharesOf = (truth) => codesOf(truth).map((code) => (code / FULL) * (truth.most ?? 1));

/** Whether a guess is right: a number within a bin's width, a patch with at least half of the largest share.
 *  @param {Question} question @param {Vote} vote @param {Truth} truth */
export function isRight({ kind, low, high }, vote, truth) {
    if (kind === "choose") return vote === truth.option;
    if (kind === "number") return Math.abs(Math.log(Number(vote) / Number(truth.value))) <= Math.log(high / low) / BINS;
    if (kind === "patch") return vote === truth.patch || 2 * codesOf(truth)[Number(vote)] >= FULL;
    const [a, b] = /** @type {[number, number]} */ (vote);
    const [c, d] = /** @type {[number, number]} */ (truth.pair);
    return (a === c && b === d) || (a === d && b === c);
}

/** The sums of guesses, for who takes a lesson alone. @param {Question} question @param {Vote[]} votes @param {Truth} truth
 *  @returns {Sums} */
export function tally(question, votes, truth) {
    const { kind, options } = question;
    const places = votes.flat().map((one) => (kind === "number" ? binOf(question, one) : one));
    const many = { choose: options?.length ?? 0, number: BINS, patch: 0, pair: 0 }[kind] || 1 + Math.max(-1, ...places);
    const counts = new Array(many).fill(0);
    for (const place of places) counts[place]++;
    const right = votes.filter((vote) => isRight(question, vote, truth)).length;
    const packed = btoa(String.fromCharCode(...counts.map((count) => Math.min(count, MOST))));
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
