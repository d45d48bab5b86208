// The answer with the edits, the unedited one as a hollow outline around it, and how far each logit has moved.

import { ranking } from "#frontend/draw/bars.js";
import { element, saying } from "#frontend/draw/elements.js";
import { small } from "#frontend/draw/text.js";

/** @import { Lens } from "#frontend/state/lens.js" */

/** A number with its sign. @param {number} value */
export const signed = (value) => (Math.abs(value) < 5e-4 ? "±0" : `${value > 0 ? "+" : ""}${small(value)}`);

/** Classes worth a bar: the most probable with the edits or without, the answer of now first.
 *  @param {ArrayLike<number>} before @param {ArrayLike<number>} after @param {number} most */
export function worthABar(before, after, most) {
    const kept = ranking(
        Array.from(before, (value, at) => Math.max(value, after[at])),
        most,
    );
    return ranking(after, after.length).filter((at) => kept.includes(at));
}

export class Bars {
    constructor() {
        this.list = element("ol", { class: "ghosts" });
        const names = ["outlined: unedited", "logit change · probability"].map((name) => element("span", {}, name));
        this.root = element(
            "div",
            { class: "answers" },
            element("p", { class: "names", "aria-hidden": "true" }, ...names),
            this.list,
        );
        /** @type {{ line: HTMLLIElement, name: HTMLElement, now: HTMLElement, ghost: HTMLElement, value: HTMLElement, was: HTMLElement, moved: HTMLElement }[]} */
        this.lines = [];
    }

    /** @param {number} most */
    write(most) {
        this.lines = Array.from({ length: most }, () => {
            const [name, was, moved] = ["name", "was", "moved"].map((it) => element("span", { class: it }));
            const value = element("b");
            const [now, ghost] = [element("i"), element("i", { class: "ghost" })];
            const line = element("li", {}, name, was, moved, element("span", { class: "bar" }, now, ghost), value);
            return { line, name, now, ghost, value, was, moved };
        });
        this.list.replaceChildren(...this.lines.map(({ line }) => line));
    }

    /** @param {Lens | null} original @param {Lens | null} edited @param {number} most */
    draw(original, edited, most) {
        if (!original) return;
        const depth = original.depth;
        const [before, logits] = [original.probabilities(depth), original.logits(depth)];
        const [after, moved] = [edited?.probabilities(depth) ?? before, edited?.logits(depth) ?? logits];
        const kept = worthABar(before, after, Math.min(most, before.length));
        if (this.lines.length !== kept.length) this.write(kept.length);
        const best = ranking(after, 1)[0];
        for (const [row, at] of kept.entries()) {
            const it = this.lines[row];
            it.line.dataset.class = String(original.number(at));
            it.line.classList.toggle("best", at === best);
            saying(it.name, original.label(at));
            it.now.style.width = `${100 * after[at]}%`;
            it.ghost.style.width = `${100 * before[at]}%`;
            it.value.textContent = small(after[at]);
            it.was.textContent = edited ? `was ${small(before[at])}` : "";
            it.moved.textContent = edited ? `Δ ${signed(moved[at] - logits[at])}` : "";
        }
    }
}
