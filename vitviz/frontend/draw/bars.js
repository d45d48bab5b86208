// Answers: the most probable classes, each with a bar as long as its probability.

import { element } from "./elements.js";
import { small } from "./text.js";

/** Classes by probability, the largest first. @param {ArrayLike<number>} probabilities @param {number} most */
export function ranking(probabilities, most) {
    const order = Array.from(probabilities, (_, at) => at);
    return order.sort((a, b) => probabilities[b] - probabilities[a] || a - b).slice(0, most);
}

/** Fill `target` with the most probable classes. @param {HTMLElement} target @param {(at: number) => string} label
 *  @param {ArrayLike<number> | undefined} probabilities @param {number} [most] */
export function fillBars(target, label, probabilities, most = 3) {
    if (!probabilities) {
        const coming = (/** @type {number} */ at) =>
            element("span", { class: "coming" }, at ? "\u00a0" : "on its way …");
        target.replaceChildren(...Array.from({ length: most }, (_, at) => element("li", {}, coming(at))));
        return;
    }
    const lines = ranking(probabilities, most).map((at) => {
        const bar = element("i");
        bar.style.width = `${100 * probabilities[at]}%`;
        const line = element(
            "li",
            { "data-class": String(at) },
            element("span", {}, label(at)),
            element("span", { class: "bar" }, bar),
        );
        line.append(element("b", {}, small(probabilities[at])));
        return line;
    });
    target.replaceChildren(...lines);
}
