// What goes in steps, as sliders under the photo: layer, head; and what Space plays.

/** @import { Board } from "../state/board.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Selection } from "../types/board.js" */
/** @import { Photo } from "./photo.js" */

import { buttonFor, element, Slider } from "../draw/elements.js";
import { titleOf } from "../state/actions.js";
import { ACTIONS } from "./actions.js";

/** What a scene lets go in steps: its name and place in words, its place counted from 0, how many there are, and what a
 *  place means.
 *  @typedef {{ says: string, text: string, at: number, many: number, to(at: number): Partial<Selection> }} Step */

/** @param {Column} column @param {Selection} shown @returns {Step} */
export const layers = ({ meta }, { layer }) => ({
    says: "layer",
    text: `${layer + 1} of ${meta.depth}`,
    at: layer,
    many: meta.depth,
    to: (at) => ({ layer: at }),
});

/** @param {Column} column @param {Selection} shown @returns {Step} */
export const headsOf = ({ meta }, { head }) => ({
    says: "head",
    text: `${head + 1} of ${meta.heads}`,
    at: head,
    many: meta.heads,
    to: (at) => ({ head: at }),
});

export class Steps {
    /** @param {HTMLElement} root @param {Board} board @param {Photo} photo */
    constructor(root, board, photo) {
        this.root = root;
        this.board = board;
        this.photo = photo;
        this.written = "nothing";
        /** @type {Slider[]} */
        this.sliders = [];
        this.playing = buttonFor("", () => board.play(), { class: "play" });
        this.holding = element("button", { type: "button", class: "hold" }, "hold: photo");
        this.holding.title = titleOf(ACTIONS.photo);
        this.holding.addEventListener("pointerdown", () => photo.hold(true));
        this.holding.addEventListener("keydown", ({ key }) => [" ", "Enter"].includes(key) && photo.hold(true));
        for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"])
            this.holding.addEventListener(end, () => photo.hold(false));
        root.parentElement?.prepend(this.holding);
        this.holding.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    /** What goes in steps now. */
    get all() {
        return this.photo.steps.filter(({ many }) => many > 1);
    }

    draw() {
        const { all, board } = this;
        const written = `${Boolean(board.first.scene?.play)} ${all.map(({ says }) => says).join()}`;
        if (written !== this.written) this.write(all);
        this.written = written;
        for (const [which, { at, many, text }] of all.entries()) this.sliders[which].show(at, many, text);
        const playing = Boolean(board.playing);
        this.playing.textContent = playing ? "❚❚" : "▶";
        this.playing.ariaLabel = playing ? "stop" : "play";
        const lit = this.photo.light || this.photo.over;
        this.holding.hidden = !lit && !all.length;
        this.holding.style.visibility = lit ? "" : "hidden"; // beside sliders it has its room before the light has come
    }

    /** @param {Step[]} steps */
    write(steps) {
        const { board } = this;
        this.sliders = steps.map(({ says }, which) => {
            const value = (/** @type {number} */ at) => this.all[which].to(at);
            return new Slider(says, {
                slide: (at) => {
                    if (board.playing) board.stop();
                    board.store.set(value(at), "slide");
                },
                rest: (at) => board.store.choose(value(at)),
            });
        });
        const rows = this.sliders.map(({ says, input, place }) =>
            element("span", { class: "slide" }, says, input, place),
        );
        this.root.parentElement?.classList.toggle("slid", rows.length > 0); // WebKit does not see by :has that they came
        this.root.replaceChildren(...rows, ...(board.first.scene?.play ? [this.playing] : []));
    }
}
