// Asking for the numbers that a column lacks; where nobody knows them, Python.

/** @import { Column } from "./column.js" */
/** @import { Parcel } from "../types/board.js" */
/** @import { Board } from "./board.js" */

import { LIST } from "../transport/transport.js";
import { ending, has } from "./edited.js";

const AT_ONCE = 4; // of the six connections that a browser opens
const REPLY_MS = 5000; // ms that a hand waits for numbers before it asks for the next
const NOTHING = {
    names: /** @type {string[]} */ ([]),
    edits: "",
    digest: "",
    words: "",
    told: false,
    at: 0,
};

export class Asking {
    /** @param {Column} column @param {Pick<Board, "transport" | "python">} board */
    constructor(column, board) {
        this.column = column;
        this.board = board;
        /** What was missing when numbers were asked for, of which edits, model and picture, for which words of the address,
         *  whether Python told their names, which may be those of an older address, and when. */
        this.wanted = NOTHING;
        /** What waits for its way. @type {string[]} */
        this.queue = [];
        /** What was wanted first where the hand was. @type {string[]} */
        this.first = [];
        /** What is under way, by its name. @type {Map<string, AbortController>} */
        this.running = new Map();
        /** Whether nobody could say which numbers there are. */
        this.unlisted = false;
        /** The model and picture of which the server knows nothing. */
        this.unknown = "";
    }

    /** What the address says, for the server. */
    get words() {
        const { address, chosen } = this.column;
        return `${address.split("?")[1] ?? ""}&page=${chosen.page}`; // the last one counts
    }

    /** Ask for these numbers, or for all that the address needs. @param {string[]} [names] */
    fetch(names) {
        const { column, words } = this;
        if (!column.data.meta) return this.giveUp();
        const { digest } = column.parcels;
        if (digest !== this.wanted.digest) this.giveUp();
        const missing = column.needs.filter((name) => !has(column, name));
        const { edits } = column.chosen;
        this.wanted = { names: missing, edits, digest, words, told: Boolean(names), at: Date.now() };
        column.refused = "";
        this.unlisted = false;
        if (names) this.want(names);
        else this.hasten(missing.map((name) => name + ending(column)));
        if (!this.busy) this.done();
    }

    /** Ask for these, the most wanted first, and for nothing else. @param {string[]} names */
    want(names) {
        this.give((name) => !names.includes(name));
        this.queue = [...names];
        this.next();
    }

    /** Ask for what the hand needs, whatever is under way, and for the names of all that the address needs. What the hand
     *  needed elsewhere is given up. @param {string[]} names */
    hasten(names) {
        const past = [LIST, ...this.first];
        this.give((name) => past.includes(name) && !names.includes(name));
        this.first = names;
        for (const name of [...names, LIST]) this.ask(name);
    }

    /** Give up what is under way, all of it or some. @param {(name: string) => boolean} which */
    give(which = () => true) {
        this.queue = [];
        for (const [name, control] of this.running)
            if (which(name)) {
                control.abort();
                this.running.delete(name);
            }
    }

    /** Want nothing of what is under way. */
    giveUp() {
        this.give();
        this.wanted = NOTHING;
    }

    /** Whether anything is under way, or waits for its way. */
    get busy() {
        return this.running.size + this.queue.length > 0;
    }

    next() {
        while (this.queue.length && this.running.size < AT_ONCE) this.ask(/** @type {string} */ (this.queue.shift()));
    }

    /** @param {string} name */
    async ask(name) {
        const { column, running } = this;
        if (running.has(name) || column.parcels.get(name)) return;
        const control = new AbortController();
        running.set(name, control);
        const wanted = { ...this.wanted, name, key: column.data.key };
        const answer = await this.board.transport(wanted, control.signal, () => this.gone());
        if (running.get(name) !== control) return;
        running.delete(name);
        if (Array.isArray(answer)) this.want(answer);
        else if (answer) this.receive(name, answer);
        this.next();
        if (!running.size) this.done();
    }

    /** Numbers of a name, or all names, or why there are none: of those that the scene does not need, there may be none.
     *  @param {string} name @param {Parcel | string} answer */
    receive(name, answer) {
        const { column } = this;
        if (typeof answer === "string") {
            const needed = column.needs.map((it) => it + ending(column));
            if (name === LIST) this.unlisted = true;
            if (name === LIST || needed.includes(name)) column.refused = answer;
        } else {
            this.unknown = "";
            column.receive(answer);
        }
        column.invalidate();
        this.hurry();
    }

    /** Whether the numbers that were asked for last are on their way, or will not come. */
    get waits() {
        const { names, edits, words, at } = this.wanted;
        const { refused } = this.column;
        if (words === this.words && (refused || this.busy)) return true;
        return !refused && Date.now() - at < REPLY_MS && names.some((name) => !has(this.column, name, edits));
    }

    /** Ask for what is missing now, unless an answer is under way: so those in between are never asked for. */
    hurry() {
        if (this.column.lacks && !this.waits) this.fetch();
    }

    /** The hand rests: ask for where it is, unless that is on its way. */
    rested() {
        if (this.column.lacks && (this.wanted.words !== this.words || !this.waits)) this.fetch();
    }

    /** Whether a run of the script is to register what is shown, or to say what is missing. */
    get lost() {
        return this.unknown || (this.column.lacks && !this.busy);
    }

    /** The server knows nothing of what is shown: a run of the script registers it, once; then later and later. */
    gone() {
        const { digest } = this.column.parcels;
        if (this.unknown !== digest) this.board.python?.ask();
        this.unknown = digest;
    }

    /** All that the address needs has come. What is missing still only Python can say, and is asked once. */
    done() {
        const { column } = this;
        if (!column.lacks || column.refused || this.unknown) return;
        if (this.wanted.told || this.wanted.words !== this.words) this.fetch();
        else this.board.python?.askOnce();
    }
}
