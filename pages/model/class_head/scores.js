// Logits, softmax, probabilities; and what speaks for one class: the token times the weights of that class.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Lens } from "#frontend/state/lens.js" */

import { fillBars, ranking } from "#frontend/draw/bars.js";
import { element } from "#frontend/draw/elements.js";
import { wrapped } from "#frontend/draw/lines.js";
import { addend, small, whole } from "#frontend/draw/text.js";
import { drawStrips } from "#frontend/draw/vectors.js";
import { now } from "#frontend/state/edited.js";
import { place } from "#frontend/state/lens.js";

const ROWS = 7;
export const SPEAKS = 92; // CSS pixels of what speaks for a class, under the table

/** The table of scores: pointing at a row previews its class, a click chooses it. */
export class Scores {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.table = element("table", { class: "sizes scores" });
        this.written = "";
    }

    /** @param {Lens | null} lens @param {Lens | null} ghost that of the unedited run, outlined @param {Selection} shown
     *  @param {number} room CSS pixels from the top that the table may take */
    fill(lens, ghost, shown, room) {
        const { column, table } = this;
        const { digest } = column.meta;
        const written = [digest, shown.after, shown.answer, shown.edits, column.parcels.count, room].join(" ");
        if (!lens || table.dataset.written === written) return;
        table.dataset.written = written;
        const before = ghost?.probabilities(shown.after);
        const [logits, probabilities] = [lens.logits(shown.after), lens.probabilities(shown.after)];
        const chosen = lens.answer(shown);
        const best = ranking(probabilities, ROWS);
        const among = best.includes(chosen);
        const order = among ? best : [...best.slice(0, -1), chosen];
        const most = Math.max(...order.map((it) => Math.abs(logits[it])), 1e-9);
        const rows = order.map((it) => {
            const bar = element("i");
            bar.style.width = `${(100 * Math.abs(logits[it])) / most}%`;
            if (logits[it] < 0) bar.classList.add("negative");
            const answer = element("ol", { class: "answer" });
            fillBars(answer, () => "", [probabilities[it]], 1);
            if (before) {
                const hollow = element("i", { class: "ghost" });
                hollow.style.width = `${100 * (before[ghost?.place(lens.number(it)) ?? -1] ?? 0)}%`;
                answer.querySelector(".bar")?.append(hollow);
            }
            const button = element("button", { type: "button", "aria-pressed": String(it === chosen) }, lens.label(it));
            const row = element(
                "tr",
                it === chosen ? { class: "here" } : {},
                element("th", { scope: "row" }, button),
                element("td", {}, small(logits[it])),
                element("td", {}, element("span", { class: "bar" }, bar)),
                element("td", { class: "wide" }, answer),
            );
            const asked = { answer: lens.number(it) };
            row.addEventListener("click", () => column.choose(asked));
            return row;
        });
        const heads = [
            place(shown.after),
            "logit y",
            "",
            `probability eʸ / Σ eʸ${before ? ", outlined: unedited" : ""}`,
        ];
        table.replaceChildren(
            element("thead", {}, element("tr", {}, ...heads.map((it) => element("th", { scope: "col" }, it)))),
            element("tbody", {}, ...rows),
        );
        while (table.offsetHeight > room && rows.length > 2) rows.splice(among ? -1 : -2, 1)[0].remove();
    }
}

/** What every component adds to the logit of the class that is looked at.
 *  @param {CanvasRenderingContext2D} context @param {Column} column @param {Lens} lens @param {Selection} shown
 *  @param {number} width @param {number} height */
export function drawSpeaks(context, column, lens, shown, width, height) {
    const weights = column.array("class-weights", "weights");
    const biases = column.array("class-weights", "biases")?.data;
    const inputs = now(column, "class-inputs", "inputs")?.data;
    const { read, reads } = /** @type {{read: string, reads: number}} */ (column.data.facts);
    if (!weights || !biases || !inputs) {
        const size = `The ${whole(column.meta.classes)} × ${whole(reads)} weights of the head`;
        const says = column.data.facts.weights
            ? `${size} are on their way.`
            : `${size} are too many to be sent: what speaks for a class stays out.`;
        return wrapped(context, says, 0, height - 50, width);
    }
    const [heads, classes] = weights.shape;
    const at = lens.answer(shown);
    const number = lens.number(at);
    const product = new Float64Array(reads);
    let bias = 0;
    for (let head = 0; head < heads; head++) {
        bias += biases[head * classes + number] / heads;
        const [token, row] = [(shown.after * heads + head) * reads, (head * classes + number) * reads];
        for (let i = 0; i < reads; i++) product[i] += (inputs[token + i] * weights.data[row + i]) / heads;
    }
    const sum = product.reduce((a, b) => a + b, 0);
    const two = heads > 1 ? ", mean of both heads" : "";
    const strips = [
        {
            name: `${lens.label(at)}: ${width > 560 ? `${read} · its weights, component by component` : `${read} · weights`}${two}: sum ${small(sum)} + bias ${addend(bias)} = ${small(sum + bias)}`,
            values: product,
        },
    ];
    drawStrips(context, strips, { y: height - SPEAKS, width, height: SPEAKS });
}
