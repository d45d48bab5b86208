// The hidden units of the MLP: before the activation across, after it upwards, and ReLU beside it.

/** @import { Moment } from "./vectors.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { DASH, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { largest } from "#frontend/draw/surface.js";
import { small, whole } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";

const BINS = 61;

/** The hidden units of a token before and after the activation, where they are here. @param {Moment} moment */
function unitsOf({ column, shown: { layer, query } }) {
    const { mlp_dim: units } = column.meta;
    return ["before", "after"].map((name) => {
        const all = /** @type {Float32Array | undefined} */ (column.array(`hidden-${layer}`, name)?.data);
        const one = /** @type {Float32Array | undefined} */ (column.array(`hidden-${layer}-${query}`, name)?.data);
        return all?.subarray(query * units, (query + 1) * units) ?? one;
    });
}

/** @param {Moment} moment */
export function drawHidden(moment) {
    const { context, width, height, column } = moment;
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

    const { activation } = column.data.facts;
    wrapped(
        context,
        `${whole(active)} of ${whole(before.length)} units are above 0, the largest ${small(most)}. Each dot: hidden ` +
            `units at this value under ${activation}; larger dot, more units. Dashed: ReLU, which makes the ${whole(before.length - active)} others 0.`,
        0,
        18,
        width,
    );
    const head = width < 500 ? 132 : 76;
    const box = { x: 30, y: head, width: width - 60, height: height - head - 60 };
    const ticks = ticksAt([least, most], small);
    const across = { low: least, high: most, ticks, title: "before the activation →" };
    const plot = plotOn(context, box, across, { low, high });
    plot.level(0);
    plot.upright(0);
    plot.names();
    const full = largest(counts);
    for (let at = 0; at < BINS; at++) {
        if (!counts[at]) continue;
        const centre = least + ((at + 0.5) / BINS) * (most - least);
        const radius = 3 + 22 * Math.sqrt(counts[at] / full);
        plot.dot(centre, sums[at] / counts[at], radius, column.data.palette.MLP, 0.75);
    }
    const end = Math.min(most, high);
    const relu = /** @type {[number, number][]} */ ([
        [least, 0],
        [0, 0],
        [end, end],
    ]);
    plot.line(relu, { dash: DASH });
    write(context, "↑ after it", Math.min(plot.x(0) + 6, width - 80), head + 8, { as: "tick" });
    return true;
}
