// The moments of a page as dots: the present one is filled, a click leads to another.

/** @import { Board } from "../state/board.js" */
/** @import { Selection, Stage } from "../types.js" */

import { buttonFor } from "../draw/elements.js";

export class Moments {
    /** @param {HTMLElement} root @param {Board} board */
    constructor(root, board) {
        this.root = root;
        this.board = board;
        this.written = "";
    }

    /** @param {Stage} stage @param {Selection} shown */
    draw({ stem, moments }, shown) {
        const written = JSON.stringify([stem, moments]);
        if (written !== this.written) this.write(moments);
        this.written = written;
        this.root.hidden = moments.length < 2;
        const present = Math.min(shown.moment, moments.length - 1);
        for (const [moment, button] of [...this.root.children].entries()) {
            if (moment === present) button.ariaCurrent = "step";
            else button.removeAttribute("aria-current");
        }
    }

    /** @param {string[]} moments */
    write(moments) {
        this.root.replaceChildren(
            ...moments.map((sentence, moment) => {
                const says = `${moment + 1} of ${moments.length}: ${sentence.replace(/[{}]/g, "")}`;
                return buttonFor("", () => this.board.choose({ moment }), { "aria-label": says, title: says });
            }),
        );
    }
}
