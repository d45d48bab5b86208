// Questions to take home, each a link to where it can be tried.

/** @import { Board } from "#board/state/board.js" */

import { element } from "#board/draw/elements.js";
import { home } from "#board/state/address.js";

/** A question, the page where it can be tried, and the moment, where it is not the first. */
const QUESTIONS = /** @type {[string, string, string?][]} */ ([
    ["Halve the patch size: what becomes four times as much, and what sixteen times?", "patch_grid", "sizes"],
    ["Which two patches may change places without changing the answer, and why?", "position_embedding", "swap"],
    ["Why is a score divided by √dₕ, and not by dₕ?", "query_key_value", "softmax"],
    ["Which layer decides the answer, and what has it looked at?", "depth"],
    ["Where are most of the parameters, and is most of the arithmetic there too?", "parameters"],
]);

export class Questions {
    /** @param {Board} board */
    constructor(board) {
        const lines = QUESTIONS.map(([says, stem, moment]) => {
            const href = `${home()}${stem}${moment ? `?moment=${moment}` : ""}`;
            const link = element("a", { href }, says);
            link.addEventListener("click", (event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                board.go(stem, moment);
            });
            return element("li", {}, link);
        });
        this.root = element(
            "div",
            { class: "questions" },
            element("h2", {}, "To take home"),
            element("ol", {}, ...lines),
        );
    }
}
