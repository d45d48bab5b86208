// Answers: the most probable classes, each with a bar as long as its probability.

import { element } from "./elements.js";
import { small } from "./text.js";

/** Classes by probability, the largest first. @param {ArrayLike<number>} probabilities @param {number} most */
export function ranking(probabilities, most) {
    const order = Array.from(probabilities, (_, at) => at);
    return order.sort((a, b) => probabilities[b] - probabilities[a] || a - b).slice(0, most);
}

/** What stands in a list, by its first line. @type {WeakMap<Element, string>} */
const filled = new WeakMap();

/** Fill `target` with the most probable classes; lines that stay the same stay there, for a hand may be on one.
 *  @param {HTMLElement} target @param {(at: number) => string} label @param {ArrayLike<number>} [probabilities]
 *  @param {number} [most] */
export function fillBars(target, label, probabilities = [], most = 3) {
    const ranked = ranking(probabilities, most);
    const all = String(ranked.map((at) => [at, label(at), probabilities[at]]));
    if (filled.get(target.children[0]) === all) return;
    const lines = ranked.map((at) => {
        const bar = element("i");
        bar.style.width = `${100 * probabilities[at]}%`;
        return element(
            "li",
            { "data-class": String(at) },
            element("span", {}, label(at)),
            element("span", { class: "bar" }, bar),
            element("b", {}, small(probabilities[at])),
        );
    });
    if (!all)
        for (let at = 0; at < most; at++)
            lines.push(element("li", {}, element("span", { class: "coming" }, at ? "\u00a0" : "on its way …")));
    target.replaceChildren(...lines);
    filled.set(lines[0], all);
}
