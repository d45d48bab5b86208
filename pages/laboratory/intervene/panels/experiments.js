// Six prepared experiments: a question, a guess, and then what the running model says, and what that means.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Meta } from "#frontend/types/board.js" */
/** @import { History } from "#frontend/editing/history.js" */
/** @import { Outcome } from "#frontend/editing/outcome.js" */
/** @import { Run } from "#frontend/editing/runs.js" */
/** @import { Moved } from "../compared.js" */

import { buttonFor, element } from "#frontend/draw/elements.js";
import { small } from "#frontend/draw/text.js";
import { canRise, OUTCOMES, outcome, RULE } from "#frontend/editing/outcome.js";
import { read } from "#frontend/edits/edits.js";
import { MOVES } from "../compared.js";

/** @param {Meta} meta @param {(layer: number) => string} word */
const each = ({ depth }, word) => Array.from({ length: depth }, (_, layer) => word(layer + 1)).join(" ");

const NASEER =
    "ViTs kept up to 60 % top-1 accuracy on ImageNet with 80 % of each image occluded (Naseer et al., 2021).";

/** A question, the edits that answer it, what these take away, and what each outcome means.
 *  @type {{ asks: string, takes: string, edits(meta: Meta): string, means: Record<Outcome, string>, balls?: boolean, needs?: "positions" }[]} */
export const EXPERIMENTS = [
    {
        asks: "One head of many is switched off.",
        takes: "this head",
        edits: ({ depth }) => `h${Math.ceil((2 * depth) / 3)}.1*0`,
        means: {
            same: "The other heads carry this answer without it. The next moment tries each head.",
            less: "It still comes first; what it lost came through this head. The next moment tries each.",
            surer: "It spoke against this answer. The next moment tries each head.",
            other: "The answer hung on this one head. The next moment tries each.",
        },
    },
    {
        asks: "The attention of the second half of the layers is off.",
        takes: "the attention of the later layers",
        edits: (meta) => each(meta, (layer) => (layer > meta.depth / 2 ? `a${layer}*0` : "")),
        means: {
            same: "What it needs had passed between the tokens by the middle; the residual stream carries it on.",
            less: "It still comes first; what it lost came through the attention of the later layers.",
            surer: "The later attention spoke against this answer.",
            other: "What the answer needs passes between the tokens in the later layers, too.",
        },
    },
    {
        asks: "Every MLP is off.",
        takes: "the MLPs",
        edits: (meta) => each(meta, (layer) => `m${layer}*0`),
        means: {
            same: "Attention moves what is there between tokens, and here that is enough.",
            less: "It still comes first; what it lost came through the MLPs.",
            surer: "The MLPs spoke against this answer.",
            other: "Attention moves what is there between tokens; the answer needs what the MLPs make of it.",
        },
    },
    {
        asks: "Four of five patches are hidden.",
        takes: "the other patches",
        edits: ({ patches }) => Array.from({ length: patches }, (_, at) => (at % 5 ? `p${at + 1}` : "")).join(" "),
        means: {
            same: `Here every fifth patch is enough. ${NASEER}`,
            less: `It still comes first; what it lost came from the other patches. ${NASEER}`,
            surer: `The hidden patches spoke against this answer. ${NASEER}`,
            other: `Here every fifth patch is not enough. ${NASEER}`,
        },
    },
    {
        asks: "The position embeddings are off.",
        takes: "the positions",
        edits: () => "e=off",
        means: {
            same: "Nothing says where a patch was: what is there was enough, or a guess was right.",
            less: "It still comes first; what it lost came from the positions.",
            surer: "The positions spoke against this answer.",
            other: "Without positions a patch is in no place, and this answer needed them.",
        },
        balls: true,
        needs: "positions",
    },
    {
        asks: "Every token looks at one token only: top-k is 1.",
        takes: "the smaller weights",
        edits: () => "k=1",
        means: {
            same: "The largest weight of each row was enough for this answer.",
            less: "It still comes first; what it lost came from the smaller weights.",
            surer: "The smaller weights spoke against this answer.",
            other: "The answer needed the smaller weights, too.",
        },
    },
];

/** @param {[string, number]} answer */
const said = ([label, probability]) => `${label} ${small(probability)}`;

/** Why a model cannot be asked a question, or "". @param {number} at @param {{ positions: string }} own */
export const lacking = (at, { positions }) =>
    EXPERIMENTS[at].needs && positions === "none" ? "Not here: this model has none." : "";

/** The question that is open when the page comes again, with another picture. */
let reopened = -1;

export class Experiments {
    /** @param {Column} column @param {History} history @param {Moved} moved */
    constructor(column, history, moved) {
        this.column = column;
        this.history = history;
        this.moved = moved;
        this.at = reopened;
        reopened = -1;
        /** What was guessed of each, by its place. @type {Map<number, Outcome>} */
        this.guesses = new Map();
        this.questions = EXPERIMENTS.map((_, at) => {
            return buttonFor("", () => this.open(at));
        });
        this.guessing = OUTCOMES.map(([name]) => {
            const button = buttonFor("", () => this.guess(name));
            return { name, button };
        });
        this.others = buttonFor(
            "‹",
            () => {
                this.at = -1;
                column.invalidate();
            },
            { "aria-label": "all six questions" },
        );
        this.asks = element("p");
        this.rule = element("p", { class: "hint" });
        this.verdict = element("p", { class: "verdict", role: "status" });
        this.balls = buttonFor("Try it on balls in one column", () => this.tryBalls());
        this.answer = element(
            "div",
            { class: "guess" },
            this.asks,
            element(
                "p",
                { class: "tools", role: "group", "aria-label": "Your guess" },
                ...this.guessing.map(({ button }) => button),
            ),
            this.rule,
            this.verdict,
            this.balls,
        );
        this.root = element(
            "div",
            { class: "experiments" },
            element("div", { class: "asked" }, this.others, ...this.questions),
            this.answer,
        );
    }

    /** The maps show the last layer, which every experiment reaches: before the guess, so that what changes is the edit's.
     *  @param {number} at */
    open(at) {
        this.at = at;
        this.column.choose({ layer: this.column.meta.depth - 1 });
        if (this.guesses.has(at)) this.apply();
        else if (this.column.chosen.edits) this.history.set([]);
        this.column.invalidate();
    }

    /** @param {Outcome} name */
    guess(name) {
        this.guesses.set(this.at, name);
        this.apply();
        this.column.invalidate();
    }

    /** The edits of the experiment, as text. @param {number} at */
    edits(at) {
        return read(EXPERIMENTS[at].edits(this.column.meta), this.column.meta);
    }

    /** The same question of a picture that shows what positions are for. */
    tryBalls() {
        reopened = this.at;
        this.history.set([]);
        this.column.store.settle(); // Python runs with what the address says
        this.column.board.sidebar?.chooseSample(Number(this.column.data.facts.balls));
    }

    apply() {
        this.history.set(this.edits(this.at));
    }

    /** @param {Run} before @param {Run | null} after with the edits of the moment */
    draw(before, after) {
        const { classes } = this.column.meta;
        const own = /** @type {{ positions: string }} */ (this.column.data.facts.own);
        if (this.at >= 0 && lacking(this.at, own)) this.at = -1; // it was open with another model
        for (const [at, button] of this.questions.entries()) {
            const why = lacking(at, own);
            button.disabled = why !== "";
            button.textContent = `${at + 1}. ${EXPERIMENTS[at].asks} ${why}`.trim();
            button.ariaPressed = String(at === this.at);
            button.hidden = this.at >= 0 && at !== this.at;
        }
        this.others.hidden = this.at < 0;
        this.others.parentElement?.toggleAttribute("data-one", this.at >= 0);
        this.answer.hidden = this.at < 0;
        if (this.at < 0) return;
        const guessed = this.guesses.get(this.at);
        this.asks.hidden = guessed !== undefined;
        this.asks.textContent = `The maps now show layer ${this.column.chosen.layer + 1}. What will ${classes ? "the model say" : `become of the ${this.moved.what}`}? Guess, and see:`;
        this.rule.textContent = classes ? RULE : this.moved.rule;
        const says = new Map(classes ? OUTCOMES : MOVES);
        const { lens } = before;
        const likely = lens ? Math.max(...lens.probabilities(lens.depth)) : 0;
        for (const { name, button } of this.guessing) {
            button.ariaPressed = String(name === guessed);
            button.textContent = says.get(name) ?? "";
            button.hidden = !says.has(name) || (name === "surer" && !canRise(likely));
        }
        this.balls.hidden = !EXPERIMENTS[this.at].balls || !this.column.data.facts.balls;
        this.verdict.textContent = guessed ? this.told(guessed, before, after) : "";
    }

    /** @param {Outcome} guessed @param {Run} before @param {Run | null} after */
    told(guessed, before, after) {
        const { classes, depth } = this.column.meta;
        const [original, edited] = [before.lens, after?.lens];
        if (!this.edits(this.at).length) return "This model has nothing of the kind: nothing changes.";
        if (!classes && after) return this.moved.verdict(guessed, EXPERIMENTS[this.at].takes, before, after);
        if (!original || !edited) return "The model is running …";
        const [as, off] = EXPERIMENTS[this.at].balls
            ? /** @type {[string, number][]} */ (this.column.data.facts.aligned)
            : [];
        const balls = as ? ` Balls in one column: ${said(as)} → ${said(off)}.` : "";
        return verdict(this.at, guessed, original.probabilities(depth), edited.probabilities(depth)) + balls;
    }
}

/** What came, against the guess. @param {number} at @param {Outcome} guessed @param {ArrayLike<number>} before
 *  probabilities @param {ArrayLike<number>} after */
export function verdict(at, guessed, before, after) {
    const came = outcome(before, after);
    const says = OUTCOMES.find(([name]) => name === came)?.[1];
    return `${came === guessed ? "Right" : "Not so"}: ${says}. ${EXPERIMENTS[at].means[came]}`;
}
