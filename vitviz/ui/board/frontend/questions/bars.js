// How many guessed which option: a bar for each round, side by side; what is right has a tick. Alone there are no bars.

/** @import { Answered } from "./result.js" */

import { element } from "../draw/elements.js";
import { roundNames } from "./words.js";

/** @param {Answered} answered */
export function bars({ question, result: { rounds, truth }, own }) {
    const heads = roundNames(rounds).map((name) => element("th", { scope: "col" }, name));
    const most = Math.max(1, ...rounds.flatMap(({ choose = [] }) => choose));
    const lines = question.options.map((option, at) => {
        const right = at === truth.option;
        const you = (/** @type {number} */ round) => (own[round] === at ? element("em", {}, "you") : "");
        const cells = rounds.map(({ choose = [] }, round) => {
            const bar = element("i");
            bar.style.width = `${(100 * choose[at]) / most}%`;
            const count = element("b", {}, String(choose[at]));
            return element("td", {}, element("span", { class: "bar" }, bar), count, " ", you(round));
        });
        const name = element("th", { scope: "row" }, right ? "✓ " : "", option, " ", rounds.length ? "" : you(0));
        return element("tr", right ? { class: "right" } : {}, name, ...cells);
    });
    const head = element("thead", {}, element("tr", {}, element("td"), ...heads));
    return element("table", { class: "guesses" }, head, element("tbody", {}, ...lines));
}
