// What goes in steps, as buttons under the photo: layer, head, and what Space plays.

/** @import { Board } from "../state/board.js" */
/** @import { Selection } from "../types.js" */
/** @import { Photo } from "./photo.js" */

import { element } from "../draw/elements.js";

/** What a scene lets go in steps: its name and place in words, its place counted from 0, how many there are, and what a
 *  place means.
 *  @typedef {{ says: string, text: string, at: number, many: number, to(at: number): Partial<Selection> }} Step */

/** @param {Board} board @param {Selection} shown @returns {Step} */
export const layers = ({ meta }, { layer }) => ({
    says: "layer",
    text: `${layer + 1} of ${meta.depth}`,
    at: layer,
    many: meta.depth,
    to: (at) => ({ layer: at }),
});

/** @param {Board} board @param {Selection} shown @returns {Step} */
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
        /** @type {HTMLElement[]} */
        this.places = [];
        this.playing = element("button", { type: "button", class: "play" });
        this.playing.addEventListener("click", () => board.play());
        this.holding = element("button", { type: "button", class: "hold" }, "hold: photo");
        this.holding.title = "The photo without light, as long as you hold it (P)";
        this.holding.addEventListener("pointerdown", () => board.hold(true));
        this.holding.addEventListener("keydown", ({ key }) => [" ", "Enter"].includes(key) && board.hold(true));
        for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"])
            this.holding.addEventListener(end, () => board.hold(false));
        root.parentElement?.prepend(this.holding);
        this.holding.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    draw() {
        const steps = this.photo.steps.filter(({ many }) => many > 1);
        const written = `${Boolean(this.board.scene?.play)} ${steps.map(({ says }) => says).join()}`;
        if (written !== this.written) this.write(steps);
        this.written = written;
        for (const [which, { text }] of steps.entries()) this.places[which].textContent = text;
        const playing = Boolean(this.board.timers.play);
        this.playing.textContent = playing ? "❚❚" : "▶";
        this.playing.setAttribute("aria-label", playing ? "stop" : "play");
        this.holding.hidden = !this.photo.light && !this.photo.over;
        this.root.hidden = !this.root.childElementCount;
    }

    /** @param {Step[]} steps */
    write(steps) {
        this.places = steps.map(() => element("b", {}));
        const groups = steps.map(({ says }, which) => {
            const button = (/** @type {1 | -1} */ by, /** @type {string} */ text) => {
                const made = element(
                    "button",
                    { type: "button", "aria-label": `${says} ${by > 0 ? "on" : "back"}` },
                    text,
                );
                made.addEventListener("click", () => {
                    const { at, many, to } = this.photo.steps.filter((it) => it.many > 1)[which];
                    this.board.choose(to((at + by + many) % many));
                });
                return made;
            };
            const label = { role: "group", "aria-label": says };
            return element("span", label, `${says} `, button(-1, "‹"), this.places[which], button(1, "›"));
        });
        this.root.replaceChildren(...groups, ...(this.board.scene?.play ? [this.playing] : []));
    }
}
