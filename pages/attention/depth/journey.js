// The class token's journey: what has reached it after every layer, and what the head would say of it there.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { ranking } from "#frontend/draw/bars.js";
import { wrapped } from "#frontend/draw/lines.js";
import { outline } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { drawLit, veil } from "#frontend/draw/tiles.js";
import { coming, write } from "#frontend/draw/words.js";
import { lensNow } from "#frontend/state/lens.js";

const SAYS =
    "Light: attention rollout, how much of every patch has reached the class token by then. Below: the logit lens, what the " +
    "head would say if it read the class token there.";
const FOOT = 48; // pixels for these sentences
const NARROW = 560; // pixels: below, at most three tiles stand beside each other, and the sentences need more lines
const UNDER = 46; // pixels for the two lines under a tile

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Photo} photo @param {Areas} areas
 *  @param {Selection} shown @param {{ rows: (Float32Array | null)[], limit: number }} reached
 *  @param {number} width @param {number} height */
export function drawJourney(context, column, photo, areas, shown, { rows, limit }, width, height) {
    const { columns, rows: down, prefix, classes } = column.meta;
    const beside = Boolean(context.canvas.closest("[data-columns]"));
    const narrow = width < NARROW && !beside;
    const foot = beside ? 0 : narrow ? 2 * FOOT : FOOT;
    const under = rows.length > 24 ? 0 : UNDER;
    const sizeOf = (/** @type {number} */ many) =>
        Math.min((width / many) * 0.94, (height - foot) / Math.ceil(rows.length / many) - under - 8);
    const most = narrow ? 3 : Math.max(3, rows.length);
    let across = narrow ? 2 : 3;
    for (let many = across; many <= most; many++) if (sizeOf(many) > sizeOf(across)) across = many;
    const [cell, size] = [width / across, sizeOf(across)];
    const lens = lensNow(column);
    if (!rows.some(Boolean)) coming(context, width, "What has reached the class token is on its way.");
    for (const [layer, row] of rows.entries()) {
        const [x, y] = [(layer % across) * cell, Math.floor(layer / across) * (size + under + 8)];
        if (row) drawLit(context, photo.picture, veil(row.subarray(prefix.length), columns, down, limit), x, y, size);
        if (layer + 1 === shown.through) outline(context, x + 1, y + 1, size - 2, size - 2, column.data.palette.chosen);
        areas.add({ x, y, width: cell, height: size + under, at: () => ({ through: layer + 1, layer }) });
        if (!under) continue;
        write(context, `after layer ${layer + 1}`, x, y + size + 18, { as: "tick", width: cell - 8 });
        const probabilities = lens?.probabilities(layer + 1);
        if (!lens || !probabilities) continue;
        const best = ranking(probabilities, 1)[0];
        const says = `${lens.label(best)} ${small(probabilities[best])}`;
        write(context, says, x, y + size + 37, { bold: true, width: cell - 8 });
    }
    const says = classes ? SAYS : SAYS.split(" Below")[0];
    if (foot) wrapped(context, says, 0, height - foot + 18, width, { as: "tick" }, 19);
}
