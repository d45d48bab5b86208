// The logit lens of the answer, layer by layer, with the unedited run as a grey ghost.

/** @import { Board } from "../../../state/board.js" */
/** @import { Lens } from "../../../state/lens.js" */

import { ranking } from "../../../draw/bars.js";
import { font } from "../../../draw/surface.js";
import { small } from "../../../draw/text.js";

const SIDES = { left: 30, right: 10, top: 28, foot: 24 };
const LINE = 19; // pixels of a further line over the curves

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {Lens} original @param {Lens | null} edited
 *  @param {number} width @param {number} height @param {string} colour */
export function drawGhostLens(context, board, original, edited, width, height, colour) {
    const { depth } = board.meta;
    const best = ranking(original.probabilities(depth), 1)[0];
    const now = edited ? ranking(edited.probabilities(depth), 1)[0] : best;
    const { left, right, foot } = SIDES;
    font(context, 15, 600);
    const said = [`read after every layer: ${original.label(best)}`, `dashed: ${original.label(now)}`];
    const lines = said.slice(0, now === best ? 1 : 2).flatMap((text) => inLines(context, text, width));
    const top = SIDES.top + (lines.length - 1) * LINE;
    const [wide, tall] = [width - left - right, height - top - foot];
    const x = (/** @type {number} */ after) => left + (after * wide) / depth;
    const y = (/** @type {number} */ value) => top + tall * (1 - value);

    context.fillStyle = context.strokeStyle = colour;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    for (const [at, text] of lines.entries()) context.fillText(text, 0, 16 + at * LINE, width);
    context.globalAlpha = 0.35;
    context.lineWidth = 1;
    context.strokeRect(left, top, wide, tall);
    context.globalAlpha = 1;
    font(context, 14);
    context.textAlign = "right";
    for (const value of [0, 1]) context.fillText(String(value), left - 6, y(value) + 5);
    context.textAlign = "center";
    const every = Math.ceil((20 * depth) / wide);
    for (let after = 0; after <= depth; after += every) context.fillText(String(after), x(after), top + tall + 18);

    /** @param {Lens} lens @param {number} at @param {string} style @param {number} thick @param {number[]} dashes */
    const line = (lens, at, style, thick, dashes) => {
        context.strokeStyle = style;
        context.lineWidth = thick;
        context.setLineDash(dashes);
        context.beginPath();
        for (let after = 0; after <= depth; after++) context.lineTo(x(after), y(lens.probabilities(after)[at]));
        context.stroke();
        context.setLineDash([]);
    };
    line(original, best, "#8f8f97", 6, []);
    if (edited && now !== best) line(edited, now, colour, 2, [5, 4]);
    line(edited ?? original, best, board.data.palette.head, 3, []);
}

/** The same in words: the probability before the first layer and after each. @param {Board} board @param {Lens | null} original
 *  @param {Lens | null} edited */
export function saysLens({ meta }, original, edited) {
    if (!original) return "The answer after every layer is on its way.";
    const best = ranking(original.probabilities(meta.depth), 1)[0];
    const along = (/** @type {Lens} */ lens, at = best) =>
        Array.from({ length: meta.depth + 1 }, (_, after) => small(lens.probabilities(after)[at])).join(", ");
    const now = edited ? ranking(edited.probabilities(meta.depth), 1)[0] : best;
    const changed = edited ? `; edited ${along(edited)}` : "";
    const other = edited && now !== best ? `; dashed, ${original.label(now)}: ${along(edited, now)}` : "";
    return `${original.label(best)}, before layer 1 and after every layer: unedited ${along(original)}${changed}${other}.`;
}

/** A text, and where it has no room in one line, its name in a second one. @param {CanvasRenderingContext2D} context
 *  @param {string} text @param {number} width */
export const inLines = (context, text, width) =>
    context.measureText(text).width <= width ? [text] : text.split(/(?<=:) /);
