// How many guessed which option: a bar for each round, side by side; what is right has a tick.

/** @import { Answered } from "./result.js" */

import { element } from "../../draw/elements.js";
import { roundNames } from "./words.js";

/** @param {Answered} answered */
export function bars({ question, result: { rounds, truth }, own }) {
    const heads = roundNames(rounds).map((name) => element("th", { scope: "col" }, name));
    const most = Math.max(1, ...rounds.flatMap(({ choose = [] }) => choose));
    const lines = question.options.map((option, at) => {
        const right = at === truth.option;
        const cells = rounds.map(({ choose = [] }, round) => {
            const bar = element("i", {});
            bar.style.width = `${(100 * choose[at]) / most}%`;
            const you = own[round] === at ? element("em", {}, "you") : "";
            return element("td", {}, element("span", { class: "bar" }, bar), element("b", {}, String(choose[at])), you);
        });
        const name = element("th", { scope: "row" }, right ? "✓ " : "", option);
        return element("tr", right ? { class: "right" } : {}, name, ...cells);
    });
    const head = element("thead", {}, element("tr", {}, element("td", {}), ...heads));
    return element("table", { class: "guesses" }, head, element("tbody", {}, ...lines));
}
