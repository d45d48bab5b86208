// Asking Python: it reads the address and runs the page's script. Where no answer comes it is asked once more.

/** @import { Board } from "./board.js" */

import { standing } from "../transport/inbox.js";
import { titleOf, unpack } from "../transport/parcels.js";
import { goOn, visit } from "./address.js";
import { ending, has } from "./edited.js";

const RETRY_MS = 15_000; // ms until Python is asked again; a full hall waits some ten seconds for its turn
const REPLY_MS = 5000; // ms that a hand waits for an answer before it asks for the next, or once more
const NOTHING = { names: /** @type {string[]} */ ([]), edits: "", crop: "", to: "", at: Number.NEGATIVE_INFINITY };

export class Asking {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        /** What was missing when Python was asked, of which square, with which address, and when that was. */
        this.wanted = NOTHING;
    }

    /** Let Python read the address. @param {boolean} entry whether it is one of the browser's history */
    ask(entry) {
        const { board } = this;
        const { edits, crop } = board.chosen;
        const names = board.needs.filter((name) => !has(board, name));
        this.wanted = { names, edits, crop, to: board.address, at: Date.now() };
        if (entry) goOn(board.address);
        else visit(board.address, false);
        this.watch();
    }

    /** Read again what is missing, was let go, and stands on the page: of that Streamlit would hand on nothing. */
    recall() {
        const { board } = this;
        const missing = board.needs.filter((name) => !has(board, name)).map((name) => name + ending(board));
        for (const it of standing().values()) {
            const { digest, name } = titleOf(it);
            if (digest === board.parcels.digest && missing.includes(name)) board.keep(unpack(it));
        }
    }

    /** Python has been asked by another way: what was under way before will not come. */
    again() {
        this.wanted = NOTHING;
        this.watch();
    }

    /** Once more, later and later, where a page or numbers do not come: Streamlit drops what it is told while its
     *  connection is away. As long as some come, a question would only interrupt the answer. @param {number} [after] ms */
    watch(after = RETRY_MS) {
        const { board } = this;
        const { digest, count } = board.parcels;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            this.recall();
            if (board.awaited === undefined && !board.missing) return;
            if (board.parcels.digest === digest && board.parcels.count > count) return this.watch(after);
            visit(board.address, false);
            this.watch(2 * after);
        }, after);
    }

    /** Whether the answer to the last question is on its way. */
    get waits() {
        const { names, edits, crop, at } = this.wanted;
        if (Date.now() - at >= REPLY_MS) return false;
        return crop !== this.board.data.meta?.crop || names.some((name) => !has(this.board, name, edits));
    }

    /** The hand drags what the server alone can run: ask for the newest position as soon as the last answer is here, so
     *  that those in between are never asked for. */
    hurry() {
        if (this.board.missing && !this.waits) this.ask(false);
    }

    /** The hand rests: ask for where it is, unless that has been asked for and is on its way, or has come meanwhile. */
    rested() {
        const { board } = this;
        this.recall();
        if (this.wanted.to !== board.address || (board.missing && !this.waits)) this.ask(false);
    }
}
