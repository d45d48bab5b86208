// A guess as a patch of a photo, or two: a click, a tap, or arrows and Enter; then what is right, as light and a frame.

/** @import { Meta } from "../../types/board.js" */
/** @import { Truth, Vote } from "../../types/lecture.js" */

import { element } from "../../draw/elements.js";
import { ARROWS, taps, way } from "../../draw/touch.js";
import { sharesOf } from "../../questions/sums.js";
import { patchName } from "../../questions/words.js";

const DARKEST = 0.8; // of the patch that has the least

export class OnPhoto {
    /** @param {HTMLElement} photo @param {Meta} meta @param {1 | 2} many @param {(vote: Vote) => void} vote */
    constructor(photo, meta, many, vote) {
        const which = many === 1 ? "the patch" : "two patches";
        this.hint = taps() ? `Tap ${which} on the photo.` : `Click ${which} on the photo; or arrows, then Enter.`;
        this.photo = photo;
        this.meta = meta;
        this.many = many;
        this.vote = vote;
        this.open = true;
        /** The first of two, until the second comes. @type {number | null} */
        this.first = null;
        this.cursor = meta.columns * ((meta.rows - 1) >> 1) + ((meta.columns - 1) >> 1);
        this.root = element("p", { class: "at", "aria-live": "polite" });
        this.grid = element("div", { class: "grid", tabindex: "0", role: "application", "aria-label": this.hint });
        this.grid.style.setProperty("--cells", `${100 / meta.columns}% ${100 / meta.rows}%`);
        this.grid.addEventListener("pointermove", (event) => this.point(this.patchAt(event)));
        this.grid.addEventListener("click", (event) => this.pick(this.patchAt(event)));
        this.grid.addEventListener("keydown", (event) => this.press(event));
        photo.append(this.grid);
    }

    /** @param {MouseEvent} event */
    patchAt({ clientX, clientY }) {
        const { rows, columns } = this.meta;
        const { left, top, width, height } = this.grid.getBoundingClientRect();
        const at = (/** @type {number} */ share, /** @type {number} */ most) =>
            Math.max(0, Math.min(most - 1, Math.floor(share * most)));
        return at((clientY - top) / height, rows) * columns + at((clientX - left) / width, columns);
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        if (!this.open) return;
        if (event.key === "Enter") this.pick(this.cursor);
        else if (ARROWS.includes(event.key)) {
            const { rows, columns } = this.meta;
            const [right, down] = way(event.key);
            const row = Math.max(0, Math.min(rows - 1, Math.floor(this.cursor / columns) + down));
            this.point(row * columns + Math.max(0, Math.min(columns - 1, (this.cursor % columns) + right)));
        } else return;
        event.preventDefault();
    }

    /** @param {number} patch */
    point(patch) {
        if (!this.open) return;
        this.cursor = patch;
        this.frames();
    }

    /** @param {number} patch */
    pick(patch) {
        if (!this.open) return;
        this.cursor = patch;
        if (this.many === 1) return this.vote(patch);
        if (this.first !== null && this.first !== patch) return this.vote([this.first, patch]);
        this.first = this.first === patch ? null : patch;
        this.frames();
    }

    frames() {
        const first = this.first === null ? "" : `First: ${patchName(this.meta, this.first)}. `;
        this.root.textContent = first + patchName(this.meta, this.cursor);
        this.grid.replaceChildren(
            this.frame(this.cursor, "cursor"),
            ...(this.first === null ? [] : [this.frame(this.first, "mine")]),
        );
    }

    /** @param {number} patch @param {string} kind */
    frame(patch, kind) {
        const { rows, columns } = this.meta;
        const made = element("i", { class: kind });
        made.style.left = `${(100 * (patch % columns)) / columns}%`;
        made.style.top = `${(100 * Math.floor(patch / columns)) / rows}%`;
        made.style.width = `${100 / columns}%`;
        made.style.height = `${100 / rows}%`;
        return made;
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        this.open = open;
        if (open) return;
        this.grid.removeAttribute("tabindex");
        this.grid.removeAttribute("role");
        this.grid.removeAttribute("aria-label");
        const mine = vote === null ? [] : [vote].flat();
        this.grid.replaceChildren(...mine.map((patch) => this.frame(patch, "mine")));
    }

    /** @param {Truth} truth */
    reveal(truth) {
        if (truth.map) this.light(sharesOf(truth), Number(truth.most));
        const right = truth.pair ?? [Number(truth.patch)];
        this.grid.append(...right.map((patch) => this.frame(patch, "true")));
        const says = truth.map ? "Light: what each patch has. " : "";
        this.root.textContent = `${says}Dashed: what is right. Orange: your guess.`;
    }

    /** What each patch has, as light on the dimmed photo. @param {Float64Array} shares @param {number} most */
    light(shares, most) {
        const { rows, columns } = this.meta;
        const canvas = element("canvas", { width: String(columns), height: String(rows) });
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        for (const [patch, share] of shares.entries()) {
            context.fillStyle = `rgba(0, 0, 0, ${DARKEST * (1 - share / most)})`;
            context.fillRect(patch % columns, Math.floor(patch / columns), 1, 1);
        }
        this.photo.insertBefore(canvas, this.grid);
    }
}
