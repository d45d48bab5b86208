// A guess as one of some options: a click, a tap, or its digit.

/** @import { Action } from "../types/board.js" */
/** @import { Question, Vote } from "../types/lecture.js" */

import { buttonFor, element } from "../draw/elements.js";
import { taps } from "../draw/touch.js";

export class Options {
    /** @param {Question} question @param {(vote: Vote) => void} vote */
    constructor({ options }, vote) {
        const last = options.length;
        const [which, keys] = last > 1 ? ["one", `1 ${last > 2 ? "to" : "or"} ${last}`] : ["it", "1"];
        this.hint = taps() ? `Tap ${which}.` : `Click ${which}, or press ${keys}.`;
        this.buttons = options.map((option, at) => {
            return buttonFor([element("kbd", {}, String(at + 1)), option], () => vote(at));
        });
        this.root = element("div", { class: "options", role: "group", "aria-label": "Options" }, ...this.buttons);
        const digits = options.map((_, at) => String(at + 1));
        /** @type {Record<string, Action>} */
        this.actions = { guess: { keys: digits, label: "guess", perform: ({ key }) => vote(Number(key) - 1) } };
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        for (const [at, button] of this.buttons.entries()) {
            button.ariaPressed = String(vote === at);
            button.disabled = !open;
        }
    }
}
