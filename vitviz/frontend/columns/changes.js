// How the probability of each class changes from the first column to the second, where both know the same classes.

/** @import { Column } from "../state/column.js" */

import { element } from "../draw/elements.js";
import { small, whole } from "../draw/text.js";
import { sameClasses } from "./place.js";

const MOST = 4; // classes that stand in the strip
const ROUNDING = 1e-6; // two probabilities no further apart are the same

/** Probability by class number. @typedef {Map<number, number>} Shares */

/** Classes by the size of their change, and where that is nothing by their probability; the chosen one always among them.
 *  @param {Shares} first @param {Shares} second @param {number} most @param {number} chosen */
export function changed(first, second, most, chosen) {
    const both = [...first.keys()].filter((it) => second.has(it));
    const change = (/** @type {number} */ it) => (second.get(it) ?? 0) - (first.get(it) ?? 0);
    const size = (/** @type {number} */ it) => (Math.abs(change(it)) > ROUNDING ? Math.abs(change(it)) : 0);
    const top = (/** @type {number} */ it) => Math.max(first.get(it) ?? 0, second.get(it) ?? 0);
    const order = both.sort((a, b) => size(b) - size(a) || top(b) - top(a) || a - b);
    const listed = order.slice(0, most);
    if (order.includes(chosen) && !listed.includes(chosen)) listed[most - 1] = chosen;
    return listed.map((it) => ({ it, a: first.get(it) ?? 0, b: second.get(it) ?? 0, change: change(it) }));
}

export class Changes {
    /** @param {HTMLElement} root @param {Column} first @param {Column} second */
    constructor(root, first, second) {
        this.first = first;
        this.second = second;
        this.table = element("table", { class: "changes" });
        this.words = element("p", { class: "words" });
        root.append(this.table, this.words);
    }

    /** @param {Shares | null | undefined} a @param {Shares | null | undefined} b @param {string} where @param {number} chosen */
    fill(a, b, where, chosen) {
        const { first, table, words } = this;
        const why = this.why(Boolean(a && b));
        table.hidden = Boolean(why);
        words.textContent = why;
        if (why || !a || !b) return;
        const listed = changed(a, b, MOST, chosen);
        words.textContent = listed.every((it) => Math.abs(it.change) <= ROUNDING)
            ? `No probability differs: ${where}. These are the most probable classes.`
            : `Change of probability, B − A: ${where}. Bars from −1 to 1.`;
        const rows = listed.map(({ it, a: own, b: other, change }) => {
            const bar = element("i", { class: change < 0 ? "less" : "more" });
            bar.style.width = `${50 * Math.abs(change)}%`;
            bar.style[change < 0 ? "right" : "left"] = "50%";
            return element(
                "tr",
                it === chosen ? { class: "here", "data-class": String(it) } : { "data-class": String(it) },
                element("th", { scope: "row" }, first.label(it)),
                element("td", {}, `A ${small(own)}`),
                element("td", {}, `B ${small(other)}`),
                element("td", {}, element("span", { class: "bar" }, bar)),
                element("td", {}, element("b", {}, `${change > 0 ? "+" : ""}${small(change)}`)),
            );
        });
        table.replaceChildren(...rows);
    }

    /** Why the answers cannot be compared, or "". @param {boolean} here */
    why(here) {
        const { first, second } = this;
        const [a, b] = [first.meta.classes, second.meta.classes];
        if (!a || !b) return `${a ? "B" : "A"} has no head: it says nothing that could be compared.`;
        if (!here) return "The answers of both are on their way.";
        if (sameClasses(first, second)) return "";
        return (
            `The classes differ (A: ${whole(a)}, such as ${first.label(0)}; B: ${whole(b)}, such as ${second.label(0)}): ` +
            "their probabilities cannot be subtracted."
        );
    }
}
