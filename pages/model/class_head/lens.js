// The logit lens: what the head would say before the first block and after each, a line per class.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Lens } from "#frontend/state/lens.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { ranking } from "#frontend/draw/bars.js";
import { layersAxis, PROBABILITY, plotOn } from "#frontend/draw/plot.js";
import { small } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";
import { read, whatAt } from "#frontend/edits/edits.js";
import { place } from "#frontend/state/lens.js";

const GHOST = "#8f8f97"; // the unedited run, as on Intervene
const NEAR = 10; // pixels from a line within which it is pointed at
const LIST = 230; // pixels for the list beside the lines
const NARROW = 560; // pixels: below, the list stands under the lines
const ROW = 46;
const WORDED = 30; // pixels of a layer that has room for a word

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Areas} areas @param {Lens} lens
 *  @param {Lens | null} ghost that of the unedited run @param {Selection} shown @param {number} width @param {number} height */
export function drawLens(context, column, areas, lens, ghost, shown, width, height) {
    const { depth } = column.meta;
    const narrow = width < NARROW;
    const [left, top] = [40, 14];
    const wide = width - left - (narrow ? 10 : LIST);
    const tall = narrow ? height * 0.5 : height - 60;
    const at = lens.answer(shown);
    const lines = lens.lines.includes(at) ? [...lens.lines] : [...lens.lines, at];
    const box = { x: left, y: top, width: wide, height: tall };
    const plot = plotOn(context, box, layersAxis(depth, "read after layer"), PROBABILITY);
    const { y } = plot;

    const edits = read(shown.edits, column.meta);
    for (let layer = 0; layer < depth; layer++) {
        if (whatAt(edits, "b", layer) !== "*0") continue;
        context.globalAlpha = 0.15;
        context.fillRect(plot.x(layer), top, wide / depth, tall);
        context.globalAlpha = 1;
        if (wide / depth > WORDED)
            write(context, "off", plot.x(layer + 0.5), top + tall / 2, { as: "tick", align: "center" });
    }
    plot.axes();
    plot.upright(shown.after, { colour: column.data.palette.chosen, thick: 3 });
    const unedited = ghost?.place(lens.number(at)) ?? -1;
    if (ghost && unedited >= 0) plot.line(ghost.along(unedited), { colour: GHOST, thick: 7 });
    for (const it of lines.reverse())
        plot.line(lens.along(it), it === at ? { colour: column.data.palette.head, thick: 5 } : { alpha: 0.4 });

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
    write(context, place(shown.after), from, start, { as: "title" });
    const was = ghost && unedited >= 0 ? `grey: unedited, ${small(ghost.probabilities(shown.after)[unedited])}` : "";
    if (was) write(context, was, narrow ? from + 150 : from, narrow ? start : start + 22);
    const best = ranking(here, Math.max(2, Math.floor((height - first - 12) / (narrow ? 24 : ROW))));
    const listed = best.includes(at) ? best : [...best.slice(0, -1), at];
    for (const [row, which] of listed.entries()) {
        const high = first + (narrow ? 26 + row * 24 : 30 + row * ROW);
        const bold = which === at;
        write(context, lens.label(which), from, high, { bold, width: narrow ? width - 90 : LIST - 24 });
        write(context, small(here[which]), narrow ? width - 70 : from, narrow ? high : high + 19, { bold });
        const height_ = narrow ? 24 : ROW;
        areas.add({ x: from, y: high - 18, width: LIST, height: height_, at: () => ({ answer: lens.number(which) }) });
    }
}
