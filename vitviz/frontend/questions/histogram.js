// What a class guessed, counted: bars for options, and how many guessed which number, on a log scale; what is right is a line.

import { element } from "../draw/elements.js";
import { BINS } from "../schema/guesses.js";
import { labels } from "./scale.js";
import { placeOf } from "./sums.js";
import { number, roundNames } from "./words.js";

/** @import { Answered } from "./result.js" */
/** @import { Sums } from "../types/lecture.js" */

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

/** @param {Answered} answered */
export function histograms({ question, result: { rounds, truth }, own }) {
    const most = Math.max(1, ...rounds.flatMap((sums) => sums.number ?? []));
    const names = roundNames(rounds);
    const factor = (question.high / question.low) ** (1 / BINS);
    const alone = /** @type {Sums} */ ({ voted: 0, right: null });
    const panels = (rounds.length ? rounds : [alone]).map(({ number: counts = [], right }, round) => {
        const columns = counts.map((count) => {
            const bar = element("i");
            bar.style.height = `${(100 * count) / most}%`;
            return element("span", {}, element("b", {}, count ? String(count) : ""), bar);
        });
        const known = truth.value !== undefined;
        const line = known
            ? [at("line", Number(truth.value), element("span", {}, `✓ ${number(Number(truth.value))}`))]
            : [];
        const mine = own[round];
        const you = mine === null ? [] : [at("you", Number(mine), element("span", {}, "you"))];
        const near = right === null ? "" : `; ${right} within a factor of ${Number(factor.toPrecision(2))}`;
        return element(
            "figure",
            { class: "histogram" },
            element("figcaption", {}, rounds.length ? names[round] + near : ""),
            element("div", { class: "columns" }, ...columns, ...line, ...you),
            labels(question, 3),
        );
    });
    return element("div", { class: "histograms" }, ...panels);

    /** Something at the place of a number. @param {string} name @param {number} value @param {Node | string} content */
    function at(name, value, content) {
        const place = placeOf(question, value);
        const node = element("span", { class: `${name} ${place > 0.5 ? "left" : ""}` }, content);
        node.style.left = `${100 * place}%`;
        return node;
    }
}
