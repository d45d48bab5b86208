// One selection in two places, the browser and Python, kept the same by numbered messages.

/** @import { Echo, Selection, Send, Timers } from "../types.js" */

export const SETTLE = 250; // ms without a change before Python is told
// ms until a message without an echo is sent again. A hall that is all in one step waits longer; what is sent again then
// costs it one run per person at most, because Streamlit joins the requests of a session that waits.
export const PATIENCE = 5000;

const NAMES = /** @type {(name: object) => (keyof Selection)[]} */ (Object.keys);

/**
 * What is chosen: changed by the hand at once, told to Python when the hand rests, and remembered there.
 *
 *     agreed --hand--> ahead --rests--> sent n --echo n--> agreed, or ahead where the hand went on
 *                                         '--no echo n--> sent n + 1, with what was in n
 *
 * A message holds what the hand changed since Python last spoke. Every run of Python's script says back, in an echo, its
 * whole selection and the number of the last message that is in it. Where an echo differs from what Python was last
 * known or told to hold, somebody changed it there, and the browser follows; everything else stays as the hand left it.
 * Whether a message has arrived is known from its echo alone.
 */
export class Sync {
    /** @param {Selection} selection @param {Timers} timers */
    constructor(selection, timers = globalThis) {
        this.selection = selection;
        /** Called when there is something new to be seen. */
        this.changed = () => {};
        this.timers = timers;
        /** What Python said last. @type {Partial<Selection>} */
        this.known = {};
        /** What it was told since, by number. @type {Map<number, Partial<Selection>>} */
        this.sent = new Map();
        /** The number of the last message, and of the last one that Python has seen. */
        this.number = 0;
        this.heard = -1;
        /** Which Python: one that was started anew has seen nothing. */
        this.session = "";
        /** The model and picture that the selection is about, and what keeps it inside them. */
        this.digest = "";
        this.fit = (/** @type {Selection} */ _selection) => {};
        /** An echo that came before its model or picture. @type {Echo | null} */
        this.pending = null;
        /** @type {Send | null} */
        this.send = null;
        this.held = false;
        /** @type {unknown} */
        this.resting = undefined;
        /** @type {unknown} */
        this.awaiting = undefined;
    }

    /** Whether Python has said which selection the link asks for. */
    get begun() {
        return this.session !== "";
    }

    /** Whether the selection is ahead of what Python knows. */
    get ahead() {
        return NAMES(this.selection).some((name) => this.selection[name] !== this.known[name]);
    }

    /** The selection is about this model and picture from now on.
     *  @param {string} digest @param {(selection: Selection) => void} fit brings it inside their sizes */
    open(digest, fit) {
        this.digest = digest;
        this.fit = fit;
        fit(this.selection);
        if (this.pending) this.receive(this.pending);
        else if (this.begun && this.ahead) this.settle();
    }

    /** A change by hand. @param {Partial<Selection>} change */
    set(change) {
        Object.assign(this.selection, change);
        this.fit(this.selection);
        this.settle();
        this.changed();
    }

    /** What Python says. @param {Echo} echo */
    receive(echo) {
        this.pending = echo.digest === this.digest ? null : echo;
        if (this.pending) return;
        const { digest: _, seq, session, ...theirs } = echo;
        if (session === this.session && seq < this.heard) return; // overtaken on its way
        if (session !== this.session || seq >= this.number) this.#stopAwaiting();
        const told = { ...this.known, ...this.sent.get(seq) };
        for (const name of NAMES(theirs)) {
            if (theirs[name] !== told[name]) Object.assign(this.selection, { [name]: theirs[name] });
        }
        this.known = theirs;
        this.session = session;
        this.heard = seq;
        this.number = Math.max(this.number, seq);
        for (const number of this.sent.keys()) if (number <= seq) this.sent.delete(number);
        this.fit(this.selection);
        if (this.ahead) this.settle();
        this.changed();
    }

    /** Tell nothing, however long the hand rests, until `release`. */
    hold() {
        this.held = true;
    }

    release() {
        this.held = false;
        this.settle();
    }

    /** (Re)start the wait for the hand to rest. */
    settle() {
        this.timers.clearTimeout(this.resting);
        this.resting = this.timers.setTimeout(() => this.#tell(), SETTLE);
    }

    /** Wait for nothing any more; `open` goes on from here. */
    stop() {
        this.timers.clearTimeout(this.resting);
        this.#stopAwaiting();
    }

    #stopAwaiting() {
        this.timers.clearTimeout(this.awaiting);
        this.awaiting = undefined;
    }

    /** Tell Python, where there is news; one message at a time. */
    #tell() {
        if (!this.begun || !this.ahead || this.held || !this.send || this.awaiting !== undefined) return;
        // Python may have taken over a message that it has not answered yet: what was in it is said again.
        const unsure = Object.assign({}, ...this.sent.values());
        const names = NAMES(this.selection).filter((it) => it in unsure || this.selection[it] !== this.known[it]);
        const changes = Object.fromEntries(names.map((name) => [name, this.selection[name]]));
        this.number += 1;
        this.sent.set(this.number, changes);
        this.awaiting = this.timers.setTimeout(() => {
            this.awaiting = undefined;
            this.#tell();
        }, PATIENCE);
        this.send({ ...changes, digest: this.digest, seq: this.number });
    }
}
