// Asking: the server for numbers that the board lacks, and Python, which reads the address and runs the page's script, for
// all else. Where no answer comes it is asked once more.

/** @import { Board } from "./board.js" */
/** @import { Parcel } from "../types/board.js" */

import { Transport } from "../transport/transport.js";
import { goOn, home, visit } from "./address.js";
import { ending, has } from "./edited.js";

const RETRY_MS = 15_000; // ms until Python is asked again; a full hall waits some ten seconds for its turn
const REPLY_MS = 5000; // ms that a hand waits for numbers before it asks for the next
const NOTHING = {
    names: /** @type {string[]} */ ([]),
    edits: "",
    words: "",
    told: false,
    at: 0,
};

export class Asking {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        this.transport = new Transport(this, home);
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        /** The address that Python was asked to read last. */
        this.to = "";
        /** What was missing when numbers were asked for, of which edits, for which words of the address, whether Python
         *  told their names, which may be those of an older address, and when. */
        this.wanted = NOTHING;
        /** The model and picture of which the server knows nothing. */
        this.unknown = "";
    }

    /** Let Python read the address. @param {boolean} entry whether it is one of the browser's history */
    ask(entry) {
        this.to = this.board.address;
        if (entry) goOn(this.to);
        else visit(this.to, false);
        this.watch();
    }

    /** Python is asked, by another way too; once more, later and later, where a page, a square or what it registers does
     *  not come: Streamlit drops what it is told while its connection is away. @param {number} [after] ms */
    watch(after = RETRY_MS) {
        const { board } = this;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            const lost = this.unknown || (board.lacks && !this.transport.busy);
            if (board.awaited === undefined && !board.recropped && !lost) return;
            visit(board.address, false);
            this.watch(2 * after);
        }, after);
    }

    /** What the address says, for the server. */
    get words() {
        const { address, chosen } = this.board;
        return `${address.split("?")[1] ?? ""}&page=${chosen.page}`; // the last one counts
    }

    /** Ask the server for these numbers, or for all that the address needs. @param {string[]} [names] */
    fetch(names) {
        const { board } = this;
        if (board.alone || !board.data.meta) return this.giveUp();
        const { words } = this;
        const missing = board.needs.filter((name) => !has(board, name));
        this.wanted = { names: missing, edits: board.chosen.edits, words, told: Boolean(names), at: Date.now() };
        board.refused = "";
        const first = missing.map((name) => name + ending(board));
        this.transport.want(board.parcels.digest, words, names, first);
        if (!this.transport.busy) this.done();
    }

    /** Want nothing of what is under way. */
    giveUp() {
        this.transport.give();
        this.wanted = NOTHING;
    }

    /** Whether the numbers that were asked for last are on their way, or will not come. */
    get waits() {
        const { names, edits, words, at } = this.wanted;
        const { refused } = this.board;
        if (words === this.words && (refused || this.transport.busy)) return true;
        return !refused && Date.now() - at < REPLY_MS && names.some((name) => !has(this.board, name, edits));
    }

    /** Ask for what is missing now, unless an answer is under way: so those in between are never asked for. */
    hurry() {
        if (this.board.lacks && !this.waits) this.fetch();
    }

    /** The hand rests: ask for where it is, unless that is on its way. */
    rested() {
        if (this.board.lacks && (this.wanted.words !== this.words || !this.waits)) this.fetch();
    }

    get key() {
        return this.board.data.key;
    }

    /** @param {string} name */
    holds(name) {
        return Boolean(this.board.parcels.get(name));
    }

    /** @param {Parcel} parcel */
    receive(parcel) {
        this.unknown = "";
        this.board.receive(parcel);
        this.board.invalidate();
        this.hurry();
    }

    /** @param {string} sentence */
    refuse(sentence) {
        this.board.refused = sentence;
        this.board.invalidate();
    }

    /** The server knows nothing of what is shown: a run of the script registers it, once; then later and later. */
    gone() {
        const { board } = this;
        if (this.unknown !== board.parcels.digest) board.ask(false);
        this.unknown = board.parcels.digest;
    }

    /** All that the address needs has come. What is missing still only Python can say, and is asked once. */
    done() {
        const { board } = this;
        if (!board.lacks || board.refused || this.unknown) return;
        if (this.wanted.told || this.wanted.words !== this.words) return this.fetch();
        if (this.to === board.address) return;
        this.to = board.address;
        board.ask(false);
    }
}
