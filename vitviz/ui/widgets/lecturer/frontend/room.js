// The room that this browser leads: opened with a secret, gone back to when the window or the server was away.

/** @import { State, Sums } from "../../../board/frontend/lecture/types.js" */
/** @import { Led } from "./types.js" */

import { random } from "../../../board/frontend/lecture/kept.js";
import { addressOf, Line } from "../../../board/frontend/lecture/socket.js";

const KEPT = "vitviz_lecture";
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const NOBODY = /** @type {Led} */ ({ code: "", secret: "", owner: "", began: 0 });

/** Four letters that make no word. */
export const newCode = () => [...crypto.getRandomValues(new Uint8Array(4))].map((it) => LETTERS[it % 20]).join("");

/** The folder that all pages lie in. */
export const folder = () => location.pathname.replace(/[^/]*$/, "");

export class Room {
    /** @param {() => void} changed @param {() => State | null} begin the state that a room begins with */
    constructor(changed, begin) {
        this.changed = changed;
        this.begin = begin;
        /** @type {Line | null} */
        this.line = null;
        this.connected = false;
        /** Why there is no line. */
        this.trouble = "";
        /** What everybody in the room shows. @type {State | null} */
        this.state = null;
        /** The sums of the rounds of this question, as they come in. @type {Sums[]} */
        this.rounds = [];
        this.following = 0;
        if (this.led.code) this.connect();
    }

    /** @returns {Led} */
    get led() {
        try {
            return { ...NOBODY, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
        } catch {
            return NOBODY;
        }
    }

    /** @param {Partial<Led>} fields */
    keep(fields) {
        localStorage.setItem(KEPT, JSON.stringify({ ...this.led, ...fields }));
    }

    /** Open a room with this secret. @param {string} secret */
    open(secret) {
        this.keep({ code: newCode(), secret, owner: random(), began: 0 });
        this.state = null;
        this.connect();
    }

    connect() {
        this.leave();
        this.trouble = "";
        const { code, secret, owner } = this.led;
        const hello = () => ({ hello: { id: owner, secret, owner, state: this.state ?? this.begin() } });
        this.line = new Line(
            addressOf(folder(), code),
            hello,
            (message) => this.heard(message),
            (open, why) => this.lined(open, why),
        );
    }

    /** The line was opened, or is lost. @param {boolean} open @param {string} why */
    lined(open, why) {
        this.connected = open;
        this.trouble = why;
        if (!open && why && !this.state) this.forget(); // it has never been ours: the secret is wrong
        this.changed();
    }

    /** @param {Record<string, any>} message */
    heard(message) {
        const { state, votes, following, view, table, over } = message;
        if (state) this.moved(state);
        else if (view !== undefined && this.state) this.state = { ...this.state, view };
        else if (votes && this.state) this.rounds[this.state.round - 1] = votes;
        else if (following !== undefined) this.following = following;
        else if (table !== undefined) download(table, "guesses.csv");
        else if (over) this.forget();
        this.changed();
    }

    /** @param {State} state */
    moved(state) {
        if (state.step !== this.state?.step || state.phase === "none") this.rounds = [];
        if (state.result) this.rounds = state.result.rounds;
        this.state = state;
        this.following = state.following;
    }

    /** @param {Record<string, unknown>} message */
    say(message) {
        this.line?.send(message);
    }

    close() {
        this.say({ close: true });
        this.forget();
    }

    /** No room is open any more; the secret stays for the next one, unless it was refused. */
    forget() {
        const { secret } = this.led;
        this.leave();
        this.keep({ ...NOBODY, secret: this.state ? secret : "" });
        this.state = null;
        this.rounds = [];
    }

    leave() {
        this.line?.close();
        this.line = null;
        this.connected = false;
    }
}

/** @param {string} text @param {string} name of the file */
function download(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}
