// What was right, and what everybody guessed: under the scene, which is back, and as light and circles on the photo.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Own, Question, State } from "../types/lecture.js" */

import { buttonFor, element, saying } from "../draw/elements.js";
import { Clicks, legend } from "./clicks.js";
import { bars, histograms } from "./histogram.js";
import { isRight, ofOthers, sharesOf } from "./sums.js";
import { guessed, percent } from "./words.js";

/** A question, and what came of it. @typedef {{ question: Question, result: NonNullable<State["result"]>, own: Own,
 *  uncounted?: string }} Answered */

export class Result {
    /** @param {HTMLElement} root @param {Column} column @param {Photo} photo @param {HTMLElement} asks what was asked */
    constructor(root, column, photo, asks) {
        this.root = root;
        this.asks = asks;
        this.column = column;
        this.clicks = new Clicks(column, photo);
        /** Whether it is put away, so that the scene has all of its place. */
        this.away = false;
        this.made = "";
        this.truth = element("h2", { class: "truth" });
        this.own = element("p", { class: "own" });
        this.legend = element("p", { class: "legend" });
        this.sums = element("div", { class: "sums" });
        this.button = buttonFor("", () => {
            this.away = !this.away;
            column.invalidate();
        });
    }

    /** To be called after the scene has drawn: the photo shows what is said here. @param {State} state
     *  @param {Own} own the guesses of this browser by round @param {boolean} there whether the photo is to show it: with
     *  another layer or head it shows what the scene says of that @param {string} uncounted why the guess, or another one, is not in the sums */
    draw({ step, question, result }, own, there, uncounted) {
        if (!question || !result) return;
        const rounds = ofOthers(result.rounds, own) ? result.rounds : [];
        const answered = { question, result: { ...result, rounds }, own, uncounted };
        const key = JSON.stringify([step, answered]);
        if (key !== this.made) this.make(answered);
        this.made = key;
        this.root.classList.toggle("away", this.away);
        saying(this.button, this.away ? "Show the guesses" : "Put away");
        const onPhoto = question.kind === "patch" || question.kind === "pair";
        this.legend.hidden = !onPhoto || !there;
        if (onPhoto && there && !this.away) this.clicks.draw(answered);
        saying(this.legend, onPhoto ? legend(answered, this.clicks.round) : "");
    }

    /** @param {Answered} answered */
    make(answered) {
        const { question, result } = answered;
        const { truth } = result;
        this.away = false;
        this.truth.replaceChildren(element("span", { class: "tick", "aria-hidden": "true" }, "✓ "), truth.text);
        this.own.textContent = this.mine(answered);
        if (question.kind === "choose") this.sums.replaceChildren(bars(answered));
        else if (question.kind === "number") this.sums.replaceChildren(histograms(answered));
        else this.sums.replaceChildren(this.clicks.table(answered));
        const onPhoto = question.kind === "patch" || question.kind === "pair";
        this.root.classList.toggle("wide", onPhoto);
        this.sums.hidden = onPhoto && !answered.result.rounds.length;
        this.root.replaceChildren(this.button, this.asks, this.truth, this.own, this.legend, this.sums);
    }

    /** The guess of this browser, and whether it is right. @param {Answered} answered */
    mine({ question, result, own, uncounted = "" }) {
        const { truth } = result;
        const guess = own[1] ?? own[0];
        if (guess === null) return uncounted || (result.rounds.length ? "" : "No guess this time.");
        const right = isRight(question, guess, truth) ? "right" : "not right";
        const share = question.kind === "patch" ? sharesOf(truth)[Number(guess)] : undefined;
        const holds = share === undefined ? "" : `, ${percent(share)} of it`;
        return `Your guess: ${guessed(this.column.meta, question, guess)}${holds}: ${right}. ${uncounted}`.trimEnd();
    }

    close() {
        this.root.replaceChildren();
        this.made = "";
    }
}
