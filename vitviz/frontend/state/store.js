// What is chosen, and over it what the pointer is on: one value for all columns, its address, and its place in the
// browser's history. It tells who listens; of the first column it reads which pages there are, and what its address is.

/** @import { Selection } from "../types/board.js" */
/** @import { Column } from "./column.js" */

import { here } from "../transport/words.js";
import { momentAsked, momentSaid, pageOf, read, replace } from "./address.js";
import { startOf } from "./start.js";

const REST_MS = 150; // ms until the address follows the hand

/** What has happened: something was pointed at, dragged over, chosen, or written to the address; another page was chosen; the
 *  browser went back or forward; or, without a word, something else than the choice is another.
 *  @typedef {"look" | "slide" | "choose" | "rest" | "go" | "return" | undefined} What
 *  @typedef {(what: What, before: Selection) => void} Listener `before`: what was chosen until then */

export class Store {
    /** @param {Column} first the column whose model and pages the address is of */
    constructor(first) {
        this.first = first;
        /** @type {Selection} */
        this.chosen = startOf(null);
        /** What the pointer is on, in place of what is chosen. @type {Partial<Selection>} */
        this.preview = {};
        /** Whether nothing is previewed: a lecturer points at what all see. */
        this.steady = false;
        /** How the address follows. @type {(to: string) => void} */
        this.write = replace;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        /** @type {Set<Listener>} */
        this.listeners = new Set();
    }

    /** What is on the board: the choice, and over it the preview. @returns {Selection} */
    get shown() {
        return /** @type {Selection} */ ({ ...this.chosen, ...this.preview });
    }

    /** Be told from now on. @param {Listener} listener */
    subscribe(listener) {
        this.listeners.add(listener);
    }

    /** @param {What} [what] @param {Selection} [before] */
    tell(what, before = this.chosen) {
        for (const listener of this.listeners) listener(what, before);
    }

    /** A hand, which says `what` it does, points at nothing else; as long as it drags, to "slide", the address waits.
     *  @param {Partial<Selection>} fields @param {What} [what] */
    set(fields, what) {
        if (what) {
            clearTimeout(this.timer);
            this.preview = {};
        }
        const before = this.chosen;
        this.chosen = /** @type {Selection} */ ({ ...before, ...fields });
        this.tell(what, before);
    }

    /** Choose: it stays, and the address follows when the hand rests. @param {Partial<Selection>} fields */
    choose(fields) {
        this.set(fields, "choose");
        this.timer = setTimeout(() => this.settle(), REST_MS);
    }

    /** Show something as long as the pointer is on it; `{}` gives back what is chosen. @param {Partial<Selection>} fields */
    look(fields) {
        this.preview = this.steady ? {} : fields;
        this.tell("look");
    }

    /** The address follows. */
    settle() {
        this.write(this.first.address);
        this.tell("rest");
    }

    /** Go to another page, where there is one. @param {string} page its stem @param {string} [moment] */
    go(page, moment = momentSaid(this.first.stageOf(page))) {
        if (!this.first.stems.includes(page)) return;
        if (page === this.chosen.page) this.choose({ moment });
        else this.set({ page, moment, open: "" }, "go");
    }

    /** The browser went back or forward, or opened an address: all of the selection is what it says. */
    returned() {
        if (here() === this.first.address) return; // the board itself went there
        const { meta, start, stems } = this.first;
        const page = pageOf(stems);
        const next = meta && { ...start, ...read(meta) };
        this.set({ ...next, page, moment: momentAsked(this.first.stageOf(page)) }, "return");
    }
}
