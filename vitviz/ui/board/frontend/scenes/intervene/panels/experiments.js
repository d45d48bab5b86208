// Six prepared experiments: a question, a guess, and then what the running model says.

/** @import { Board } from "../../../state/board.js" */
/** @import { Lens } from "../../../state/lens.js" */
/** @import { Meta } from "../../../types.js" */
/** @import { History } from "../../../editing/history.js" */

import { ranking } from "../../../draw/bars.js";
import { element } from "../../../draw/elements.js";
import { small } from "../../../draw/text.js";
import { read } from "../../../state/edits.js";

const LESS = 0.1; // a fall of the probability that counts

/** What can come of an experiment, and how it is said. */
export const OUTCOMES = /** @type {const} */ ([
    ["same", "about the same answer"],
    ["less", "the same answer, less sure"],
    ["other", "another answer"],
]);

/** @param {Meta} meta @param {(layer: number) => string} word */
const each = ({ depth }, word) => Array.from({ length: depth }, (_, layer) => word(layer + 1)).join(" ");

/** A question, the edits that answer it, and what it teaches whatever comes out.
 *  @type {{ asks: string, edits(meta: Meta): string, teaches: string }[]} */
export const EXPERIMENTS = [
    {
        asks: "One head of many is switched off.",
        edits: ({ depth }) => `h${Math.ceil((2 * depth) / 3)}.1*0`,
        teaches: "Heads share the work: one alone is seldom missed. Try them all in the next moment.",
    },
    {
        asks: "The attention of the second half of the layers is off.",
        edits: (meta) => each(meta, (layer) => (layer > meta.depth / 2 ? `a${layer}*0` : "")),
        teaches: "What is off adds nothing: the residual stream carries the tokens past it.",
    },
    {
        asks: "Every MLP is off.",
        edits: (meta) => each(meta, (layer) => `m${layer}*0`),
        teaches: "Attention moves what is there between tokens; the MLPs make something of it.",
    },
    {
        asks: "Four of five patches are hidden.",
        edits: ({ patches }) => Array.from({ length: patches }, (_, at) => (at % 5 ? `p${at + 1}` : "")).join(" "),
        teaches: "Trained ViTs often need few patches: 60 % of ImageNet's classes survive this (Naseer et al., 2021).",
    },
    {
        asks: "The position embeddings are off.",
        edits: () => "e=off",
        teaches: "Without positions a patch is in no place: things may stay, left and right do not.",
    },
    {
        asks: "Every token looks at one token only: top-k is 1.",
        edits: () => "k=1",
        teaches: "A sharp softmax is close to its largest weight; how much the rest matters is what this shows.",
    },
];

/** What came of an experiment. @param {ArrayLike<number>} before @param {ArrayLike<number>} after */
export function outcome(before, after) {
    const best = ranking(before, 1)[0];
    if (ranking(after, 1)[0] !== best) return "other";
    return before[best] - after[best] < LESS ? "same" : "less";
}

export class Experiments {
    /** @param {Board} board @param {History} history */
    constructor(board, history) {
        this.board = board;
        this.history = history;
        this.at = -1;
        /** What was guessed of each, by its place. @type {Map<number, string>} */
        this.guesses = new Map();
        this.questions = EXPERIMENTS.map(({ asks }, at) => {
            const button = element("button", { type: "button" }, `${at + 1}. ${asks}`);
            button.addEventListener("click", () => this.open(at));
            return button;
        });
        this.guessing = OUTCOMES.map(([name, says]) => {
            const button = element("button", { type: "button" }, says);
            button.addEventListener("click", () => this.guess(name));
            return { name, button };
        });
        this.others = element("button", { type: "button" }, "‹ all six questions");
        this.others.addEventListener("click", () => {
            this.at = -1;
            board.invalidate();
        });
        this.verdict = element("p", { class: "verdict", role: "status" });
        this.answer = element(
            "div",
            { class: "guess" },
            element("p", {}, "What will the model say? Guess, and see:"),
            element(
                "p",
                { class: "tools", role: "group", "aria-label": "Your guess" },
                ...this.guessing.map(({ button }) => button),
            ),
            this.verdict,
        );
        this.root = element(
            "div",
            { class: "experiments" },
            element("div", { class: "asked" }, this.others, ...this.questions),
            this.answer,
        );
    }

    /** @param {number} at */
    open(at) {
        this.at = at;
        if (this.guesses.has(at)) this.apply();
        else if (this.board.chosen.edits) this.history.set([]);
        this.board.invalidate();
    }

    /** @param {string} name */
    guess(name) {
        this.guesses.set(this.at, name);
        this.apply();
        this.board.invalidate();
    }

    /** The edits of the experiment, as text. @param {number} at */
    edits(at) {
        return read(EXPERIMENTS[at].edits(this.board.meta), this.board.meta);
    }

    apply() {
        this.board.choose({ layer: this.board.meta.depth - 1 });
        this.history.set(this.edits(this.at));
    }

    /** @param {Lens | null} original @param {Lens | null} edited */
    draw(original, edited) {
        for (const [at, button] of this.questions.entries()) {
            button.setAttribute("aria-pressed", String(at === this.at));
            button.hidden = this.at >= 0 && at !== this.at;
        }
        this.others.hidden = this.at < 0;
        this.answer.hidden = this.at < 0;
        if (this.at < 0) return;
        const guessed = this.guesses.get(this.at);
        for (const { name, button } of this.guessing) button.setAttribute("aria-pressed", String(name === guessed));
        this.verdict.textContent = guessed ? this.told(guessed, original, edited) : "";
    }

    /** @param {string} guessed @param {Lens | null} original @param {Lens | null} edited */
    told(guessed, original, edited) {
        const { depth } = this.board.meta;
        if (!original || !edited) return "The model is running …";
        const [before, after] = [original.probabilities(depth), edited.probabilities(depth)];
        const came = outcome(before, after);
        const now = ranking(after, 1)[0];
        const says = OUTCOMES.find(([name]) => name === came)?.[1] ?? "";
        const right = came === guessed ? "Right" : "Not so";
        return `${right}: ${says} (${original.label(now)} ${small(after[now])}). ${EXPERIMENTS[this.at].teaches}`;
    }
}
