// The question of a step in the lecturer's window: what is right, how many have guessed, and what they guess.

/** @import { Lecturer } from "./lecturer.js" */

import { element } from "../../../board/frontend/draw/elements.js";
import { advice, counted, rightOf } from "./counted.js";

const PHASES = {
    none: "Not asked yet.",
    open: "Open: guesses come in.",
    locked: "Locked: let them talk.",
    revealed: "The answer is shown.",
};

/** A sentence without the braces around its roles. @param {string} text */
export const plain = (text) => text.replace(/[{}]/g, "");

export class Asking {
    /** @param {Lecturer} window */
    constructor(window) {
        this.window = window;
        this.root = element("section", { class: "question", "aria-label": "The question" });
        this.counted = element("section", { class: "counted", "aria-label": "The guesses" });
        this.made = "";
    }

    /** What the guesses that are locked call for, or "". */
    get advice() {
        const { question, truth, room, state } = this.window;
        const last = room.rounds.at(-1);
        if (!question || !truth || !last || state?.phase !== "locked") return "";
        return advice(rightOf(question, last, truth), last.voted, state.round);
    }

    draw() {
        const { step, question, answer, room, grid, state } = this.window;
        const { following } = room;
        const rounds = state ? room.rounds : [];
        const wanted = JSON.stringify([step, state?.phase, state?.round, rounds, answer ?? null, grid, following]);
        this.root.hidden = !question;
        if (!question) this.counted.replaceChildren();
        if (!question || wanted === this.made) {
            this.made = wanted;
            return;
        }
        this.made = wanted;
        const truth = answer?.truth ?? null;
        const { explains } = this.window.steps[step - 1];
        const phase = state
            ? PHASES[state.phase]
            : room.state
              ? "The room is at another lesson."
              : "Open a room to ask it.";
        const last = rounds.at(-1);
        const many = last ? ` ${last.voted} of ${following} have guessed.` : "";
        const right = truth ? `Right: ${truth.text}` : answer?.why || "The answer is being computed …";
        this.root.replaceChildren(
            element("h3", {}, question.asks),
            element("p", { class: "phase", role: "status" }, phase + many),
            element("p", { class: "advice" }, this.advice),
            element("p", { class: "right" }, right),
            element("p", { class: "explains" }, plain(explains)),
        );
        this.counted.replaceChildren(rounds.length ? counted(question, rounds, truth, grid) : "");
    }
}
