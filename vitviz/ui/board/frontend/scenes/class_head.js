// Class head: the logit lens as lines over depth, logits and probabilities, the class token of two pictures.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { Areas } from "../draw/areas.js";
import { fillBars, ranking } from "../draw/bars.js";
import { element } from "../draw/elements.js";
import { font, onCanvas } from "../draw/surface.js";
import { small } from "../draw/text.js";
import { drawStrips, reach } from "../draw/vectors.js";

const BARS = 8;

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function classHead(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const table = element("table", { class: "sizes scores" });
    root.replaceChildren(canvas, table);
    const areas = new Areas(canvas, board);

    /** Numbers of all classes at one place of the depth. @param {string} name @param {number} after */
    const at = (name, after) =>
        board.array("lens", name)?.data.subarray(after * board.meta.classes, (after + 1) * board.meta.classes);
    const place = (/** @type {number} */ after) => (after ? `after layer ${after}` : "before layer 1");

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawLens = (context, { after }, width, height, colour) => {
        const { depth, classes } = board.meta;
        const [table, lines] = [board.array("lens", "probabilities")?.data, board.array("lens", "lines")?.data];
        if (!table || !lines) return;
        const [left, top, wide, tall] = [46, 14, width - 250, height - 60];
        const x = (/** @type {number} */ layer) => left + (layer * wide) / depth;
        const y = (/** @type {number} */ value) => top + tall * (1 - value);
        font(context, 15);
        context.fillStyle = colour;
        context.strokeStyle = colour;
        context.globalAlpha = 0.35;
        context.strokeRect(left, top, wide, tall);
        context.globalAlpha = 1;
        context.textAlign = "center";
        for (let layer = 0; layer <= depth; layer++) {
            if (depth <= 16 || layer % 4 === 0) context.fillText(String(layer), x(layer), top + tall + 20);
            const half = wide / depth / 2;
            areas.add({ x: x(layer) - half, y: top, width: 2 * half, height: tall + 26, at: () => ({ after: layer }) });
        }
        context.fillText("read after layer", left + wide / 2, top + tall + 42);
        context.textAlign = "right";
        for (const value of [0, 0.5, 1]) context.fillText(String(value), left - 8, y(value) + 5);
        context.strokeStyle = board.data.palette.chosen;
        context.lineWidth = 3;
        context.beginPath();
        context.moveTo(x(after), top);
        context.lineTo(x(after), top + tall);
        context.stroke();
        const leader = ranking(table.subarray(depth * classes), 1)[0];
        for (const line of [...lines].reverse()) {
            context.strokeStyle = line === leader ? board.data.palette.head : colour;
            context.globalAlpha = line === leader ? 1 : 0.4;
            context.lineWidth = line === leader ? 5 : 2;
            context.beginPath();
            for (let layer = 0; layer <= depth; layer++) context.lineTo(x(layer), y(table[layer * classes + line]));
            context.stroke();
        }
        context.globalAlpha = 1;
        context.textAlign = "left";
        const here = table.subarray(after * classes, (after + 1) * classes);
        font(context, 17, 600);
        context.fillText(place(after), left + wide + 20, top + 18);
        for (const [row, which] of ranking(here, 6).entries()) {
            font(context, 16, which === leader ? 600 : 400);
            context.fillText(board.label(which), left + wide + 20, top + 50 + row * 48, 180);
            context.fillText(small(here[which]), left + wide + 20, top + 70 + row * 48);
        }
    };

    /** @param {Selection} shown */
    const fillScores = ({ after }) => {
        const [logits, probabilities] = [at("logits", after), at("probabilities", after)];
        const key = `${board.meta.digest} ${after} ${Boolean(logits)}`;
        if (!logits || !probabilities || table.dataset.key === key) return;
        table.dataset.key = key;
        const order = ranking(probabilities, BARS);
        const most = Math.max(...order.map((it) => Math.abs(logits[it])), 1e-9);
        let sum = 0;
        for (const logit of logits) sum += Math.exp(logit - logits[order[0]]);
        const rows = order.map((it) => {
            const bar = element("i", {});
            bar.style.width = `${(100 * Math.abs(logits[it])) / most}%`;
            if (logits[it] < 0) bar.classList.add("negative");
            const answer = element("ol", { class: "answer" });
            fillBars(answer, () => "", [probabilities[it]], 1);
            return element(
                "tr",
                {},
                element("th", { scope: "row" }, board.label(it)),
                element("td", {}, small(logits[it])),
                element("td", {}, element("span", { class: "bar" }, bar)),
                element("td", {}, small(Math.exp(logits[it] - logits[order[0]]) / sum)),
                element("td", { class: "wide" }, answer),
            );
        });
        const heads = [place(after), "logit", "", "e^y / Σ e^y", "probability"];
        table.replaceChildren(
            element("thead", {}, element("tr", {}, ...heads.map((it) => element("th", { scope: "col" }, it)))),
            element("tbody", {}, ...rows),
        );
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawToken = (context, { after }, width, height, colour) => {
        const { dim } = board.meta;
        const [own, other] = ["own", "other"].map((name) =>
            board.array("class-token", name)?.data.subarray(after * dim, (after + 1) * dim),
        );
        if (!own || !other) return;
        let largest = 0;
        for (let i = 0; i < dim; i++) largest = Math.max(largest, Math.abs(own[i] - other[i]));
        const strips = [
            { name: `class token ${place(after)}, of this picture`, values: own },
            { name: "of another picture", values: other },
            {
                name: `difference: at most ${small(largest)}`,
                values: Float64Array.from(own, (value, i) => value - other[i]),
            },
        ];
        drawStrips(context, strips, { x: 0, y: 0, width, height: height * 0.72, limit: reach(strips), colour });
        const { depth } = board.meta;
        const cell = width / (depth + 1);
        context.textAlign = "center";
        font(context, 16);
        for (let layer = 0; layer <= depth; layer++) {
            const x = layer * cell;
            context.fillStyle = layer === after ? board.data.palette.chosen : colour;
            context.globalAlpha = layer === after ? 1 : 0.15;
            context.fillRect(x + 2, height * 0.78, cell - 4, 40);
            context.globalAlpha = 1;
            context.fillStyle = layer === after ? "#000" : colour;
            if (depth <= 16 || layer % 4 === 0)
                context.fillText(layer ? String(layer) : "before", x + cell / 2, height * 0.78 + 26, cell - 4);
            areas.add({ x, y: height * 0.76, width: cell, height: 56, at: () => ({ after: layer }) });
        }
        context.textAlign = "left";
    };

    return {
        draw(shown) {
            const { classes, prefix } = board.meta;
            areas.clear();
            const kind = classes
                ? ["lens", "scores", "token"][Math.min(shown.moment, 2)]
                : ["token", "result"][prefix.length ? Math.min(shown.moment, 1) : 1];
            canvas.hidden = kind === "scores";
            table.hidden = kind !== "scores";
            photo.chooses = null;
            if (kind === "scores") fillScores(shown);
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                if (kind === "lens") drawLens(context, shown, width, height, colour);
                if (kind === "token") drawToken(context, shown, width, height, colour);
                const vector = board.array("result", "vector")?.data;
                if (kind === "result" && vector) {
                    const strips = [{ name: `${vector.length} components`, values: vector }];
                    drawStrips(context, strips, {
                        x: 0,
                        y: 0,
                        width,
                        height: height * 0.4,
                        limit: reach(strips),
                        colour,
                    });
                }
            });
            canvas.setAttribute("aria-label", `The answer ${place(shown.after)}`);
        },
        readout({ after }) {
            const here = at("probabilities", after);
            if (!here) return board.meta.classes ? "The answer is on its way." : "No classes.";
            const best = ranking(here, 1)[0];
            return `${place(after)[0].toUpperCase()}${place(after).slice(1)}: ${board.label(best)}, ${small(here[best])}`;
        },
        keys: {
            l: () => board.choose({ after: (board.chosen.after + 1) % (board.meta.depth + 1) }),
            L: () => board.choose({ after: (board.chosen.after + board.meta.depth) % (board.meta.depth + 1) }),
        },
        play: ({ after }) => (after < board.meta.depth ? { after: after + 1 } : null),
    };
}
