// Second moment: q times k, component by component, added up: the score of every key.

/** @import { Moment } from "./steps.js" */

import { plotOn } from "#board/canvas/plot.js";
import { drawStrips } from "#board/canvas/vectors.js";
import { write } from "#board/canvas/words.js";
import { addend, small, tokenName } from "#board/draw/text.js";
import { pointed, within } from "./steps.js";

/** @param {Moment} moment */
export function drawScore(moment) {
    const { context, width, height, board, it, shown } = moment;
    const named = (/** @type {number} */ token) => tokenName(board.meta, token);
    const k = it.one(it.keys, it.chosen);
    const both = [
        { name: `q of ${named(shown.query)}`, values: it.q },
        { name: `k of ${named(it.chosen)}`, values: k },
    ];
    const two = drawStrips(context, both, { width, height: height * 0.32 });
    const at = within(board, shown);
    const one =
        at < 0 ? "" : `; component ${at + 1}: ${small(it.q[at])} · ${addend(k[at])} = ${small(it.q[at] * k[at])}`;
    const values = Float64Array.from(it.q, (value, place) => value * k[place]);
    const times = [{ name: `q × k${one}`, values }];
    const box = { y: height * 0.33, width, height: height * 0.17 };
    pointed(moment, [...two, ...drawStrips(context, times, box)]);
    const says = `added up: q·k of every key; ${named(it.chosen)} has ${small(it.dots[it.chosen])}`;
    write(context, says, 0, height * 0.58 - 5, { width });
    drawBars(moment, it.dots, height * 0.6, height * 0.38, board.data.palette.scores);
}

/** One bar per key, each of which can be chosen. @param {Moment} moment @param {ArrayLike<number>} values
 *  @param {number} y @param {number} height @param {string} colour */
export function drawBars({ context, width, board, areas, it }, values, y, height, colour) {
    areas.add({ x: 0, y, width, height, at: (x) => ({ key: Math.floor(x * values.length) }) });
    let [low, high] = [0, 0];
    for (let at = 0; at < values.length; at++) [low, high] = [Math.min(low, values[at]), Math.max(high, values[at])];
    const plot = plotOn(context, { x: 0, y, width, height }, { low: 0, high: values.length }, { low, high });
    for (let at = 0; at < values.length; at++) plot.bar(at, at + 1, values[at], colour, 0.6, 0.5);
    plot.bar(it.chosen, it.chosen + 1, values[it.chosen], board.data.palette.key, 0.6, 2);
}
