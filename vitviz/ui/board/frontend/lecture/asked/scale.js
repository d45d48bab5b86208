// A guess as a number on a log scale: a slider and a button that says what it sends.

/** @import { Question, Vote } from "../types.js" */

import { element } from "../../draw/elements.js";
import { numberAt, placeOf } from "./sums.js";
import { number, saying, withUnit } from "./words.js";

const STOPS = 400;
const KEY = 4; // stops that a key of the board moves

export class Scale {
    hint = "Move it, then press Enter or the button.";

    /** @param {Question} question @param {(vote: Vote) => void} vote */
    constructor(question, vote) {
        this.question = question;
        this.guess = () => vote(this.value);
        this.input = element("input", { type: "range", min: "0", max: String(STOPS), "aria-label": "Your guess" });
        this.input.value = String(STOPS / 2);
        this.said = element("output", {});
        this.button = element("button", { type: "button", class: "send" });
        this.button.addEventListener("click", this.guess);
        this.input.addEventListener("input", () => this.say());
        this.input.addEventListener("keydown", (event) => event.key === "Enter" && this.guess());
        this.mark = element("i", { class: "mark", title: "your guess" });
        const marks = ticks(question).map((value) => {
            const tick = element("span", {}, number(value));
            tick.style.left = `${100 * placeOf(question, value)}%`;
            return tick;
        });
        this.root = element(
            "div",
            { class: "scale-guess" },
            this.said,
            element("div", { class: "track" }, this.mark, this.input),
            element("div", { class: "ticks", "aria-hidden": "true" }, ...marks),
            this.button,
        );
        this.keys = {
            ArrowLeft: () => this.move(-KEY),
            ArrowRight: () => this.move(KEY),
            ArrowDown: () => this.move(-KEY),
            ArrowUp: () => this.move(KEY),
            Enter: this.guess,
        };
        this.say();
    }

    /** The number that the slider stands at, in two digits. */
    get value() {
        const exact = numberAt(this.question, Number(this.input.value) / STOPS);
        return Math.min(this.question.high, Math.max(this.question.low, Number(exact.toPrecision(2))));
    }

    /** @param {number} by */
    move(by) {
        this.input.value = String(Number(this.input.value) + by);
        this.say();
    }

    say() {
        saying(this.said, withUnit(this.question, this.value));
        this.input.setAttribute("aria-valuetext", this.said.textContent ?? "");
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        this.input.disabled = this.button.disabled = !open;
        this.mark.hidden = vote === null;
        if (vote !== null) this.mark.style.left = `${100 * placeOf(this.question, Number(vote))}%`;
        saying(this.button, vote === null ? "Guess" : "Change my guess");
    }
}

/** Powers of ten on the scale, with its ends where no power is near. @param {Question} question */
export function ticks({ low, high }) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const powers = Array.from(
        { length: Math.floor(Math.log10(high) + 1e-9) - first + 1 },
        (_, at) => 10 ** (first + at),
    );
    const step = Math.ceil(powers.length / 5);
    const kept = powers.filter((_, at) => at % step === 0);
    const far = (/** @type {number} */ end) =>
        kept.every((it) => Math.abs(placeOf({ low, high }, it) - placeOf({ low, high }, end)) > 0.12);
    return [...(far(low) ? [low] : []), ...kept, ...(far(high) ? [high] : [])];
}
