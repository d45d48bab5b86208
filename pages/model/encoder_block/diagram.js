// The block as a diagram: pointing at a box shows what happens in it, a click stays there.

/** @import { Board } from "#board/state/board.js" */
/** @import { Selection } from "#board/types.js" */

import { element } from "#board/draw/elements.js";
import { choosable } from "#board/draw/touch.js";

/** @typedef {{ boxes?: [string, string, string][], plus?: boolean }} Row */

/** Rows of the diagram as they stand beside the five vectors of a token: boxes with their moment. @type {Row[]} */
const ROWS = [
    { boxes: [["stream", "stream", "residual-stream"]] },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["attention", "similarity", "attention"],
        ],
    },
    { plus: true },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["MLP", "activation", "MLP"],
        ],
    },
    { plus: true },
];

/** The same where norms stand after the sums. @type {Row[]} */
const POST_ROWS = [
    { boxes: [["stream", "stream", "residual-stream"]] },
    { boxes: [["attention", "similarity", "attention"]] },
    { plus: true },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["MLP", "activation", "MLP"],
        ],
    },
    { plus: true },
    { boxes: [["norm", "norm", "residual-stream"]] },
];

export class Diagram {
    /** @param {Board} board */
    constructor(board) {
        /** @type {{ button: HTMLElement, moment: string }[]} */
        this.buttons = [];
        const rows = (board.data.facts.post ? POST_ROWS : ROWS).map(({ boxes = [], plus }) => {
            const made = boxes.map(([name, moment, role]) => {
                const button = element("button", { type: "button" }, name);
                button.style.setProperty("--role", `var(--${role})`);
                choosable(board, button, () => ({ moment }));
                this.buttons.push({ button, moment });
                return button;
            });
            return element("div", { class: plus ? "plus" : boxes.length > 1 ? "branch" : "" }, ...made);
        });
        this.root = element("div", { class: "diagram", role: "group", "aria-label": "The encoder block" }, ...rows);
    }

    /** @param {Selection} chosen */
    draw({ moment }) {
        for (const each of this.buttons) each.button.ariaPressed = String(each.moment === moment);
    }
}
