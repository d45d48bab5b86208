// What keys do in a lecture, before the board's own: PgDn and PgUp, a clicker's, are enough.

/** @import { Key } from "../types/board.js" */
/** @import { Lecture } from "./lecture.js" */

import { asksAgain } from "./states.js";

const TYPING_TIMEOUT_MS = 3000; // ms after which digits are forgotten
const DIGITS = [..."0123456789"];
export const BLANKS = ["b", "B", "."]; // the second and third as clickers send them

/** `when`: what it needs to work.
 *  @typedef {Omit<Key, "act"> & { when(lecture: Lecture): unknown, act(lecture: Lecture, event: KeyboardEvent): void }} Led */

const leads = (/** @type {Lecture} */ { role }) => role === "lead";

/** @type {Led[]} */
const KEYS = [
    {
        keys: ["PageDown", "PageUp"],
        says: "next and previous step; a question asks, locks and shows first",
        when: ({ words, missing, elsewhere }) => words.lesson && words.lesson !== missing && !elsewhere,
        act: (lecture, { key, repeat }) => {
            if (key === "PageUp") lecture.back();
            else if (!repeat && !lecture.answers.waits) lecture.next();
        },
    },
    {
        keys: ["g", "G"],
        says: "back to the lecture",
        when: ({ astray }) => astray,
        act: (lecture) => lecture.comeBack(),
    },
    {
        keys: ["a", "A"],
        says: "ask again, once guesses are locked",
        when: leads,
        act: ({ room, state }) => asksAgain(state) && room?.say({ ask: 2 }),
    },
    { keys: BLANKS, says: "all screens black, or on", when: leads, act: (lecture) => lecture.blank() },
    { keys: ["p", "P"], says: "pointer for all", when: leads, act: ({ pointer }) => pointer?.turn() },
    {
        keys: ["k", "K"],
        says: "keep this view as a step",
        when: ({ words }) => words.record,
        act: ({ recording }) => recording?.keep(),
    },
];

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

    /** What it takes now: a digit begins. @returns {Key} */
    get key() {
        return {
            keys: this.typed ? [...DIGITS, "Enter", "Backspace", "Escape"] : DIGITS.slice(1),
            shown: "12 Enter",
            says: "go to step 12",
            act: ({ key }) => this.type(key),
        };
    }
}

/** What keys do in a lecture now, what goes before other things first. @param {Lecture} lecture @returns {Key[]} */
export function keysOf(lecture) {
    if (!lecture.on) return [];
    const { asks, lesson, elsewhere, pointer, state, typing } = lecture;
    const picks = asks.some(({ keys }) => keys.includes("1"));
    const [typed, begins] = typing.typed
        ? [[typing.key], []]
        : [[], lesson && !elsewhere && !picks ? [typing.key] : []];
    const blank = { keys: ["Escape", ...BLANKS], says: "this screen on", act: () => lecture.blank() };
    const unpoint = { keys: ["Escape"], says: "no pointer", act: () => pointer?.turn() };
    const led = KEYS.filter(({ when }) => when(lecture));
    return [
        ...(state?.blank ? [blank] : []),
        ...typed,
        ...(pointer?.on ? [unpoint] : []),
        ...asks,
        ...led.map((key) => ({ ...key, act: (/** @type {KeyboardEvent} */ event) => key.act(lecture, event) })),
        ...begins,
    ];
}
