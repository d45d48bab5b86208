// A guess as a number on a log scale: a slider and a button that says what it sends.

/** @import { Action } from "../types/board.js" */
/** @import { Question, Vote } from "../types/lecture.js" */

import { buttonFor, element, saying } from "../draw/elements.js";
import { ARROWS, taps, way } from "../draw/touch.js";
import { numberAt, placeOf } from "./sums.js";
import { number, withUnit } from "./words.js";

const STOPS = 400;
const KEY = 4; // stops that a key of the board moves

export class Scale {
    hint = taps() ? "Tap the line, then the button." : "Click the line or press an arrow; then Enter or the button.";

    /** @param {Question} question @param {(vote: Vote) => void} vote */
    constructor(question, vote) {
        this.question = question;
        this.guess = () => this.touched && vote(this.value);
        this.input = element("input", { type: "range", min: "0", max: String(STOPS), "aria-label": "Your guess" });
        this.input.value = String(STOPS / 2);
        /** Whether it stands at a number: nobody is given one to begin with. */
        this.touched = false;
        this.said = element("output");
        this.button = buttonFor("", this.guess, { class: "send" });
        for (const kind of ["input", "click", "pointerup"]) this.input.addEventListener(kind, () => this.move(0));
        this.mark = element("i", { class: "mark", title: "your guess" });
        this.root = element(
            "div",
            { class: "scale-guess" },
            this.said,
            element("div", { class: "track" }, this.mark, this.input),
            labels(question),
            this.button,
        );
        /** @type {Record<string, Action>} */
        this.actions = {
            scale: {
                keys: ARROWS,
                label: "less, or more",
                perform: ({ key }) => {
                    const [across, down] = way(key);
                    this.move(KEY * (across - down));
                },
            },
            guess: { keys: ["Enter"], label: "guess", perform: this.guess },
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
        this.touched = true;
        this.input.value = String(Number(this.input.value) + by);
        this.button.disabled = this.input.disabled;
        this.say();
    }

    say() {
        this.input.toggleAttribute("data-untouched", !this.touched);
        saying(this.said, this.touched ? withUnit(this.question, this.value) : "No guess yet");
        this.input.ariaValueText = this.said.textContent ?? "";
    }

    /** @param {Vote | null} vote @param {boolean} open */
    draw(vote, open) {
        this.input.disabled = this.button.hidden = !open;
        this.button.disabled = !open || !this.touched;
        this.mark.hidden = vote === null;
        if (vote !== null) this.mark.style.left = `${100 * placeOf(this.question, Number(vote))}%`;
        saying(this.button, vote === null ? "Guess" : "Change my guess");
    }
}

/** Numbers under a log scale, each at its place. @param {Question} question @param {number} [most] */
export function labels(question, most = 5) {
    const marks = ticks(question, most).map((value) => {
        const place = placeOf(question, value);
        const mark = element("span", {}, number(value));
        mark.style.left = `${100 * place}%`;
        mark.style.transform = `translateX(${-100 * place}%)`; // those at the ends stay within
        return mark;
    });
    return element("div", { class: "ticks", "aria-hidden": "true" }, ...marks);
}

/** The ends of the scale, and powers of ten between them, as evenly as there are any. @param {{ low: number, high: number }} scale
 *  @param {number} most */
export function ticks({ low, high }, most = 5) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const powers = Array.from(
        { length: Math.floor(Math.log10(high) + 1e-9) - first + 1 },
        (_, at) => 10 ** (first + at),
    );
    const places = powers.map((power) => placeOf({ low, high }, power));
    const inside = Array.from({ length: most - 2 }, (_, at) => {
        const goal = (at + 1) / (most - 1);
        const away = places.map((place) => Math.abs(place - goal));
        return powers[away.indexOf(Math.min(...away))];
    }).filter((power) => {
        const place = placeOf({ low, high }, power);
        return place > 0.7 / most && place < 1 - 0.7 / most;
    });
    return [...new Set([low, ...inside, high])];
}
