// Query, key, value: one token's whole way through attention, from the residual stream and back to it.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene } from "#frontend/types/board.js" */

import { Areas } from "#frontend/draw/areas.js";
import { strongest } from "#frontend/draw/attention.js";
import { element } from "#frontend/draw/elements.js";
import { Motion } from "#frontend/draw/motion.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { read } from "#frontend/edits/edits.js";
import { saysOff } from "#frontend/edits/effects.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import {
    Divisors,
    drawMatrices,
    drawOutput,
    drawScore,
    drawSoftmax,
    drawSum,
    hasOwnScores,
    stepsOf,
} from "./moments.js";

const DIM = 0.6; // light grows with this power of a weight, so that small weights are seen

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function queryKeyValue(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const words = element("p", { class: "note" });
    const divisors = new Divisors(column);
    root.replaceChildren(canvas, divisors.table, words);
    const areas = new Areas(canvas, column);
    const flow = new Motion(() => column.invalidate(), 400);
    let last = "";
    const short = (/** @type {number} */ token) => tokenName(column.meta, token);
    const off = (/** @type {import("#frontend/types/board.js").Selection} */ shown) =>
        saysOff(read(shown.edits, column.meta), column.meta, shown.layer, shown.head);

    return {
        draw(shown) {
            const { moment } = shown;
            const asks = ["matrices", "scores"].includes(moment); // before there are weights
            if (moment !== last) flow.start();
            last = moment;
            areas.clear();
            const it = stepsOf(column, shown);
            photo.grid = asks;
            photo.specials = true;
            photo.shifted = "key";
            photo.steps = [layers(column, shown), headsOf(column, shown)];
            const { palette } = column.data;
            photo.frames = [{ token: shown.query, colour: palette.query }];
            divisors.table.hidden = moment !== "softmax";
            root.classList.toggle("tall", moment === "softmax");
            if (moment === "softmax") divisors.fill(it, shown);
            words.textContent = it ? "" : `Layer ${shown.layer + 1} is on its way.`;
            words.hidden = Boolean(it);
            if (it && moment !== "matrices") photo.frames.push({ token: it.chosen, colour: palette.key });
            if (it && !asks) {
                const most = it.weights[strongest(it.weights)];
                photo.light = it.weights.slice(column.meta.prefix.length).map((weight) => (weight / most) ** DIM);
            }
            onCanvas(canvas, (context, width, height) => {
                if (!it) return;
                const drawn = { context, width, height, share: flow.share, column, areas, it, shown };
                if (moment === "matrices") drawMatrices(drawn);
                else if (moment === "scores") drawScore(drawn);
                else if (moment === "softmax") drawSoftmax(drawn, divisors.table);
                else if (moment === "values") drawSum(drawn);
                else drawOutput(drawn);
            });
            canvas.ariaLabel = it
                ? `${short(shown.query)} gives ${short(it.chosen)} the weight ${small(it.weights[it.chosen])}${off(shown)}.`
                : "";
        },
        readout(shown) {
            const it = stepsOf(column, shown);
            const key = it ? ` · {key} ${short(it.chosen)}, weight ${small(it.weights[it.chosen])}` : "";
            const first = shown.moment === "matrices" && column.meta.pool === "class" && shown.query === 0;
            const learned = first ? ", a learned token that is no patch: the answer is read from it" : "";
            const where = first ? "" : ` · layer ${shown.layer + 1} · head ${shown.head + 1}`; // the sliders above say it
            return `{query} ${short(shown.query)}${learned}${key}${where}${off(shown)}`;
        },
        needs: ({ layer, query, moment }) => [
            `values-${layer}`,
            ...(moment === "output" ? [`shares-${layer}-${query}`] : []),
            ...(hasOwnScores(column) ? [`scores-${layer}-${query}`] : []),
        ],
        play: ({ layer }) => ({ layer: (layer + 1) % column.meta.depth }),
    };
}
