// What edits move in a model without classes: the vector that a head would read, beside the unedited one, layer by layer.

/** @import { Board } from "#board/state/board.js" */
/** @import { Outcome } from "#board/editing/outcome.js" */
/** @import { Edit } from "#board/state/edits.js" */
/** @import { Run, Runs } from "#board/editing/runs.js" */

import { ticksAt } from "#board/canvas/plot.js";
import { write } from "#board/canvas/words.js";
import { element } from "#board/draw/elements.js";
import { small } from "#board/draw/text.js";
import { secondOf } from "#board/editing/runs.js";
import { idle } from "#board/editing/words.js";
import { allInWords } from "#board/state/edit_words.js";
import { plotOfLayers } from "./lens.js";

const HARDLY = 0.9; // the cosine from which on a vector hardly moves

/** What can come of edits, and how it is said. @type {[Outcome, string][]} */
export const MOVES = [
    ["same", "it hardly moves"],
    ["less", "it moves, less far than to another picture"],
    ["other", "it moves as far as to another picture"],
];

/** The cosine of a vector to the unedited one, and the length of their difference in lengths of that.
 *  @param {ArrayLike<number>} before @param {ArrayLike<number>} after @param {number} from @param {number} dim */
export function moved(before, after, from, dim) {
    let [own, other, both, apart] = [0, 0, 0, 0];
    for (let at = from; at < from + dim; at++) {
        own += before[at] ** 2;
        other += after[at] ** 2;
        both += before[at] * after[at];
        apart += (after[at] - before[at]) ** 2;
    }
    return { cosine: both / Math.sqrt(own * other), length: Math.sqrt(apart / own) };
}

export class Moved {
    /** @param {Board} board @param {Runs} runs */
    constructor(board, runs) {
        this.board = board;
        this.runs = runs;
        this.lines = ["cosine to the unedited", "length of the difference", ""].map((says) => {
            const [name, now, value] = [element("span", { class: "name" }, says), element("i"), element("b")];
            const bar = element("span", { class: "bar" }, now);
            return { name, now, value, line: element("li", {}, name, element("span"), value, bar) };
        });
        this.names = element("p", { class: "names" });
        this.root = element(
            "div",
            { class: "answers" },
            this.names,
            element("ol", { class: "ghosts" }, ...this.lines.map(({ line }) => line)),
        );
    }

    /** What is compared. */
    get what() {
        return this.board.meta.pool === "class" ? "class token" : "result";
    }

    /** The second picture, which is the scale. */
    get second() {
        const { samples = {} } = /** @type {{ samples?: Record<string, string> }} */ (this.board.data.facts);
        return `“${samples[secondOf(this.board)] ?? "the second picture"}”`;
    }

    /** The cosine to the second picture, once it is here. */
    get scale() {
        const { pair } = this.runs;
        return pair && moved(pair.own, pair.second, 0, this.board.meta.dim).cosine;
    }

    /** When it is which. */
    get rule() {
        const far = this.scale === null ? "" : `, ${small(this.scale)}`;
        return `Hardly: its cosine to the unedited is at least ${HARDLY}. As far as to another picture: at most that to ${this.second}${far}.`;
    }

    /** What came, against the guess. @param {Outcome} guessed @param {string} takes what the edits take away
     *  @param {Run} before @param {Run} after */
    verdict(guessed, takes, before, after) {
        const { what, scale, second } = this;
        const last = this.along(before, after)?.[this.board.meta.depth];
        if (!last || scale === null) return "The model is running …";
        /** @type {Outcome} */
        const came = last.cosine >= HARDLY ? "same" : last.cosine > scale ? "less" : "other";
        const means = {
            same: `The ${what} hardly needs ${takes}.`,
            less: `Some of what the ${what} holds comes through ${takes}.`,
            other: `Without ${takes} the ${what} is no nearer to itself than that of ${second} is.`,
        };
        const says = new Map(MOVES).get(came);
        return `${came === guessed ? "Right" : "Not so"}: ${says}, cosine ${small(last.cosine)}. ${means[/** @type {"same"} */ (came)]}`;
    }

    /** After every layer, from before the first one on. @param {Run} before @param {Run} after */
    along({ vectors: before }, { vectors: after }) {
        const { depth, dim } = this.board.meta;
        if (!before || !after) return null;
        return Array.from({ length: depth + 1 }, (_, layer) => moved(before, after, layer * dim, dim));
    }

    /** The bars, and for a scale another picture. @param {Run} before @param {Run} after */
    draw(before, after) {
        const last = this.along(before, after)?.[this.board.meta.depth];
        this.names.textContent = `the ${this.what} after the last norm`;
        this.lines[2].name.textContent = `for scale: cosine to ${this.second}`;
        for (const [at, number] of [last?.cosine, last?.length, this.scale].entries()) {
            const { line, now, value } = this.lines[at];
            line.hidden = typeof number !== "number";
            now.style.width = `${100 * Math.max(0, Math.min(1, number ?? 0))}%`;
            value.textContent = small(number ?? 0);
        }
    }

    /** What became of it, in a sentence. @param {Edit[]} edits @param {Run} before @param {Run} after */
    says(edits, before, after) {
        const { meta } = this.board;
        if (!edits.length) return `Unedited. No classes here: what edits move is the ${this.what}.`;
        const last = this.along(before, after)?.[meta.depth];
        if (!last) return `${allInWords(edits, meta)}: …`;
        const { cosine, length } = last;
        return `${allInWords(edits, meta)}: ${this.what} at cosine ${small(cosine)} to the unedited, ${small(length)} of its length away.${idle(edits, meta)}`;
    }

    /** The cosines in words. @param {Run} before @param {Run} after */
    saysAlong(before, after) {
        const cosines = this.along(before, after)?.map(({ cosine }) => small(cosine));
        return cosines
            ? `Cosine of the ${this.what} to the unedited, before layer 1 and after every layer: ${cosines.join(", ")}.`
            : "The run is on its way.";
    }

    /** The cosine after every layer. @param {CanvasRenderingContext2D} context @param {Run} before @param {Run} after
     *  @param {number} width @param {number} height */
    drawAlong(context, before, after, width, height) {
        const along = this.along(before, after);
        if (!along) return;
        write(context, "cosine after every layer", 0, 16, { as: "tick", bold: true, width });
        const low = along.some(({ cosine }) => cosine < 0) ? -1 : 0;
        const down = { low, high: 1, ticks: ticksAt([low, 1], small) };
        const plot = plotOfLayers(context, this.board.meta.depth, down, width, height);
        const points = along.map(({ cosine }, layer) => /** @type {[number, number]} */ ([layer, cosine]));
        plot.line(points, { colour: this.board.data.palette.head, thick: 3 });
    }
}
