// A measured answer beside an experiment: how many test scenes the edited model answers rightly, on request.

/** @import { Board } from "#board/state/board.js" */

import { buttonFor, element } from "#board/draw/elements.js";

const SCENES = 500;

export class Accuracy {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        this.button = buttonFor(`Accuracy on ${SCENES} test scenes`, () => board.choose({ measured: "yes" }));
        this.words = element("span", { role: "status" });
        this.root = element("span", { class: "measured" }, this.button, this.words);
    }

    /** @param {string} edits */
    draw(edits) {
        const { board } = this;
        const asked = board.chosen.measured === "yes";
        this.root.hidden = !board.data.facts.scenes;
        this.button.hidden = asked;
        this.words.textContent = asked ? this.told(edits) : "";
    }

    /** @param {string} edits */
    told(edits) {
        const [now, before] = [edits, ""].map((text) => this.board.array(`accuracy ${text}`, "hits")?.data);
        if (!now || !before) return `answering ${SCENES} scenes …`;
        const share = (/** @type {ArrayLike<number>} */ hits, /** @type {number} */ at) =>
            (hits[at] / hits[at + 1]).toFixed(3);
        const words = (/** @type {number} */ at) =>
            edits ? `${share(before, at)} → ${share(now, at)}` : share(before, at);
        return `${SCENES} scenes right: things ${words(0)}, relations ${words(2)}`;
    }

    /** What Python has to be asked for. @param {string} edits */
    needs(edits) {
        const asked = this.board.chosen.measured === "yes" && this.board.data.facts.scenes;
        return asked ? [`accuracy ${edits}`, "accuracy "] : [];
    }
}
