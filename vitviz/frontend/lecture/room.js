// A room, as one of its browsers knows it: what is said over the connection, and what comes back.

/** @import { Lecture } from "./lecture.js" */
/** @import { State, Truth, Vote } from "../types/lecture.js" */
/** @import { Place } from "./pointer.js" */

import { LATE, UNCOUNTED } from "../questions/words.js";
import { home } from "../transport/words.js";
import { addressOf, Connection, Throttle } from "./socket.js";
import { moveTo } from "./states.js";

const VIEWS = 120; // ms between two views that a room is told: it takes ten messages a second
const NO_ROOM = 4404; // the code with which a connection is closed to a room that is not there
const PLACES = 55; // ms between two places of the pointer: twenty a second

/** What a browser says: to follow `vote`, to lead all others.
 *  @typedef {{ vote: Vote } | { ask: 1 | 2 } | { lock: true } | { reveal: { step: number, truth: Truth } } | { blank: boolean } | { code: boolean } | { view: string }
 *            | { pointer: Place } | { move: ReturnType<typeof moveTo> }} Said */

export class Room {
    /** @param {Lecture} lecture @param {string} code */
    constructor(lecture, code) {
        this.lecture = lecture;
        this.code = code;
        this.leads = lecture.kept.leads(code);
        this.connected = false;
        /** Why it cannot be entered, where it said so. */
        this.trouble = "";
        /** Whether the trouble is that there is no such room. */
        this.unknown = false;
        /** Whether it has closed the connection, and is entered anew by a hand alone. */
        this.shut = false;
        /** How many have guessed in this round; only who leads is told. */
        this.voted = 0;
        /** Whether this browser's guess counts; null where the room has not said so yet. @type {boolean | null} */
        this.counts = null;
        /** Guesses over this connection of which the room has not said yet whether they count. @type {Vote[]} */
        this.pending = [];
        /** The last one that counts. @type {Vote | null} */
        this.taken = null;
        /** Whether one came after the lock. */
        this.late = false;
        /** Whether the room has yet to say over this connection whether it knows the guess. */
        this.fresh = false;
        /** Whether it has yet to hear of the last step. */
        this.behind = false;
        /** @type {Throttle<string>} */
        this.views = new Throttle(VIEWS, (view) => this.say({ view }));
        /** @type {Throttle<Place>} */
        this.places = new Throttle(PLACES, (pointer) => this.say({ pointer }));
        this.connection = this.connect();
    }

    connect() {
        const { lecture, code } = this;
        return new Connection(
            addressOf(home(), code),
            () => ({ hello: lecture.kept.hello(code, lecture.state) }),
            (message) => this.receive(message),
            (open, why, code, shut) => {
                if (open !== this.connected) this.pending = [];
                this.fresh = open && (this.fresh || !this.connected);
                this.connected = open;
                this.trouble = why;
                this.unknown = code === NO_ROOM;
                this.shut = shut;
                lecture.board.invalidate();
            },
        );
    }

    /** Enter it anew, from where it has shut this browser out. */
    comeBack() {
        this.shut = false;
        this.trouble = "";
        this.connection = this.connect();
        this.lecture.board.invalidate();
    }

    /** What this browser has guessed in the present round. */
    get guess() {
        const { own, state } = this.lecture;
        return own[(state?.round ?? 1) - 1];
    }

    /** Why the guess on screen is in no sum, or another one is not; "" where all is well. */
    get uncounted() {
        return this.late ? LATE : this.counts === false && this.guess !== null ? UNCOUNTED : "";
    }

    /** @param {Said} message @returns {boolean} whether it went out */
    say(message) {
        return this.connection.send(message);
    }

    /** Guess; where the connection is away, the room hears of it when it is back. @param {Vote} vote */
    vote(vote) {
        this.counts = null;
        this.late = false;
        if (this.say({ vote })) this.pending.push(vote);
    }

    /** The room moves to the step that this browser is at, now or when the connection is back. */
    move() {
        const { lesson, state } = this.lecture;
        if (this.leads && lesson && state) this.behind = !this.say({ move: moveTo(lesson, state.step) });
    }

    /** @param {Record<string, any>} message */
    receive(message) {
        const { lecture } = this;
        const { state } = lecture;
        if (message.state) this.moved(message.state);
        else if (message.view !== undefined && state) lecture.shown({ ...state, view: message.view });
        else if ("pointer" in message) lecture.pointer?.show(message.pointer);
        else if (message.following !== undefined && state) lecture.state = { ...state, following: message.following };
        else if (message.voted !== undefined) this.counted(message.voted);
        else if (message.votes) this.voted = message.votes.voted;
        else if (message.over) this.over();
        lecture.board.invalidate();
    }

    /** @param {State} state whole: on coming, and on every change */
    moved(state) {
        const { state: before } = this.lecture;
        const stays = before?.lesson === state.lesson && before.step === state.step && before.round === state.round;
        if (!stays) this.voted = 0;
        if (state.phase === "none") this.fresh = false;
        const opens = state.phase === "open" && (!stays || before.phase !== "open");
        if (!stays || opens || state.phase === "none") {
            this.counts = this.taken = null;
            this.late = false;
        }
        const anew = !state.says && !state.view; // nobody has moved it yet
        if (this.leads && this.lecture.lesson && (this.behind || anew)) return this.move();
        if (!anew) this.lecture.shown(state);
        if (opens && !this.fresh && !this.leads && this.guess !== null) this.vote(this.guess); // of when it was asked before
    }

    /** Whether the guess counts. One that fell into a gap is said again; one that came after the lock is taken
     *  back, and the last one that counts is there again. @param {boolean} counts */
    counted(counts) {
        const { lecture, fresh, taken, guess } = this;
        const open = lecture.state?.phase === "open";
        const vote = fresh ? guess : (this.pending.shift() ?? null);
        const changed = guess !== null && taken !== null && String(guess) !== String(taken);
        this.fresh = false;
        if (fresh && open && guess !== null && (changed || !counts)) return this.vote(guess);
        this.late = !open && (fresh ? counts && changed : !counts);
        this.counts = this.late ? taken !== null : counts;
        if (this.late) lecture.guess(taken);
        else if (counts) this.taken = vote;
    }

    /** It is closed, and what was kept of it is forgotten. */
    over() {
        this.lecture.kept.forget(this.code);
        this.lecture.end(true);
    }

    close() {
        this.connection.close();
    }
}
