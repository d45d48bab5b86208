// The switches beside a scene: a button that opens them, and says where they have no room. They are fetched when they are
// opened, or when edits are to be said.

/** @import { Board } from "../state/board.js" */
/** @import { Makers, Selection } from "../types/board.js" */

import { element } from "../draw/elements.js";
import { buttonOf, scriptOf } from "./actions.js";

export class Switching {
    /** @param {HTMLElement} root where they stand @param {HTMLElement} line where edits are said while they are closed
     *  @param {Board} board @param {Makers} makers */
    constructor(root, line, board, makers) {
        this.root = root;
        this.line = line;
        this.board = board;
        this.makers = makers;
        this.fetching = "";
        this.words = element("span");
        this.button = buttonOf(board, "switches", this.words);
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { board, button } = this;
        const script = scriptOf(board);
        const open = Boolean(script) && shown.switches === "open";
        button.hidden = !board.first.data.facts.folded;
        button.disabled = !script;
        this.words.textContent = script ? "switches" : "switches: close B first";
        button.ariaPressed = String(open);
        button.ariaExpanded = String(open);
        if (script && (open || shown.edits) && this.fetching !== script) this.fetch(script);
        board.first.folded?.draw(shown);
    }

    /** @param {string} script */
    async fetch(script) {
        this.fetching = script;
        try {
            const folded = await this.makers.folded(script);
            const { first, store } = this.board;
            first.folded = folded(first, this.root, this.line);
            store.settle(); // it may need numbers that nobody has asked for
        } catch (error) {
            console.info(error);
            this.root.hidden = false;
            this.root.textContent = "The switches could not be fetched; load the page again.";
        }
        this.board.invalidate();
    }
}
