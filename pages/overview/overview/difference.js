// What differs between two models at a glance: answer, parameters, multiply-adds, time and accuracy.

/** @import { Column } from "#frontend/state/column.js" */

import { sameClasses } from "#frontend/columns/place.js";
import { ranking } from "#frontend/draw/bars.js";
import { element } from "#frontend/draw/elements.js";
import { small, whole } from "#frontend/draw/text.js";

const NAMES = ["answer", "parameters", "multiply-adds", "forward pass, ms", "accuracy, unlit scenes"];

/** What a model costs and reaches; a value that nobody measured is null.
 *  @typedef {{ answer: string, probability: number | null, numbers: (number | null)[] }} Costs */

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const table = element("table", { class: "costs" });
    root.append(table);
    let written = "";
    return {
        draw() {
            const [a, b] = [first, second].map(costsOf);
            const rows = [["", ...NAMES], line("A", a), line("B", b), differs(a, b, sameClasses(first, second))];
            const text = JSON.stringify(rows);
            if (text === written) return;
            written = text;
            table.replaceChildren(
                ...rows.map((cells, row) =>
                    element(
                        "tr",
                        {},
                        ...cells.map((cell, at) =>
                            element(row && at ? "td" : "th", { scope: row ? "row" : "col" }, cell),
                        ),
                    ),
                ),
            );
        },
    };
}

/** @param {Column} column @returns {Costs} */
function costsOf(column) {
    const lens = column.array("overview", "lens");
    const { parameters, macs, milliseconds, accuracy } = column.data.facts;
    const numbers = /** @type {(number | null)[]} */ ([parameters, macs, milliseconds, accuracy]);
    if (!column.meta.classes) return { answer: "no head", probability: null, numbers };
    const last = lens?.data.subarray(column.meta.depth * lens.shape[1]);
    if (!last) return { answer: "on its way", probability: null, numbers };
    const best = ranking(last, 1)[0];
    return { answer: column.label(best), probability: last[best], numbers };
}

/** @param {string} name @param {Costs} costs */
const line = (name, { answer, probability, numbers }) => [
    name,
    probability === null ? answer : `${answer} ${small(probability)}`,
    ...numbers.map(said),
];

/** @param {number | null} value */
const said = (value) => (value === null ? "not measured" : Number.isInteger(value) ? whole(value) : small(value));

/** @param {Costs} a @param {Costs} b @param {boolean} sameClasses */
function differs(a, b, sameClasses) {
    const answer = !sameClasses ? "other classes" : a.answer === b.answer ? "the same" : "another";
    const numbers = a.numbers.map((value, at) => {
        const other = b.numbers[at];
        if (value === null || other === null) return "";
        const change = other - value;
        return `${change > 0 ? "+" : ""}${said(change)}`;
    });
    return ["B − A", answer, ...numbers];
}
