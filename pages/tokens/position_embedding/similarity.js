// How alike positions are: one map per position, and the chosen one enlarged.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { diverging, enlarged, onCanvas, outline, outlineToken, pixels, tokenAt } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { drawMap } from "#frontend/draw/vectors.js";
import { coming, write } from "#frontend/draw/words.js";

const NARROW = 560; // CSS pixels below which the enlarged map stands under the others
const TOP = 30; // CSS pixels for the line above a map
const BESIDE = 220; // CSS pixels that what is said of the enlarged map takes, at least, with the gap before it

export class Similarity {
    /** @param {Column} column @param {HTMLCanvasElement} canvas @param {Areas} areas */
    constructor(column, canvas, areas) {
        this.column = column;
        this.canvas = canvas;
        this.areas = areas;
        /** All maps as one picture, and of which model. @type {{ digest: string, picture: OffscreenCanvas } | null} */
        this.mosaic = null;
    }

    /** The similarity of one position with all. @param {number} patch */
    mapOf(patch) {
        const { column } = this;
        const { patches } = column.meta;
        const all = column.array("position-maps", "maps")?.data;
        return (
            all?.subarray(patch * patches, (patch + 1) * patches) ?? column.array(`position-map-${patch}`, "map")?.data
        );
    }

    /** All maps as one picture, made once. */
    allMaps() {
        const { column } = this;
        const { rows, columns, patches, digest } = column.meta;
        const all = column.array("position-maps", "maps")?.data;
        if (all && this.mosaic?.digest !== digest) {
            const wide = columns * columns;
            const picture = pixels(wide, rows * rows, (at) => {
                const [x, y] = [at % wide, Math.floor(at / wide)];
                const tile = Math.floor(y / rows) * columns + Math.floor(x / columns);
                return diverging(all[tile * patches + (y % rows) * columns + (x % columns)], 1);
            });
            this.mosaic = { digest, picture };
        }
        return all && this.mosaic;
    }

    /** @param {Selection} shown @param {number} other the patch that the chosen one is compared with */
    draw(shown, other) {
        const { column, canvas, areas } = this;
        const { rows, columns, patches, prefix } = column.meta;
        const [patch, maps] = [column.patchOf(shown), this.allMaps()];
        const { chosen, key } = column.data.palette;
        const at = (/** @type {number} */ one) => [one % columns, Math.floor(one / columns)];
        const token = (/** @type {number} */ x, /** @type {number} */ y) => tokenAt(column.meta, x, y);
        onCanvas(canvas, (context, width, height) => {
            const narrow = width < NARROW;
            const size = Math.min(height - TOP, narrow ? 0.56 * width : Math.min(0.66 * width, width - BESIDE));
            const tile = size / columns;
            const says = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) =>
                write(context, text, x, y, { as: narrow ? "cell" : "text" });
            if (maps) {
                says(String(column.data.facts[narrow ? "narrow" : "maps"]), 0, 20);
                for (let one = 0; one < patches; one++) {
                    const [x, y] = at(one);
                    const [left, top, side] = [x * tile, TOP + y * tile, tile * 0.92];
                    enlarged(context, maps.picture, x * columns, y * rows, columns, rows, left, top, side, side);
                }
                const [x, y] = at(patch);
                outline(context, x * tile, TOP + y * tile, tile * 0.92, tile * 0.92, chosen);
                areas.add({ x: 0, y: TOP, width: size, height: tile * rows, at: (x, y) => ({ query: token(x, y) }) });
            }
            const one = this.mapOf(patch);
            if (!one) return coming(context, width);
            const left = maps ? size + 24 : 0;
            const large = Math.min(width - left, maps ? 260 : size - 54);
            const high = (large * rows) / columns;
            drawMap(context, one, column.meta, 1, left, TOP, large, high);
            const box = /** @type {const} */ ([left, TOP, large, high]);
            outlineToken(context, column.meta, prefix.length + other, box, key);
            outlineToken(context, column.meta, prefix.length + patch, box, chosen);
            areas.add({ x: left, y: TOP, width: large, height: high, at: (x, y) => ({ key: token(x, y) }) });
            says(`patch ${patch + 1}`, left, 20);
            const others = Array.from(one).filter((_, place) => place !== patch);
            const [least, most] = [Math.min(...others), Math.max(...others)];
            const under = TOP + high + 26;
            says(`with patch ${other + 1}: ${small(one[other])}`, left, under);
            says(narrow ? "elsewhere" : `elsewhere ${small(least)} to ${small(most)}`, left, under + 24);
            if (narrow) says(`${small(least)} to ${small(most)}`, left, under + 44);
        });
    }
}
