// Third moment: scores divided, softmax, weights; and what becomes of them with each divisor.

/** @import { Board } from "#board/state/board.js" */
/** @import { Selection } from "#board/types.js" */
/** @import { Moment, Steps } from "./steps.js" */

import { wrapped } from "#board/canvas/lines.js";
import { plotOn, ticksAt } from "#board/canvas/plot.js";
import { largest } from "#board/canvas/surface.js";
import { write } from "#board/canvas/words.js";
import { entropy, softmax, strongest } from "#board/draw/attention.js";
import { element } from "#board/draw/elements.js";
import { small, tokenName, whole } from "#board/draw/text.js";
import { choosable } from "#board/draw/touch.js";
import { now } from "#board/state/edited.js";
import { drawBars } from "./score.js";
import { DIVISORS } from "./steps.js";

const HEADS = ["scores", "largest weight", "entropy, nats", "softmax slope p(1\u00a0−\u00a0p)"];
const NARROW = 560; // pixels: below, the spread of the scores stands over the table
const SPREAD = 260; // pixels for the spread beside the table

/** The table of divisors: pointing at a row previews it, a click chooses. */
export class Divisors {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        const body = element("tbody");
        const heads = HEADS.map((text) => element("th", { scope: "col" }, text));
        this.table = element(
            "table",
            { class: "sizes divide" },
            element("thead", {}, element("tr", {}, ...heads)),
            body,
        );
        this.rows = DIVISORS.map((value) => {
            const button = element("button", { type: "button" });
            const row = element("tr", {}, element("th", { scope: "row" }, button));
            choosable(board, row, () => ({ divide: value }));
            body.append(row);
            return { value, row, button };
        });
    }

    /** @param {Steps | null} it @param {Selection} shown */
    fill(it, { divide }) {
        for (const { value, row, button } of this.rows) {
            const by = it?.by[value] ?? 1;
            const width = this.board.meta.head_dim;
            const own = this.board.data.facts.own_scores ? "as this model does" : `÷ √${width} = ${small(by)}`;
            button.textContent = value === "root" ? own : `÷ ${whole(by)}`;
            button.ariaPressed = String(divide === value);
            row.classList.toggle("here", divide === value);
            const weights = it && softmax(it.divided(value));
            const most = weights ? weights[strongest(weights)] : 0;
            const cells = weights ? [most, entropy(weights), most * (1 - most)].map(small) : ["", "", ""];
            row.replaceChildren(row.children[0], ...cells.map((text) => element("td", {}, text)));
        }
    }
}

/** @param {Moment} moment @param {HTMLElement} table */
export function drawSoftmax(moment, table) {
    const { context, width, height, board, it } = moment;
    const narrow = width < NARROW;
    table.style.width = narrow ? "100%" : `calc(100% - ${SPREAD}px)`;
    const room = (height - table.offsetHeight - (narrow ? 150 : 24)) / 2;
    const total = it.weights.reduce((a, b) => a + b, 0);
    const name = tokenName(board.meta, it.chosen);
    const says = [
        `scores; ${name} has ${Number.isFinite(it.scores[it.chosen]) ? small(it.scores[it.chosen]) : "−∞"}`,
        `softmax → weights; ${name} has ${small(it.weights[it.chosen])}, all sum to ${total.toFixed(4)}`,
    ];
    for (const [place, text] of says.entries()) write(context, text, 0, place * room + 18, { width });
    const seen = it.scores.map((score) => (Number.isFinite(score) ? score : 0));
    drawBars(moment, seen, 28, room - 40, board.data.palette.scores);
    drawBars(moment, it.weights, room + 28, room - 40, board.data.palette.attention);
    const top = narrow ? 2 * room : height - table.offsetHeight;
    drawSpread(moment, narrow ? 0 : width - SPREAD + 20, top, narrow ? width : SPREAD - 20);
}

/** How wide q·k lies over all pairs of tokens, and how wide after division: each drawn to its own height.
 *  @param {Moment} moment @param {number} left @param {number} top @param {number} wide */
function drawSpread({ context, board, it, shown }, left, top, wide) {
    const [counts, sizes] = ["histogram", "spread"].map((name) => now(board, `values-${shown.layer}`, name)?.data);
    if (!counts || !sizes) return;
    const bins = counts.length / board.meta.heads;
    const own = counts.subarray(shown.head * bins, (shown.head + 1) * bins);
    const [deviation, reach] = sizes.subarray(2 * shown.head, 2 * shown.head + 2);
    const by = it.by[String(shown.divide)];
    const divided = by === 1 ? "" : `, divided ${small(deviation / by)}`;
    const says = `q·k of all pairs: standard deviation ${small(deviation)}${divided}`;
    wrapped(context, says, left, top + 18, wide, { as: "tick" }, 19);
    const box = { x: left + 24, y: top + 46, width: wide - 48, height: 72 };
    const across = { low: -reach, high: reach, ticks: ticksAt([-reach, 0, reach], small) };
    const plot = plotOn(context, box, across, { low: 0, high: largest(own) });
    for (const [divisor, chosen] of /** @type {[number, boolean][]} */ ([
        [1, by === 1],
        [by, true],
    ])) {
        context.globalAlpha = chosen ? 1 : 0.3;
        const edge = (/** @type {number} */ bin) => ((2 * bin) / bins - 1) * (reach / divisor);
        for (let bin = 0; bin < bins; bin++)
            plot.bar(edge(bin), edge(bin + 1), own[bin], board.data.palette.scores, 0, 0);
    }
    context.globalAlpha = 1;
    plot.names();
}
