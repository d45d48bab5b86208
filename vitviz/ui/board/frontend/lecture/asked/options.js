// A guess as one of some options: a click, a tap, or its digit.

/** @import { Question, Vote } from "../types.js" */

import { element } from "../../draw/elements.js";

export class Options {
    /** @param {Question} question @param {(vote: Vote) => void} vote */
    constructor({ options }, vote) {
        this.hint = options.length > 1 ? `Click one, or press 1 to ${options.length}.` : "Click it, or press 1.";
        this.buttons = options.map((option, at) => {
            const button = element("button", { type: "button" }, element("kbd", {}, String(at + 1)), option);
            button.addEventListener("click", () => vote(at));
            return button;
        });
        this.root = element("div", { class: "options", role: "group", "aria-label": "Options" }, ...this.buttons);
        /** @type {Record<string, () => void>} */
        this.keys = Object.fromEntries(options.map((_, at) => [String(at + 1), () => vote(at)]));
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        for (const [at, button] of this.buttons.entries()) {
            button.setAttribute("aria-pressed", String(vote === at));
            button.disabled = !open;
        }
    }
}
