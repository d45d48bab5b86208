// One patch at every place on its way: the photo lit where other patches are alike.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Cosines } from "./patches.js" */

import { tilePhoto } from "#frontend/draw/scaled.js";
import { density, outline, outlineToken } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { equalRows, inSquare } from "#frontend/draw/tiles.js";
import { coming } from "#frontend/draw/words.js";
import { endsOf, indexOf, means, nameOf, placeOf, signOf, wayOf } from "./patches.js";
import { drawShaded } from "./shaded.js";
import { heightOf, LINE, writeUnder } from "./under.js";

const NARROW = 560; // CSS pixels: below, four tiles stand beside each other
const LOOSE = 0.94; // of its room what a tile takes

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {ImageBitmap | null} photo @param {Areas} areas
 *  @param {Cosines} cosines @param {Selection} shown @param {number} width @param {number} height */
export function drawAlike(context, column, photo, areas, cosines, shown, width, height) {
    const { meta, data } = column;
    const way = wayOf(column, shown.of);
    const patch = column.patchOf(shown);
    const chosen = indexOf(way, placeOf(shown));
    const all = way.map((place, at) => {
        const alike = (at === chosen && cosines.exactly(place, patch)) || cosines.nearly(place, patch);
        const mean = !alike || Number.isNaN(alike.mean) ? "" : `${signOf(alike)}${small(alike.mean)}`;
        return { name: nameOf(place).replace("after ", ""), place, alike, mean };
    });
    const rows = (/** @type {number} */ under) => equalRows(way.length, width, height, width < NARROW ? 4 : 1, under);
    const names = all.map(({ name }) => name);
    const under = heightOf(context, names, LOOSE * rows(LINE).cell);
    const { across, cell } = rows(under);
    const wide = width / across;
    const size = cell * LOOSE;
    const scaled = photo && tilePhoto(photo, size * density(context.canvas));
    if (!all.some(({ alike }) => alike)) coming(context, width);
    for (const [at, { name, place, alike, mean }] of all.entries()) {
        const [x, y] = [(at % across) * wide, Math.floor(at / across) * (cell + under)];
        areas.add({ x, y, width: wide, height: cell + under, at: () => means(place) });
        if (!alike) continue;
        const box = inSquare(photo, x, y, size);
        drawShaded(context, scaled, alike.values, endsOf(shown.scale, alike), meta, box);
        outlineToken(context, meta, meta.prefix.length + patch, box, data.palette.chosen, 2);
        const is = at === chosen;
        if (is) outline(context, x + 1, y + 1, size - 2, size - 2, data.palette.chosen);
        writeUnder(context, [name, mean], x, y + size, size, under, { name: is, number: is });
    }
}
