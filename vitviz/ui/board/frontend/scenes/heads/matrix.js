// The matrix of a head: a row per query, a column per key. Pointing at a weight says whose it is.

/** @import { Areas } from "../../draw/areas.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Shows } from "../../state/maps.js" */
/** @import { Selection } from "../../types.js" */
/** @import { QueryMaps } from "./query_maps.js" */

import { onCanvas, pixels } from "../../draw/surface.js";
import { largest } from "../../draw/tiles.js";
import { matrix } from "../../state/maps.js";
import { coloured } from "./query_maps.js";

const AT_ONCE = 4e6; // weights of all maps behind a matrix that are decoded within a frame

export class Matrix {
    /** @param {HTMLCanvasElement} canvas @param {Board} board @param {QueryMaps} maps @param {Areas} areas */
    constructor(canvas, board, maps, areas) {
        this.canvas = canvas;
        this.board = board;
        this.maps = maps;
        this.areas = areas;
        this.key = "";
        /** [query][key] of what is shown. @type {Float32Array | null} */
        this.values = null;
        /** @type {OffscreenCanvas | null} */
        this.picture = null;
    }

    /** Whether it is decoded while the hand moves. @param {Selection} shown */
    quick(shown) {
        const { heads, tokens } = this.board.meta;
        return tokens ** 2 * (this.maps.row(shown) < heads ? 1 : heads) <= AT_ONCE;
    }

    /** @param {Selection} shown */
    read(shown) {
        const { tokens, digest } = this.board.meta;
        const row = this.maps.row(shown);
        const key = `${digest} ${shown.layer} ${row} ${shown.shows} ${shown.scale} ${this.board.parcels.count} ${shown.edits}`;
        if (key === this.key) return;
        this.key = key;
        const values = matrix(this.board, { layer: shown.layer, head: row, shows: /** @type {Shows} */ (shown.shows) });
        this.values = values;
        if (!values) {
            this.picture = null;
            return;
        }
        const limit = shown.scale === "own" ? largest(values) : this.maps.shared;
        const scale = this.board.data.weights;
        this.picture = pixels(tokens, tokens, (at) => coloured(scale, Math.min(1, values[at] / limit)));
    }

    /** @param {Selection} shown @param {number} size */
    draw(shown, size) {
        const { tokens } = this.board.meta;
        this.read(shown);
        this.areas.clear();
        Object.assign(this.canvas.style, { width: `${size}px`, height: `${size}px` });
        onCanvas(this.canvas, (context) => {
            if (!this.picture) return;
            context.imageSmoothingEnabled = tokens > 2 * size;
            context.drawImage(this.picture, 0, 0, size, size);
            const cell = size / tokens;
            const at = shown.query * cell;
            const column = shown.shows === "column";
            for (const [place, colour] of /** @type {[number, string][]} */ ([
                [3, "#000"],
                [2, this.board.data.palette.query],
            ])) {
                context.fillStyle = colour;
                for (const edge of [at - place, at + cell + place - 2])
                    column ? context.fillRect(edge, 0, 2, size) : context.fillRect(0, edge, size, 2);
            }
            this.areas.add({
                x: 0,
                y: 0,
                width: size,
                height: size,
                at: (across, down) => this.pair(shown, across, down),
            });
        });
    }

    /** What a place of the matrix means. @param {Selection} shown @param {number} x @param {number} y */
    pair({ shows }, x, y) {
        const { tokens } = this.board.meta;
        const [column, row] = [Math.floor(x * tokens), Math.floor(y * tokens)];
        return shows === "column" ? { query: column, key: row } : { query: row, key: column };
    }
}
