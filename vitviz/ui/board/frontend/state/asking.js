// Asking Python: it reads the address and runs the page's script. Where no answer comes it is asked once more.

/** @import { Board } from "./board.js" */

import { visit } from "./address.js";
import { has } from "./edited.js";

const AGAIN = 15_000; // ms until Python is asked again; a full hall waits some ten seconds for its turn
const PATIENCE = 5000; // ms that a hand which drags waits for an answer before it asks for the next

export class Asking {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        /** What was missing when Python was asked, and when that was. */
        this.wanted = { names: /** @type {string[]} */ ([]), edits: "", at: Number.NEGATIVE_INFINITY };
    }

    /** Let Python read the address. @param {boolean} entry whether it is one of the browser's history */
    ask(entry) {
        const { board } = this;
        const { edits } = board.chosen;
        this.wanted = { names: board.wanted.filter((name) => !has(board, name)), edits, at: Date.now() };
        visit(board.address, entry);
        this.again();
    }

    /** Once more, later and later, where a page or numbers do not come: Streamlit drops what it is told while its
     *  connection is away. As long as some come, a question would only interrupt the answer. @param {number} [after] ms */
    again(after = AGAIN) {
        const { board } = this;
        const { digest, count } = board.parcels;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            if (board.awaited === undefined && !board.missing) return;
            if (board.parcels.digest === digest && board.parcels.count > count) return this.again(after);
            visit(board.address, false);
            this.again(2 * after);
        }, after);
    }

    /** The hand drags what the server alone can run: ask for the newest position as soon as the last answer is here, so
     *  that those in between are never asked for. */
    hurry() {
        const { names, edits, at } = this.wanted;
        const waits = names.some((name) => !has(this.board, name, edits)) && Date.now() - at < PATIENCE;
        if (this.board.missing && !waits) this.ask(false);
    }
}
