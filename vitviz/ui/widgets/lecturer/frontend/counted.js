// The guesses as they come in, which nobody else sees, and what they call for.

/** @import { Own, Question, Sums, Truth } from "../../../board/frontend/lecture/types.js" */

import { onCanvas } from "../../../board/frontend/canvas/surface.js";
import { element } from "../../../board/frontend/draw/elements.js";
import { bars } from "../../../board/frontend/questions/bars.js";
import { circles, paint, tick } from "../../../board/frontend/questions/clicks.js";
import { histograms } from "../../../board/frontend/questions/histogram.js";
import { BINS, clicksOf, isRight, numberAt, sharesOf } from "../../../board/frontend/questions/sums.js";
import { percent } from "../../../board/frontend/questions/words.js";

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
