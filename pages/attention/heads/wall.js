// The wall: a tile for every head of the layers, the photo lit where the query looks.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { QueryMaps } from "./query_maps.js" */

import { tilePhoto } from "#frontend/draw/scaled.js";
import { density, onCanvas, outline } from "#frontend/draw/surface.js";
import { write } from "#frontend/draw/words.js";

export const LEFT = 62; // pixels for the names of the rows
export const TOP = 24; // pixels for the names of the layers

/** The wall of some layers on a canvas that is as large as it; tiles choose layer and head. One layer may stand in
 *  columns of `high` tiles.
 *  @param {HTMLCanvasElement} canvas @param {Column} column @param {QueryMaps} maps @param {ImageBitmap | null} photo
 *  @param {Areas} areas @param {Selection} shown @param {{ layers: number[], tile: number, high: number }} how */
export function drawWall(canvas, column, maps, photo, areas, shown, { layers, tile, high }) {
    const { heads } = column.meta;
    areas.clear();
    const columns = Math.ceil((heads + 1) / high);
    canvas.style.width = `${columns * (LEFT + layers.length * tile)}px`;
    canvas.style.height = `${TOP + high * tile}px`;
    const left = (/** @type {number} */ row) => LEFT + Math.floor(row / high) * (LEFT + tile);
    const top = (/** @type {number} */ row) => TOP + (row % high) * tile;
    onCanvas(canvas, (context) => {
        const gap = Math.max(1, Math.round(tile * 0.07));
        const size = tile - gap;
        const scaled = photo && tilePhoto(photo, size * density(canvas));
        const as = tile < 19 ? Math.max(10, tile * 0.8) : "tick";
        for (const [place, layer] of layers.entries()) {
            const name = tile < 58 ? `${layer + 1}` : `layer ${layer + 1}`;
            const middle = LEFT + place * tile + size / 2;
            if (tile >= 18 || layer % 2 === 0) write(context, name, middle, 17, { as, align: "center" });
        }
        const every = Math.ceil(12 / tile);
        for (let row = 0; row <= heads; row++) {
            const name = row < heads ? `${row + 1}` : shown.shows === "rollout" ? "rollout" : "mean";
            if (row % every === 0 || row === heads)
                write(context, name, left(row) - 8, top(row) + size / 2 + 5, { as, align: "right" });
        }
        for (const [place, layer] of layers.entries()) {
            for (let row = 0; row <= heads; row++) {
                const [x, y] = [left(row) + place * tile, top(row)];
                maps.draw(context, scaled, shown, maps.at(layer, row), x, y, size);
                const means = /** @type {Partial<Selection>} */ (
                    row < heads ? { layer, head: row, mean: "0", ...ofHead(shown) } : { layer, mean: "1" }
                );
                areas.add({ x, y, width: tile, height: tile, at: () => means });
                if (layer === shown.layer && row === maps.row(shown))
                    outline(context, x, y, size, size, column.data.palette.chosen);
            }
        }
    });
}

/** A head of its own has no rollout. @param {Selection} shown */
export const ofHead = ({ shows }) => (shows === "rollout" ? { shows: "row" } : {});
