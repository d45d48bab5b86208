// A question of the lesson: it waits for a guess, then shows whether that is right, and what is.

/** @import { Meta } from "../../types/board.js" */
/** @import { Question, Truth, Vote } from "../../types/lecture.js" */

import { element } from "../../draw/elements.js";
import { Options } from "../../questions/options.js";
import { Scale } from "../../questions/scale.js";
import { isRight, sharesOf } from "../../questions/sums.js";
import { guessed, percent } from "../../questions/words.js";
import { OnPhoto } from "./on_photo.js";

export class Asked {
    /** @param {HTMLElement} step @param {{ question: Question, truth: Truth, meta: Meta }} told
     *  @param {() => void} changed called when somebody has guessed here */
    constructor(step, { question, truth, meta }, changed) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (step.querySelector(selector));
        this.question = question;
        this.truth = truth;
        this.meta = meta;
        this.changed = changed;
        /** @type {Vote | null} */
        this.guess = null;
        this.answer = find(".answer");
        this.words = find(".guess");
        const vote = (/** @type {Vote} */ guess) => this.take(guess);
        this.hand =
            question.kind === "choose"
                ? new Options(question, vote)
                : question.kind === "number"
                  ? new Scale(question, vote)
                  : new OnPhoto(find(".photo"), meta, question.kind === "pair" ? 2 : 1, vote);
        const skip = element("button", { type: "button", class: "skip" }, "Show the answer");
        skip.addEventListener("click", () => this.reveal());
        const hint = question.kind === "choose" ? "Choose one." : this.hand.hint; // several are on the page: no keys
        this.hint = element("p", { class: "hint" }, hint, skip);
        find(".hand").replaceChildren(this.hand.root, this.hint);
        this.answer.classList.add("waiting");
        this.hand.draw(null, true);
    }

    /** Whether the guess is right. */
    get right() {
        return this.guess !== null && isRight(this.question, this.guess, this.truth);
    }

    /** A guess that was made in the lecture; one that this question does not take is none. @param {unknown} guess */
    bring(guess) {
        if (this.takes(guess)) this.take(/** @type {Vote} */ (guess));
    }

    /** @param {unknown} guess */
    takes(guess) {
        const { kind, options } = this.question;
        const whole = (/** @type {unknown} */ it, /** @type {number} */ most) =>
            Number.isInteger(it) && Number(it) >= 0 && Number(it) < most;
        if (kind === "choose") return whole(guess, options.length);
        if (kind === "number") return Number.isFinite(guess) && Number(guess) > 0;
        if (kind === "patch") return whole(guess, this.meta.patches);
        return Array.isArray(guess) && guess.length === 2 && guess.every((it) => whole(it, this.meta.patches));
    }

    /** @param {Vote} guess */
    take(guess) {
        this.guess = guess;
        this.words.textContent = this.said;
        this.words.classList.toggle("is-right", this.right);
        this.reveal();
        this.changed();
    }

    get said() {
        const { question, guess, truth, meta } = this;
        const share = question.kind === "patch" ? `, ${percent(sharesOf(truth)[Number(guess)])} of it` : "";
        const said = guessed(meta, question, /** @type {Vote} */ (guess));
        return `${this.right ? "✓" : "✗"} Your guess: ${said}${share}: ${this.right ? "right" : "not right"}.`;
    }

    /** What is right; nothing can be guessed any more. */
    reveal() {
        this.answer.classList.remove("waiting");
        this.hint.hidden = true;
        if (this.guess === null) this.words.textContent = "No guess this time.";
        this.hand.draw(this.guess, false);
        if (this.hand instanceof OnPhoto) this.hand.reveal(this.truth);
    }
}
