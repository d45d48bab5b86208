// What a lecture shows, made in the browser: alone, and by who leads, before the room has said the same.

/** @import { Lesson, State, Truth, Vote } from "../types/lecture.js" */

import { taps } from "../draw/touch.js";
import { tally } from "../questions/sums.js";

/** What a room is told of a step. @param {Lesson} lesson @param {number} step from 1 */
export function moveTo({ name, title, steps }, step) {
    const { says, explains, view, question } = steps[step - 1];
    return { lesson: name, title, step, of: steps.length, says, explains, view, question };
}

/** A step as it begins: alone a question is open at once. @param {Lesson} lesson @param {number} step from 1
 *  @param {boolean} alone @param {State | null} before what stays of it @returns {State} */
export function begun(lesson, step, alone, before) {
    const move = { ...moveTo(lesson, step), explains: "" };
    const phase = alone && move.question ? "open" : "none";
    const { serial = 0, following = 0, shared = null } = before ?? {};
    return { ...move, serial, phase, round: 1, blank: false, code: false, following, result: null, shared };
}

/** The same with the answer shown; alone there is one vote, or none. @param {State} state @param {Lesson} lesson
 *  @param {Truth} truth @param {Vote | null} vote @returns {State} */
export function revealed(state, lesson, truth, vote) {
    const { explains, question } = lesson.steps[state.step - 1];
    const rounds = question ? [tally(question, vote === null ? [] : [vote], truth)] : [];
    return { ...state, phase: "revealed", explains, result: { rounds, truth } };
}

/** What is said with a state; a phone has room for a question once, where it is asked: there a sentence comes without those
 *  that it ends with. @param {Pick<State, "says" | "explains">} state @param {boolean} asking */
export const sentence = ({ says, explains }, asking) =>
    explains || (asking && taps() ? says.replace(/(?<=[.!?])(?:\s[^.!?]*\?)+$/, "") : says);

/** Whether the answer stands on the scene, and is not to be seen yet. @param {State | null} state */
export const hides = (state) => Boolean(state?.question) && state?.phase !== "revealed";

/** Whether the scene may be seen although it waits for its question: the view covers what the model says. Counts may not.
 *  @param {State | null} state */
export const covers = (state) => state?.phase === "none" && hides(state) && /[?&]covered=yes/.test(state.view);

/** Whether the class may guess a second time. @param {State | null} state */
export const asksAgain = (state) => state?.phase === "locked" && state.round === 1;

/** What comes next of a question, or "step": PgDn alone leads through a lecture. @param {State} state @param {boolean} alone
 *  @returns {"ask" | "lock" | "reveal" | "step"} */
export function next({ question, phase }, alone) {
    if (!question || phase === "revealed") return "step";
    if (alone || phase === "locked") return "reveal";
    return phase === "none" ? "ask" : "lock";
}

/** How long each phase of a question stays at least, in ms: a clicker's second press does not end it unseen. */
const LEAST = { none: 0, open: 300, locked: 300, revealed: 800 };

/** The time in which PgDn does not go on. */
export class Pause {
    /** @param {() => void} over is told when it has passed */
    constructor(over) {
        this.over = over;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
    }

    get on() {
        return Boolean(this.timer);
    }

    /** @param {State["phase"]} phase that has come on screen */
    begin(phase) {
        clearTimeout(this.timer);
        const end = () => {
            this.timer = 0;
            this.over();
        };
        this.timer = LEAST[phase] && setTimeout(end, LEAST[phase]);
    }
}
