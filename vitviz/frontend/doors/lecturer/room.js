// The room that this browser leads: opened with a secret, gone back to when the window or the server was away.

/** @import { Lesson, State, Sums } from "../../types/lecture.js" */

import { Kept, random, storage } from "../../lecture/kept.js";
import { addressOf, Connection } from "../../lecture/socket.js";
import { begun, moveTo } from "../../lecture/states.js";
import { home } from "../../transport/words.js";

const REFUSED = 4403; // the code with which a room closes the connection of who may not lead it
const ARRIVED = "vitviz_secret"; // in the tab's own storage: vitviz/ui/server/lecture/secret.js
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Four letters that make no word, or six, which no program finds by trying. @param {boolean} long */
export const newCode = (long) =>
    [...crypto.getRandomValues(new Uint8Array(long ? 6 : 4))].map((it) => LETTERS[it % 20]).join("");

/** A step as the room shows it before its question is asked; who leads holds the explanation.
 *  @param {Lesson} lesson @param {number} step from 1 @param {State | null} before @returns {State} */
export function startOf(lesson, step, before) {
    return { ...begun(lesson, step, false, before), withheld: lesson.steps[step - 1].explains };
}

export class Room {
    /** @param {() => void} changed @param {() => State | null} begin the state that a room begins with */
    constructor(changed, begin) {
        this.changed = changed;
        this.begin = begin;
        this.kept = new Kept();
        /** The secret that came with the address. */
        this.token = "";
        /** @type {Connection | null} */
        this.connection = null;
        this.connected = false;
        /** Why there is no connection. */
        this.trouble = "";
        /** What everybody in the room shows. @type {State | null} */
        this.state = null;
        /** Whether the room has yet to say that it is where this window led it. */
        this.moving = false;
        /** The sums of the rounds of this question, as they come in. @type {Sums[]} */
        this.rounds = [];
        this.following = 0;
        /** Windows that show what the class sees, with this browser's right to lead. */
        this.screens = 0;
        /** Pages that the server makes or lets wait. */
        this.waiting = 0;
        this.arrived();
        if (this.led.code) this.connect();
    }

    get led() {
        return this.kept.led;
    }

    /** The page's first script took a secret out of the address. It is for the next room: one that is open has its own. */
    arrived() {
        const tab = storage("sessionStorage");
        const token = tab.getItem(ARRIVED);
        if (!token) return;
        tab.removeItem(ARRIVED);
        this.token = token;
        if (!this.led.code) this.kept.lead({ secret: token });
    }

    /** Open a room with this secret. @param {string} secret @param {boolean} [long] whether with six letters */
    open(secret, long = false) {
        this.kept.lead({ code: newCode(long), secret, owner: random(), began: 0 });
        this.state = null;
        this.connect();
    }

    connect() {
        this.leave();
        this.trouble = "";
        const { code, secret, owner } = this.led;
        const hello = () => ({ hello: { id: owner, secret, owner, state: this.state ?? this.begin() } });
        this.connection = new Connection(
            addressOf(home(), code),
            hello,
            (message) => this.receive(message),
            (open, why, code) => this.opened(open, why, code),
        );
    }

    /** The connection was opened, or is lost. @param {boolean} open @param {string} why @param {number} code */
    opened(open, why, code) {
        this.connected = open;
        this.trouble = why;
        if (!open) this.moving = false;
        if (code === REFUSED) this.refused();
        this.changed();
    }

    /** @param {Record<string, any>} message */
    receive(message) {
        const { state, votes, following, screens, waiting, view, table, over } = message;
        if (state) this.moved(state);
        else if (view !== undefined && this.state) this.state = { ...this.state, view };
        else if (votes && this.state && !this.moving) this.rounds[this.state.round - 1] = votes;
        else if (following !== undefined) this.following = following;
        else if (screens !== undefined) this.screens = screens;
        else if (waiting !== undefined) this.waiting = waiting;
        else if (table !== undefined) download(table, "guesses.csv");
        else if (over) this.forget();
        this.changed();
    }

    /** What the room shows; not what it showed before it heard of this window's last move. @param {State} state */
    moved(state) {
        if (this.moving && (state.lesson !== this.state?.lesson || state.step !== this.state.step)) return;
        this.moving = false;
        if (state.step !== this.state?.step || state.phase === "none") this.rounds = [];
        if (state.result) this.rounds = state.result.rounds;
        this.state = state;
        this.following = state.following;
    }

    /** Go to a step, here at once. @param {Lesson} lesson @param {number} step from 1 */
    move(lesson, step) {
        this.moving = this.say({ move: moveTo(lesson, step) });
        if (!this.moving) return;
        this.rounds = [];
        this.state = startOf(lesson, step, this.state);
    }

    /** @param {Record<string, unknown>} message @returns {boolean} whether it went out */
    say(message) {
        return this.connection?.send(message) ?? false;
    }

    close() {
        if (this.say({ close: true })) this.forget();
    }

    /** The secret is wrong, or the room is another's; one that came with the address may be tried next. */
    refused() {
        const { token, led } = this;
        this.forget();
        if (token && token !== led.secret) this.kept.lead({ secret: token });
    }

    /** No room is open any more, and whoever comes to this browser next finds no secret. */
    forget() {
        this.leave();
        this.kept.forget(this.led.code);
        this.token = "";
        this.state = null;
        this.rounds = [];
    }

    leave() {
        this.connection?.close();
        this.connection = null;
        this.connected = this.moving = false;
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
