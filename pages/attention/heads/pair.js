// Two heads of a layer beside each other, and below each the heads that can stand there.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { QueryMaps } from "./query_maps.js" */

import { strongest } from "#frontend/draw/attention.js";
import { onCanvas, outline } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";

const GAP = 24;

/** @param {HTMLCanvasElement} canvas @param {Column} column @param {QueryMaps} maps @param {ImageBitmap | null} photo
 *  @param {Areas} areas @param {Selection} shown @param {number} width @param {number} height */
export function drawPair(canvas, column, maps, photo, areas, shown, width, height) {
    const { heads } = column.meta;
    areas.clear();
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    const half = (width - GAP) / 2;
    const tile = Math.min(64, half / heads);
    const size = Math.min(half, height - tile - 76);
    onCanvas(canvas, (context) => {
        const second = shown.beside === shown.head ? (shown.head + 1) % heads : shown.beside;
        for (const [place, row] of [Math.min(shown.head, heads - 1), second].entries()) {
            const name = place ? "beside" : "head";
            const at = maps.at(shown.layer, row);
            const x = place * (half + GAP);
            maps.draw(context, photo, shown, at, x, 26, size);
            const title = `layer ${shown.layer + 1}, head ${row + 1}${maps.off[at] && `: ${maps.off[at]}`}`;
            write(context, title, x, 17, { as: "title", width: half });
            const words = maps.held[at] ? most(column, maps, shown, row) : "on its way";
            write(context, words, x, size + 48, { width: half });
            for (let head = 0; head < heads; head++) {
                const [left, top] = [x + head * tile, size + 62];
                maps.draw(context, photo, shown, maps.at(shown.layer, head), left, top, tile - 4);
                if (head === row) outline(context, left, top, tile - 4, tile - 4, column.data.palette.chosen);
                areas.add({ x: left, y: top, width: tile, height: tile, at: () => ({ [name]: head }) });
            }
        }
    });
}

/** @param {Column} column @param {QueryMaps} maps @param {Selection} shown @param {number} row */
function most(column, maps, shown, row) {
    const exact = maps.exact({ ...shown, shows: shown.shows === "column" ? "column" : "row" }, row);
    const values = exact ?? maps.maps[maps.at(shown.layer, row)];
    const best = strongest(values);
    return `most: ${tokenName(column.meta, best)}, ${exact ? "" : "≈ "}${small(values[best])}`;
}
