// One patch at every place on its way: the photo lit where other patches are alike.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Cosines } from "#frontend/state/patches.js" */

import { tilePhoto } from "#frontend/draw/scaled.js";
import { density, outline, outlineToken } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { equalRows, inSquare } from "#frontend/draw/tiles.js";
import { coming, write } from "#frontend/draw/words.js";
import { endsOf, indexOf, means, nameOf, placeOf, wayOf } from "#frontend/state/patches.js";
import { drawShaded } from "./shaded.js";

const NARROW = 560; // CSS pixels: below, four tiles stand beside each other
const UNDER = 26; // pixels for the line under a tile
const WORDED = 96; // pixels of a tile that has room for words

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {ImageBitmap | null} photo @param {Areas} areas
 *  @param {Cosines} cosines @param {Selection} shown @param {number} width @param {number} height */
export function drawAlike(context, column, photo, areas, cosines, shown, width, height) {
    const { meta, data } = column;
    const way = wayOf(column, shown.of);
    const patch = column.patchOf(shown);
    const { across, cell } = equalRows(way.length, width, height, width < NARROW ? 4 : 1, UNDER);
    const wide = width / across;
    const size = cell * 0.94;
    const scaled = photo && tilePhoto(photo, size * density(context.canvas));
    const chosen = indexOf(way, placeOf(shown));
    if (!way.some(({ of }) => column.array(`alike-${of}`, "coordinates"))) coming(context, width);
    for (const [at, place] of way.entries()) {
        const exact = at === chosen ? cosines.exactly(place, patch) : null;
        const alike = exact ?? cosines.nearly(place, patch);
        const [x, y] = [(at % across) * wide, Math.floor(at / across) * (cell + UNDER)];
        areas.add({ x, y, width: wide, height: cell + UNDER, at: () => means(place) });
        if (!alike) continue;
        const box = inSquare(photo, x, y, size);
        drawShaded(context, scaled, alike.values, endsOf(shown.scale, alike), meta, box);
        outlineToken(context, meta, meta.prefix.length + patch, box, data.palette.chosen, 2);
        if (at === chosen) outline(context, x + 1, y + 1, size - 2, size - 2, data.palette.chosen);
        const mean = Number.isNaN(alike.mean) ? "" : `${exact ? "" : "≈ "}${small(alike.mean)}`;
        const how = /** @type {const} */ ({ as: "tick", bold: at === chosen });
        write(context, size < WORDED ? short(place) : nameOf(place).replace("after ", ""), x, y + size + 18, how);
        write(context, mean, x + size, y + size + 18, { ...how, align: "right" });
    }
}

/** @param {import("#frontend/state/patches.js").Place} place */
const short = (place) => (["pixels", "token"].includes(place.of) ? place.of : String(place.layer + 1));
