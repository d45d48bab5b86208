// The guesses as they come in, which nobody else sees, and what they call for.

import { element } from "../../draw/elements.js";
import { onCanvas } from "../../draw/surface.js";
import { circles, paint, tick } from "../../questions/clicks.js";
import { bars, histograms } from "../../questions/histogram.js";
import { clicksOf, isRight, numberAt, sharesOf } from "../../questions/sums.js";
import { percent } from "../../questions/words.js";
import { BINS } from "../../schema/guesses.js";

/** @import { Own, Question, Sums, Truth } from "../../types/lecture.js" */
/** @import { Lecturer } from "./leading.js" */

const NOBODYS = /** @type {Own} */ ([null, null]);
const UNKNOWN = { text: "" };
const [FEW, MOST] = [0.3, 0.7]; // of a class that is right: between them a second guess pays

/** How many guesses are right; those of a number by the middle of their bin, null where sums do not tell.
 *  @param {Question} question @param {Sums} sums @param {Truth} truth */
export function rightOf(question, sums, truth) {
    if (sums.right !== null) return sums.right;
    const { choose, number, patch } = sums;
    const counts = choose ?? number ?? (patch === undefined ? null : [...clicksOf(sums)]);
    if (!counts) return null;
    const guess = (/** @type {number} */ at) => (number ? numberAt(question, (at + 0.5) / BINS) : at);
    return counts.reduce((right, count, at) => right + (count && isRight(question, guess(at), truth) ? count : 0), 0);
}

/** What to do when guesses are locked. @param {number | null} right @param {number} voted @param {number} round */
export function advice(right, voted, round) {
    if (!voted || right === null) return "";
    const share = right / voted;
    const counted = `${right} of ${voted} right (${percent(share)}): `;
    if (round === 2) return `${counted}show the answer.`;
    if (share < FEW) return `${counted}say more first, or show the answer.`;
    if (share > MOST) return `${counted}show the answer.`;
    return `${counted}let them talk, then ask again.`;
}

/** The sums of a question's rounds. @param {Question} question @param {Sums[]} rounds @param {Truth | null} truth
 *  @param {[number, number]} grid */
export function counted(question, rounds, truth, grid) {
    const answered = { question, result: { rounds, truth: truth ?? UNKNOWN }, own: NOBODYS };
    if (question.kind === "choose") return bars(answered);
    if (question.kind === "number") return histograms(answered);
    const [rows, columns] = grid;
    const maps = rounds.map((sums, round) => {
        const canvas = element("canvas", {
            role: "img",
            "aria-label": `Patches that were clicked, round ${round + 1}`,
        });
        canvas.style.aspectRatio = String(columns / rows);
        requestAnimationFrame(() => map(canvas, clicksOf(sums), truth ?? UNKNOWN, { rows, columns }));
        return canvas;
    });
    return element("div", { class: "maps" }, ...maps);
}

/** Clicks over the true map, without the photo. @param {HTMLCanvasElement} canvas @param {ArrayLike<number>} clicks
 *  @param {Truth} truth @param {{ rows: number, columns: number }} grid */
function map(canvas, clicks, truth, grid) {
    const shares = sharesOf(truth);
    onCanvas(canvas, (context, width, height) => {
        const [across, down] = [width / grid.columns, height / grid.rows];
        for (let patch = 0; patch < grid.rows * grid.columns; patch++) {
            const light = shares.length ? Math.sqrt(shares[patch] / Number(truth.most)) : 0;
            context.fillStyle = `rgb(${Array(3)
                .fill(Math.round(40 + 190 * light))
                .join(" ")})`;
            const [x, y] = [(patch % grid.columns) * across, Math.floor(patch / grid.columns) * down];
            context.fillRect(x, y, across - 1, down - 1);
        }
        for (const circle of circles(clicks, grid, width, height)) paint(context, circle, across);
        const right = truth.pair ?? (truth.patch === undefined ? [] : [truth.patch]);
        for (const patch of right) tick(context, grid, patch, width, height);
    });
}

const PHASES = {
    none: "Not asked yet.",
    open: "Open: guesses come in.",
    locked: "Locked: let them talk.",
    revealed: "The answer is shown.",
};

/** A sentence without the braces around its roles. @param {string} text */
export const plain = (text) => text.replace(/[{}]/g, "");

export class Asking {
    /** @param {Lecturer} window */
    constructor(window) {
        this.window = window;
        this.root = element("section", { class: "question", "aria-label": "The question" });
        this.counted = element("section", { class: "counted", "aria-label": "The guesses" });
        this.made = "";
    }

    /** What the guesses that are locked call for, or "". */
    get advice() {
        const { question, truth, room, state } = this.window;
        const last = room.rounds.at(-1);
        if (!question || !truth || !last || state?.phase !== "locked") return "";
        return advice(rightOf(question, last, truth), last.voted, state.round);
    }

    draw() {
        const { step, question, answer, room, asked, state } = this.window;
        const { grid } = asked;
        const { following } = room;
        const rounds = state ? room.rounds : [];
        const wanted = JSON.stringify([step, state?.phase, state?.round, rounds, answer ?? null, grid, following]);
        this.root.hidden = !question;
        if (!question) this.counted.replaceChildren();
        if (!question || wanted === this.made) {
            this.made = wanted;
            return;
        }
        this.made = wanted;
        const truth = answer?.truth ?? null;
        const { explains } = this.window.steps[step - 1];
        const phase = state
            ? PHASES[state.phase]
            : room.state
              ? "The room is at another lesson."
              : "Open a room to ask it.";
        const last = rounds.at(-1);
        const many = last ? ` ${last.voted} of ${following} have guessed.` : "";
        const right = truth ? `Right: ${truth.text}` : answer?.why || "The answer is being computed …";
        this.root.replaceChildren(
            element("h3", {}, question.asks),
            element("p", { class: "phase", role: "status" }, phase + many),
            element("p", { class: "advice" }, this.advice),
            element("p", { class: "right" }, right),
            element("p", { class: "explains" }, plain(explains)),
        );
        this.counted.replaceChildren(rounds.length ? counted(question, rounds, truth, grid) : "");
    }
}
