// A guess before the maps are seen: which of a few patches is the chosen one most like, after the first layer and after the
// last?

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { buttonFor, element, fillWithRoles, saying } from "#frontend/draw/elements.js";
import { writeClear } from "#frontend/draw/lines.js";
import { frame } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";

const LETTERS = "ABCD";
const FRAME = "#fff";
const LETTER = 20; // pixels
const ABOVE = 7; // between a letter and its frame

export class Guess {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        /** By layers of the question the letter that somebody has guessed. @type {(number | undefined)[]} */
        this.made = [];
        /** Of which patch, of which model and picture. */
        this.of = "";
        this.asks = element("p");
        this.rows = this.layers.map((layer, row) => {
            const says = `after layer ${layer + 1}`;
            const buttons = Array.from(LETTERS, (letter, at) => buttonFor(letter, () => this.guess(row, at)));
            return { buttons, root: element("span", { role: "group", "aria-label": says }, says, ...buttons) };
        });
        this.show = buttonFor("Show", () => column.choose({ covered: "no" }));
        this.question = element("div", {}, this.asks, ...this.rows.map(({ root }) => root), this.show);
        this.says = element("p", { role: "status" });
        this.root = element("div", { class: "guess" }, this.question, this.says);
        this.root.hidden = true; // until it is drawn, when it knows whether it is to be seen
        fillWithRoles(
            this.asks,
            "Guess first: which of these patches is the {chosen} one most like?",
            column.data.palette,
        );
    }

    /** The first layer and the last, from 0. */
    get layers() {
        return [...new Set([0, this.column.meta.depth - 1])];
    }

    /** @param {Selection} shown */
    numbers(shown) {
        const name = `guess-${this.column.patchOf(shown)}`;
        const [patches, cosines] = ["patches", "cosines"].map((it) => this.column.array(name, it)?.data);
        return patches && cosines ? { patches, cosines } : null;
    }

    /** Take a guess; those of another patch are over. @param {number} row @param {number} at */
    guess(row, at) {
        this.made[row] = at;
        this.column.invalidate();
    }

    /** The patches that can be guessed, to be picked. @param {Photo} photo @param {Selection} shown */
    light(photo, shown) {
        const { meta, data } = this.column;
        photo.frames = [{ token: meta.prefix.length + this.column.patchOf(shown), colour: data.palette.chosen }];
        const patches = this.mark(photo, shown);
        photo.picks = (picked, phase) => {
            const at = patches.indexOf(picked - meta.prefix.length);
            const row = this.rows.findIndex((_, it) => this.made[it] === undefined);
            if (phase === "pick" && at >= 0 && row >= 0) this.guess(row, at);
        };
    }

    /** Frames and letters of the patches that can be guessed. @param {Photo} photo @param {Selection} shown */
    mark(photo, shown) {
        const { meta } = this.column;
        const patches = Array.from(this.numbers(shown)?.patches ?? []);
        for (const patch of patches) photo.frames.push({ token: meta.prefix.length + patch, colour: FRAME, width: 3 });
        photo.marks = (context, width) => {
            const [rows, columns] = meta.image_sides;
            const [wide, tall] = [width / meta.columns, (width * rows) / columns / meta.rows];
            for (const [at, patch] of patches.entries()) {
                const [column, row] = [patch % meta.columns, Math.floor(patch / meta.columns)];
                const y = row ? row * tall - ABOVE : tall + LETTER + ABOVE; // above its frame, below it in the first row
                const how = /** @type {const} */ ({ as: LETTER, bold: true, align: "center", colour: FRAME });
                writeClear(context, LETTERS[at], (column + 0.5) * wide, y, how, "#000");
            }
        };
        return patches;
    }

    /** @param {Selection} shown @param {boolean} covered */
    draw(shown, covered) {
        const { column, made } = this;
        const of = `${column.parcels.digest} ${column.patchOf(shown)}`;
        if (covered && of !== this.of) [this.made, this.of] = [[], of];
        const numbers = this.numbers(shown);
        this.question.hidden = !covered;
        for (const [row, { buttons }] of this.rows.entries())
            for (const [at, button] of buttons.entries()) {
                button.hidden = at >= (numbers?.patches.length ?? 0);
                button.ariaPressed = String(made[row] === at);
            }
        saying(this.says, !covered && numbers && of === this.of ? this.outcome(numbers) : "");
        this.root.hidden = !covered && !this.says.textContent;
    }

    /** In place of the maps. @param {CanvasRenderingContext2D} context @param {number} width @param {number} height */
    cover(context, width, height) {
        frame(context, 0.5, 0.5, width - 1, height - 1);
        write(context, "The maps lie behind this.", width / 2, height / 2, { align: "center", width });
    }

    /** What was guessed, and what is so. @param {{ patches: ArrayLike<number>, cosines: ArrayLike<number> }} numbers */
    outcome({ patches, cosines }) {
        const many = patches.length;
        const said = this.layers.map((layer, row) => {
            const guessed = this.made[row];
            if (guessed === undefined) return "";
            const its = Array.from({ length: many }, (_, at) => cosines[row * many + at]);
            const best = its.indexOf(Math.max(...its));
            const named = (/** @type {number} */ at) => `${LETTERS[at]}, patch ${patches[at] + 1} (${small(its[at])})`;
            const other = best === guessed ? "as you said" : `you said ${named(guessed)}`;
            return `After layer ${layer + 1} it is ${named(best)}, ${other}.`;
        });
        return said.filter(Boolean).join(" ");
    }
}
