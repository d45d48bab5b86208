// The hidden units of the MLP: before the activation across, after it upwards, and ReLU beside it.

/** @import { Moment } from "./vectors.js" */

import { font, wrapped } from "../../draw/surface.js";
import { small, whole } from "../../draw/text.js";
import { largest } from "../../draw/tiles.js";

const BINS = 61;

/** The hidden units of a token before and after the activation, where they are here. @param {Moment} moment */
function unitsOf({ board, shown: { layer, query } }) {
    const { mlp_dim: units } = board.meta;
    return ["before", "after"].map((name) => {
        const all = /** @type {Float32Array | undefined} */ (board.array(`hidden-${layer}`, name)?.data);
        const one = /** @type {Float32Array | undefined} */ (board.array(`hidden-${layer}-${query}`, name)?.data);
        return all?.subarray(query * units, (query + 1) * units) ?? one;
    });
}

/** @param {Moment} moment */
export function drawHidden(moment) {
    const { context, width, height, colour, board } = moment;
    const [before, after] = unitsOf(moment);
    if (!before || !after) return false;
    let [least, most, low, high, active] = [0, 0, 0, 0, 0];
    for (let at = 0; at < before.length; at++) {
        [least, most] = [Math.min(least, before[at]), Math.max(most, before[at])];
        [low, high] = [Math.min(low, after[at]), Math.max(high, after[at])];
        active += Number(before[at] > 0);
    }
    const [counts, sums] = [new Int32Array(BINS), new Float64Array(BINS)];
    const bin = (/** @type {number} */ value) =>
        Math.min(BINS - 1, Math.floor(((value - least) / (most - least || 1)) * BINS));
    for (let at = 0; at < before.length; at++) {
        counts[bin(before[at])]++;
        sums[bin(before[at])] += after[at];
    }

    const head = width < 500 ? 132 : 76;
    const [left, top, wide, tall] = [30, head, width - 60, height - head - 60];
    const x = (/** @type {number} */ value) => left + ((value - least) / (most - least || 1)) * wide;
    const y = (/** @type {number} */ value) => top + (1 - (value - low) / (high - low || 1)) * tall;
    const line = (/** @type {[number, number][]} */ ...points) => {
        context.beginPath();
        for (const [across, down] of points) context.lineTo(across, down);
        context.stroke();
    };
    context.strokeStyle = colour;
    context.globalAlpha = 0.4;
    context.lineWidth = 1;
    line([left, y(0)], [left + wide, y(0)]);
    line([x(0), top], [x(0), top + tall]);
    context.globalAlpha = 0.75;
    context.fillStyle = board.data.palette.MLP;
    const full = largest(counts);
    for (let at = 0; at < BINS; at++) {
        if (!counts[at]) continue;
        context.beginPath();
        const centre = x(least + ((at + 0.5) / BINS) * (most - least));
        context.arc(centre, y(sums[at] / counts[at]), 3 + 22 * Math.sqrt(counts[at] / full), 0, 7);
        context.fill();
    }
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.setLineDash([7, 6]);
    const end = Math.min(most, high);
    line([x(least), y(0)], [x(0), y(0)], [x(end), y(end)]);
    context.setLineDash([]);

    context.fillStyle = colour;
    context.textAlign = "left";
    font(context, 17);
    const { activation } = board.data.facts;
    wrapped(
        context,
        `${whole(active)} of ${whole(before.length)} units are above 0, the largest ${small(most)}. Each dot: hidden ` +
            `units at this value under ${activation}; larger dot, more units. Dashed: ReLU, which makes the ${whole(before.length - active)} others 0.`,
        0,
        18,
        width,
    );
    font(context, 15);
    context.fillText(small(least), left, top + tall + 22);
    context.textAlign = "right";
    context.fillText(small(most), left + wide, top + tall + 22);
    context.textAlign = "center";
    context.fillText("before the activation →", left + wide / 2, top + tall + 44);
    context.textAlign = "left";
    context.fillText("↑ after it", Math.min(x(0) + 6, width - 80), top + 8);
    return true;
}
