// What is asked, in the place of the scene: one of some options, a number, a patch or two of the photo. A guess stays on
// screen and can be changed until it is locked; then what was right stands under the scene.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Action } from "../types/board.js" */
/** @import { Own, Question as QuestionOf, State, Vote } from "../types/lecture.js" */

import { element, saying } from "../draw/elements.js";
import { Options } from "./options.js";
import { Patches } from "./patches.js";
import { Result } from "./result.js";
import { Scale } from "./scale.js";
import { says } from "./words.js";

/** What takes a guess of one kind.
 *  @typedef {{ root: HTMLElement, actions: Record<string, Action>, hint: string,
 *              draw(vote: Vote | null, open: boolean): void }} Hand */

export class Question {
    /** @param {HTMLElement} root @param {Column} column @param {Photo} photo
     *  @param {(vote: Vote) => void} vote what a guess is told */
    constructor(root, column, photo, vote) {
        this.root = root;
        this.column = column;
        this.photo = photo;
        this.vote = vote;
        /** What stands in the root. */
        this.made = "";
        /** @type {Hand | null} */
        this.hand = null;
        this.asks = element("h2", { class: "asks" });
        this.result = new Result(root, column, photo, this.asks);
        this.own = element("p", { class: "own", "aria-live": "polite" });
        this.phase = element("p", { class: "phase", "aria-live": "polite" });
        /** What can be done now, before the board's own. @type {Record<string, Action>} */
        this.actions = {};
    }

    /** To be called after the scene has drawn. @param {State} state @param {Own} own the guesses of this browser by round
     *  @param {boolean} there whether the board stands where this was asked
     *  @param {number | null} [voted] on a screen that leads, and takes no guess: how many have guessed
     *  @param {string} [uncounted] why the guess of this browser, or another one, is not among the sums */
    draw(state, own, there, voted = null, uncounted = "") {
        const { question, phase, step } = state;
        if (!question) return;
        const shown = phase === "revealed";
        this.root.classList.add("guessing");
        this.root.classList.toggle("result", shown);
        const key = JSON.stringify([step, question, shown]);
        if (key !== this.made) this.make(question, shown);
        this.made = key;
        this.actions = {};
        if (shown) this.result.draw(state, own, there, uncounted);
        else this.ask(question, state, own, voted, uncounted);
    }

    /** @param {QuestionOf} question @param {State} state @param {Own} own @param {number | null} voted
     *  @param {string} uncounted */
    ask(question, { phase, round, view }, own, voted, uncounted) {
        const { photo, column } = this;
        const hand = /** @type {Hand} */ (this.hand);
        const open = phase === "open" && voted === null;
        if (open) this.actions = hand.actions;
        Object.assign(photo, { grid: true, light: null, over: null, chooses: null, specials: false, steps: [] });
        photo.frames = /[?&]query=/.test(view)
            ? [{ token: column.chosen.query, colour: column.data.palette.query }]
            : [];
        hand.draw(own[round - 1], open);
        saying(this.own, voted === null ? says(column.meta, question, own[round - 1], round, own[0], uncounted) : "");
        saying(this.phase, this.where(phase, round, open ? hand.hint : "", voted));
    }

    /** @param {State["phase"]} phase @param {number} round @param {string} hint @param {number | null} voted */
    where(phase, round, hint, voted) {
        if (phase === "none") return "Think first: guesses open in a moment.";
        const many = voted === null ? "" : ` ${voted} ${voted === 1 ? "has" : "have"} guessed.`;
        if (phase === "locked") {
            const talk = round === 1 ? " Talk with your neighbour: who is right, and why?" : "";
            return `Locked: no guess changes any more.${many}${talk}`;
        }
        return `${round === 2 ? "Second guess. " : ""}${hint}${many}`;
    }

    /** @param {QuestionOf} question @param {boolean} shown */
    make(question, shown) {
        const { column, photo, vote } = this;
        this.root.dataset.kind = question.kind;
        this.asks.textContent = question.asks;
        if (shown) return this.result.close();
        if (question.kind === "choose") this.hand = new Options(question, vote);
        else if (question.kind === "number") this.hand = new Scale(question, vote);
        else this.hand = new Patches(column, photo, question.kind === "pair" ? 2 : 1, vote);
        this.root.replaceChildren(this.asks, this.hand.root, this.own, this.phase);
    }

    close() {
        this.root.replaceChildren();
        this.made = "";
        this.actions = {};
    }
}
