// How many guessed which number: bars on a log scale for each round, side by side; what is right is a line.

/** @import { Sums } from "../lecture/types.js" */
/** @import { Answered } from "./result.js" */

import { element } from "../draw/elements.js";
import { labels } from "./scale.js";
import { BINS, placeOf } from "./sums.js";
import { number, roundNames } from "./words.js";

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
        const made = element("span", { class: `${name} ${place > 0.5 ? "left" : ""}` }, content);
        made.style.left = `${100 * place}%`;
        return made;
    }
}
