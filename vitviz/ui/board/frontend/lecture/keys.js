// What keys do in a lecture, before the board's own: PgDn and PgUp, a clicker's, are enough.

/** @import { Lecture } from "./lecture.js" */

import { asksAgain } from "./states.js";

const PATIENCE = 3000; // ms after which digits are forgotten

/** `when`: what it needs to work.
 *  @typedef {{ keys: string[], shown: string, says: string, when(lecture: Lecture): boolean,
 *              act(lecture: Lecture, key: string): void }} Key */

const stepped = (/** @type {Lecture} */ { lesson, elsewhere }) => Boolean(lesson) && !elsewhere;
const leads = (/** @type {Lecture} */ { role }) => role === "lead";

/** @type {Key[]} */
export const KEYS = [
    {
        keys: ["PageDown", "PageUp"],
        shown: "PgDn PgUp",
        says: "next and previous step; a question asks, locks and shows first",
        when: stepped,
        act: (lecture, key) => (key === "PageDown" ? lecture.next() : lecture.back()),
    },
    {
        keys: [..."123456789"],
        shown: "12 Enter",
        says: "go to step 12",
        when: stepped,
        act: (lecture, key) => lecture.typing.type(key),
    },
    {
        keys: ["g", "G"],
        shown: "G",
        says: "back to the lecture",
        when: ({ astray }) => astray,
        act: (lecture) => lecture.comeBack(),
    },
    {
        keys: ["a", "A"],
        shown: "A",
        says: "ask again, once guesses are locked",
        when: leads,
        act: ({ room, state }) => asksAgain(state) && room?.say({ ask: 2 }),
    },
    { keys: ["b", "B", "."], shown: "B", says: "blank the screen", when: leads, act: (lecture) => lecture.blank() },
    { keys: ["p", "P"], shown: "P", says: "pointer for all", when: leads, act: ({ pointer }) => pointer?.turn() },
    {
        keys: ["k", "K"],
        shown: "K",
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
        if (this.typed) this.timer = setTimeout(() => this.type("Escape"), PATIENCE);
        if (key === "Enter") this.go(Number(typed));
        this.changed();
    }

    /** @param {string} key */
    takes(key) {
        return Boolean(this.typed) && (/^\d$/.test(key) || ["Enter", "Backspace", "Escape"].includes(key));
    }
}

/** What a key means in a lecture now. @param {Lecture} lecture @param {string} pressed
 *  @returns {((event: KeyboardEvent) => void) | undefined} */
export function meant(lecture, pressed) {
    if (!lecture.on) return undefined;
    if (lecture.state?.blank && ["Escape", "b", "B", "."].includes(pressed)) return () => lecture.blank();
    if (lecture.typing.takes(pressed)) return () => lecture.typing.type(pressed);
    if (pressed === "Escape" && lecture.pointer?.on) return () => lecture.pointer?.turn();
    const hand = lecture.asks[pressed];
    if (hand) return hand;
    const key = KEYS.find(({ keys, when }) => keys.includes(pressed) && when(lecture));
    return key && (() => key.act(lecture, pressed));
}
