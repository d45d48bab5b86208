// The logit lens: what the head would say before the first block and after each, a line per class.

/** @import { Areas } from "../../draw/areas.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Lens } from "../../state/lens.js" */
/** @import { Selection } from "../../types.js" */

import { ranking } from "../../draw/bars.js";
import { font } from "../../draw/surface.js";
import { small } from "../../draw/text.js";
import { read, whatAt } from "../../state/edits.js";
import { place } from "../../state/lens.js";

const GHOST = "#8f8f97"; // the unedited run, as on Intervene
const NEAR = 10; // pixels from a line within which it is pointed at
const LIST = 230; // pixels for the list beside the lines
const NARROW = 560; // pixels: below, the list stands under the lines
const ROW = 46;
const WORDED = 30; // pixels of a layer that has room for a word

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {Areas} areas @param {Lens} lens
 *  @param {Lens | null} ghost that of the unedited run @param {Selection} shown @param {number} width @param {number} height
 *  @param {string} colour */
export function drawLens(context, board, areas, lens, ghost, shown, width, height, colour) {
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
    context.textAlign = "center";
    const edits = read(shown.edits, board.meta);
    for (let layer = 0; layer < depth; layer++) {
        if (whatAt(edits, "b", layer) !== "*0") continue;
        context.globalAlpha = 0.15;
        context.fillRect(x(layer), top, wide / depth, tall);
        context.globalAlpha = 1;
        if (wide / depth > WORDED) context.fillText("off", x(layer + 0.5), top + tall / 2);
    }
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
    /** @param {Lens} of @param {number} which @param {string} style @param {number} thick @param {number} alpha */
    const line = (of, which, style, thick, alpha) => {
        context.strokeStyle = style;
        context.globalAlpha = alpha;
        context.lineWidth = thick;
        context.beginPath();
        for (let layer = 0; layer <= depth; layer++) context.lineTo(x(layer), y(of.probabilities(layer)[which]));
        context.stroke();
        context.globalAlpha = 1;
    };
    const unedited = ghost?.place(lens.number(at)) ?? -1;
    if (ghost && unedited >= 0) line(ghost, unedited, GHOST, 7, 1);
    for (const it of lines.reverse())
        if (it === at) line(lens, it, board.data.palette.head, 5, 1);
        else line(lens, it, colour, 2, 0.4);
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
    const first = start + (ghost && !narrow ? 22 : 0); // where the list begins
    const here = lens.probabilities(shown.after);
    font(context, 17, 600);
    context.fillText(place(shown.after), from, start);
    const was = ghost && unedited >= 0 ? `grey: unedited, ${small(ghost.probabilities(shown.after)[unedited])}` : "";
    font(context, 16);
    if (was) context.fillText(was, narrow ? from + 150 : from, narrow ? start : start + 22);
    const best = ranking(here, Math.max(2, Math.floor((height - first - 12) / (narrow ? 24 : ROW))));
    const listed = best.includes(at) ? best : [...best.slice(0, -1), at];
    for (const [row, which] of listed.entries()) {
        const high = first + (narrow ? 26 + row * 24 : 30 + row * ROW);
        font(context, 16, which === at ? 600 : 400);
        context.fillText(lens.label(which), from, high, narrow ? width - 90 : LIST - 24);
        const [right, below] = narrow ? [width - 70, high] : [from, high + 19];
        context.fillText(small(here[which]), right, below);
        const height_ = narrow ? 24 : ROW;
        areas.add({ x: from, y: high - 18, width: LIST, height: height_, at: () => ({ answer: lens.number(which) }) });
    }
}
