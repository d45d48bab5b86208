// The logit lens: what the head would say before the first block and after each, a line per class.

/** @import { Areas } from "../../draw/areas.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Lens } from "../../state/lens.js" */
/** @import { Selection } from "../../types.js" */

import { ranking } from "../../draw/bars.js";
import { font } from "../../draw/surface.js";
import { small } from "../../draw/text.js";
import { place } from "../../state/lens.js";

const NEAR = 10; // pixels from a line within which it is pointed at
const LIST = 230; // pixels for the list beside the lines
const NARROW = 560; // pixels: below, the list stands under the lines
const ROW = 46;

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {Areas} areas @param {Lens} lens
 *  @param {Selection} shown @param {number} width @param {number} height @param {string} colour */
export function drawLens(context, board, areas, lens, shown, width, height, colour) {
    const { depth } = board.meta;
    const narrow = width < NARROW;
    const [left, top] = [40, 14];
    const wide = width - left - (narrow ? 10 : LIST);
    const tall = narrow ? height * 0.5 : height - 60;
    const x = (/** @type {number} */ layer) => left + (layer * wide) / depth;
    const y = (/** @type {number} */ value) => top + tall * (1 - value);
    const at = lens.answer(shown);
    const lines = lens.lines.includes(at) ? [...lens.lines] : [...lens.lines, at];

    font(context, 15);
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = 1;
    context.globalAlpha = 0.35;
    context.strokeRect(left, top, wide, tall);
    context.globalAlpha = 1;
    context.textAlign = "center";
    const every = Math.ceil((24 * depth) / wide);
    for (let layer = 0; layer <= depth; layer += every) context.fillText(String(layer), x(layer), top + tall + 20);
    context.fillText("read after layer", left + wide / 2, top + tall + 42);
    context.textAlign = "right";
    for (const value of [0, 0.5, 1]) context.fillText(String(value), left - 8, y(value) + 5);

    context.strokeStyle = board.data.palette.chosen;
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(x(shown.after), top);
    context.lineTo(x(shown.after), top + tall);
    context.stroke();
    for (const line of lines.reverse()) {
        context.strokeStyle = line === at ? board.data.palette.head : colour;
        context.globalAlpha = line === at ? 1 : 0.4;
        context.lineWidth = line === at ? 5 : 2;
        context.beginPath();
        for (let layer = 0; layer <= depth; layer++) context.lineTo(x(layer), y(lens.probabilities(layer)[line]));
        context.stroke();
    }
    context.globalAlpha = 1;
    context.textAlign = "left";

    /** The column under the pointer, and the line, where one is near. @param {number} across @param {number} down */
    const pointed = (across, down) => {
        const after = Math.max(0, Math.min(depth, Math.round((across * (wide + 20) - 10) / (wide / depth))));
        const values = lens.probabilities(after);
        const off = (/** @type {number} */ line) => Math.abs(y(values[line]) - top - down * tall);
        const nearest = lines.reduce((best, line) => (off(line) < off(best) ? line : best), lines[0]);
        return { after, ...(off(nearest) < NEAR ? { answer: lens.number(nearest) } : {}) };
    };
    areas.add({ x: left - 10, y: top, width: wide + 20, height: tall, at: pointed });
    areas.add({
        x: left - 10,
        y: top + tall,
        width: wide + 20,
        height: 46,
        at: (across) => ({ after: pointed(across, -1).after }),
    });

    const [from, start] = narrow ? [0, top + tall + 72] : [left + wide + 20, top + 16];
    const here = lens.probabilities(shown.after);
    font(context, 17, 600);
    context.fillText(place(shown.after), from, start);
    const best = ranking(here, Math.max(2, Math.floor((height - start - 12) / (narrow ? 24 : ROW))));
    const listed = best.includes(at) ? best : [...best.slice(0, -1), at];
    for (const [row, which] of listed.entries()) {
        const high = start + (narrow ? 26 + row * 24 : 30 + row * ROW);
        font(context, 16, which === at ? 600 : 400);
        context.fillText(lens.label(which), from, high, narrow ? width - 90 : LIST - 24);
        const [right, below] = narrow ? [width - 70, high] : [from, high + 19];
        context.fillText(small(here[which]), right, below);
        const height_ = narrow ? 24 : ROW;
        areas.add({ x: from, y: high - 18, width: LIST, height: height_, at: () => ({ answer: lens.number(which) }) });
    }
}
