// A room, as one of its browsers knows it: what is said over the line, and what comes back.

/** @import { Lecture } from "./lecture.js" */
/** @import { State, Truth, Vote } from "./types.js" */
/** @import { Place } from "./page/pointer.js" */

import { home } from "../state/address.js";
import { addressOf, Line, Throttle } from "./socket.js";
import { moveTo } from "./states.js";

const VIEWS = 120; // ms between two views that a room is told: it takes ten messages a second
const NO_ROOM = 4404; // the code with which a line is closed to a room that is not there
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
        /** How many have guessed in this round; only who leads is told. */
        this.voted = 0;
        /** Whether this browser's guess counts; null where the room has not said so yet. @type {boolean | null} */
        this.counts = null;
        /** Whether the room has yet to say over this line whether it knows the guess. */
        this.fresh = false;
        /** Whether it has yet to hear of the last step. */
        this.behind = false;
        /** @type {Throttle<string>} */
        this.views = new Throttle(VIEWS, (view) => this.say({ view }));
        /** @type {Throttle<Place>} */
        this.places = new Throttle(PLACES, (pointer) => this.say({ pointer }));
        this.line = new Line(
            addressOf(home(), code),
            () => ({ hello: lecture.kept.hello(code, lecture.state) }),
            (message) => this.heard(message),
            (open, why, code) => {
                this.connected = this.fresh = open;
                this.trouble = why;
                this.unknown = code === NO_ROOM;
                lecture.board.invalidate();
            },
        );
    }

    /** @param {Said} message @returns {boolean} whether it went out */
    say(message) {
        return this.line.send(message);
    }

    /** Guess; where the line is away, the room hears of it when it is back. @param {Vote} vote */
    vote(vote) {
        this.counts = null;
        this.say({ vote });
    }

    /** The room moves to the step that this browser is at, now or when the line is back. */
    move() {
        const { lesson, state } = this.lecture;
        if (this.leads && lesson && state) this.behind = !this.say({ move: moveTo(lesson, state.step) });
    }

    /** @param {Record<string, any>} message */
    heard(message) {
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
        if (!stays || state.phase === "none") this.counts = null;
        const anew = !state.says && !state.view; // nobody has moved it yet
        if (this.leads && this.lecture.lesson && (this.behind || anew)) return this.move();
        if (!anew) this.lecture.shown(state);
    }

    /** Whether the guess counts; one that the room does not know, as it fell into a gap of the line, is said again.
     *  @param {boolean} counts */
    counted(counts) {
        const { own, state } = this.lecture;
        const guess = own[(state?.round ?? 1) - 1];
        const again = this.fresh && !counts && guess !== null && state?.phase === "open";
        this.fresh = false;
        this.counts = again ? null : counts;
        if (again) this.say({ vote: guess });
    }

    /** It is closed, and what was kept of it is forgotten. */
    over() {
        this.lecture.kept.forget(this.code);
        this.lecture.end(true);
    }

    close() {
        this.line.close();
    }
}
