// What a hand can do in a lecture, before the board's own: PgDn and PgUp, a clicker's, are enough.

/** @import { Action, ActionOf } from "../types/board.js" */
/** @import { Lecture } from "./lecture.js" */

import { acting } from "../state/actions.js";
import { asksAgain } from "./states.js";

const TYPING_TIMEOUT_MS = 3000; // ms after which digits are forgotten
const DIGITS = [..."0123456789"];
const BLANKS = ["b", "B", "."]; // the second and third as clickers send them

const leads = (/** @type {Lecture} */ { role }) => role === "lead";
const given = (/** @type {Lecture} */ { words, missing, elsewhere }) =>
    words.lesson && words.lesson !== missing && !elsewhere;

/** @satisfies {Record<string, ActionOf<Lecture>>} */
export const ACTIONS = {
    on: {
        keys: ["PageDown"],
        label: "next step; a question asks, locks and shows first",
        when: given,
        perform: (lecture, { repeat }) => repeat || lecture.answers.waits || lecture.next(),
    },
    back: { keys: ["PageUp"], label: "previous step", when: given, perform: (lecture) => lecture.back() },
    home: {
        keys: ["g", "G"],
        label: "back to the lecture",
        when: ({ astray }) => astray,
        perform: (lecture) => lecture.comeBack(),
    },
    again: {
        keys: ["a", "A"],
        label: "ask again, once guesses are locked",
        when: leads,
        perform: ({ room, state }) => asksAgain(state) && room?.say({ ask: 2 }),
    },
    blank: { keys: BLANKS, label: "all screens black, or on", when: leads, perform: (lecture) => lecture.blank() },
    pointer: { keys: ["p", "P"], label: "pointer for all", when: leads, perform: ({ pointer }) => pointer?.turn() },
    keep: {
        keys: ["k", "K"],
        label: "keep this view as a step",
        when: ({ words }) => words.record,
        perform: ({ recording }) => recording?.keep(),
    },
};

/** The number of a step, typed digit by digit, and Enter. */
export class Typing {
    /** @param {(step: number) => void} go @param {() => void} changed */
    constructor(go, changed) {
        this.go = go;
        this.changed = changed;
        this.typed = "";
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
    }

    /** @param {string} key a digit, Enter, Backspace or Escape */
    type(key) {
        const { typed } = this;
        if (/^\d$/.test(key)) this.typed = (typed + key).slice(-3);
        else this.typed = key === "Backspace" ? typed.slice(0, -1) : "";
        clearTimeout(this.timer);
        if (this.typed) this.timer = setTimeout(() => this.type("Escape"), TYPING_TIMEOUT_MS);
        if (key === "Enter") this.go(Number(typed));
        this.changed();
    }

    /** What it takes now: a digit begins. @returns {Action} */
    get action() {
        return {
            keys: this.typed ? [...DIGITS, "Enter", "Backspace", "Escape"] : DIGITS.slice(1),
            shown: "12 Enter",
            label: "go to step 12",
            perform: ({ key }) => this.type(key),
        };
    }
}

/** What can be done in a lecture now, what goes before other things first. @param {Lecture} lecture
 *  @returns {Record<string, Action>} */
export function actionsOf(lecture) {
    if (!lecture.on) return {};
    const { asks, lesson, elsewhere, pointer, state, typing } = lecture;
    const picks = Object.values(asks).some(({ keys }) => keys.includes("1"));
    const types = lesson && !elsewhere && !picks;
    return {
        ...(state?.blank && {
            wake: { keys: ["Escape", ...BLANKS], label: "this screen on", perform: () => lecture.blank() },
        }),
        ...(typing.typed && { typing: typing.action }),
        ...(pointer?.on && { unpoint: { keys: ["Escape"], label: "no pointer", perform: () => pointer.turn() } }),
        ...asks,
        ...acting(ACTIONS, lecture),
        ...(types && { typing: typing.action }),
    };
}
