// The logit lens of the answer, layer by layer, with the unedited run as a grey ghost.

/** @import { Axis } from "../../../../vitviz/figures/live/frontend/types.js" */
/** @import { Board } from "#board/state/board.js" */
/** @import { Lens } from "#board/state/lens.js" */

import { DASH, layersAxis, PROBABILITY, plotOn } from "#board/canvas/plot.js";
import { widthOf, write } from "#board/canvas/words.js";
import { ranking } from "#board/draw/bars.js";
import { small } from "#board/draw/text.js";

const SIDES = { left: 30, right: 10, top: 28, foot: 24 };
const LINE = 19; // pixels of a further line over the curves

const NAME = /** @type {const} */ ({ as: "tick", bold: true });

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {Lens} original @param {Lens | null} edited
 *  @param {number} width @param {number} height */
export function drawGhostLens(context, board, original, edited, width, height) {
    const { depth } = board.meta;
    const best = ranking(original.probabilities(depth), 1)[0];
    const now = edited ? ranking(edited.probabilities(depth), 1)[0] : best;
    const said = [`read after every layer: ${original.label(best)}`, `dashed: ${original.label(now)}`];
    const lines = said.slice(0, now === best ? 1 : 2).flatMap((text) => inLines(context, text, width));
    for (const [at, text] of lines.entries()) write(context, text, 0, 16 + at * LINE, { ...NAME, width });
    const plot = plotOfLayers(context, depth, PROBABILITY, width, height, (lines.length - 1) * LINE);
    plot.line(original.along(best), { colour: "#8f8f97", thick: 6 });
    if (edited && now !== best) plot.line(edited.along(now), { dash: DASH });
    plot.line((edited ?? original).along(best), { colour: board.data.palette.head, thick: 3 });
}

/** The frame of something that goes through all layers, under its name. @param {CanvasRenderingContext2D} context
 *  @param {number} depth @param {Axis} down @param {number} width @param {number} height @param {number} [more] pixels
 *  of further lines of its name */
export function plotOfLayers(context, depth, down, width, height, more = 0) {
    const { left, right, top, foot } = SIDES;
    const box = { x: left, y: top + more, width: width - left - right, height: height - top - more - foot };
    const plot = plotOn(context, box, layersAxis(depth), down);
    plot.axes();
    return plot;
}

/** The same in words: the probability before the first layer and after each. @param {Board} board @param {Lens | null} original
 *  @param {Lens | null} edited */
export function saysLens({ meta }, original, edited) {
    if (!original) return "The answer after every layer is on its way.";
    const best = ranking(original.probabilities(meta.depth), 1)[0];
    const along = (/** @type {Lens} */ lens, at = best) =>
        lens
            .along(at)
            .map(([, probability]) => small(probability))
            .join(", ");
    const now = edited ? ranking(edited.probabilities(meta.depth), 1)[0] : best;
    const changed = edited ? `; edited ${along(edited)}` : "";
    const other = edited && now !== best ? `; dashed, ${original.label(now)}: ${along(edited, now)}` : "";
    return `${original.label(best)}, before layer 1 and after every layer: unedited ${along(original)}${changed}${other}.`;
}

/** A text, and where it has no room in one line, its name in a second one. @param {CanvasRenderingContext2D} context
 *  @param {string} text @param {number} width */
export const inLines = (context, text, width) =>
    widthOf(context, text, NAME) <= width ? [text] : text.split(/(?<=:) /);
