// A guess as one patch of the photo, or two: a click, a tap, or arrows and Enter.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Action } from "../types/board.js" */
/** @import { Vote } from "../types/lecture.js" */

import { element, saying } from "../draw/elements.js";
import { ARROWS, taps, way } from "../draw/touch.js";
import { patchName } from "./words.js";

export class Patches {
    /** @param {Column} column @param {Photo} photo @param {1 | 2} many @param {(vote: Vote) => void} vote */
    constructor(column, photo, many, vote) {
        this.column = column;
        this.photo = photo;
        this.many = many;
        this.vote = vote;
        const [which, keys] =
            many === 1 ? ["the patch", "arrows, then Enter"] : ["two patches", "arrows and Enter, twice"];
        this.hint = taps() ? `Tap ${which} on the photo.` : `Click ${which} on the photo; or ${keys}.`;
        /** Where arrows have gone, or the pointer is. @type {number | null} */
        this.cursor = null;
        /** The first of two, until the second comes. @type {number | null} */
        this.first = null;
        this.at = element("p", { class: "at", "aria-live": "polite" });
        this.root = element("div", { class: "patches" }, this.at);
        /** @type {Record<string, Action>} */
        this.actions = {
            cursor: { keys: ARROWS, label: "to a patch", perform: ({ key }) => this.move(...way(key)) },
            guess: { keys: ["Enter"], label: "guess this patch", perform: () => this.pick(this.cursor ?? this.start) },
            letGo: { keys: ["Escape"], label: "let go", perform: () => this.letGo() },
        };
    }

    /** Where arrows start: at the patch that is chosen, or in the middle. */
    get start() {
        return this.column.patchOf(this.column.chosen);
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        const { rows, columns } = this.column.meta;
        const from = this.cursor ?? this.start;
        const across = Math.max(0, Math.min(columns - 1, (from % columns) + x));
        const down = Math.max(0, Math.min(rows - 1, Math.floor(from / columns) + y));
        this.cursor = down * columns + across;
        this.column.invalidate();
    }

    /** @param {number} patch */
    pick(patch) {
        this.cursor = patch;
        if (this.many === 1) this.vote(patch);
        else if (this.first === null) this.first = patch;
        else if (this.first === patch) this.first = null;
        else {
            this.vote([this.first, patch]);
            this.first = null;
        }
        this.column.invalidate();
    }

    letGo() {
        this.first = this.cursor = null;
        this.column.invalidate();
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        const { photo, column } = this;
        const { prefix } = column.meta;
        const frame = (/** @type {number} */ patch, /** @type {string} */ colour, width = 4) =>
            photo.frames.push({ token: prefix.length + patch, colour, width });
        if (!open) this.first = this.cursor = null;
        if (this.cursor !== null) frame(this.cursor, "#fff", 2);
        const { chosen } = column.data.palette;
        const guess = this.first !== null ? [this.first] : vote === null ? [] : [vote].flat();
        for (const patch of guess) frame(patch, chosen);
        saying(this.at, this.words());
        if (!open) return;
        photo.picks = (token, phase) => {
            const patch = token - prefix.length;
            if (phase === "pick") return this.pick(patch);
            if (patch === this.cursor) return;
            this.cursor = patch;
            column.invalidate();
        };
    }

    words() {
        const { meta } = this.column;
        const first = this.first === null ? "" : `First: ${patchName(meta, this.first)}. `;
        return first + (this.cursor === null ? "" : patchName(meta, this.cursor));
    }
}
