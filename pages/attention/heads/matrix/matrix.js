// The matrix of a head: a row per query, a column per key. Pointing at a weight says whose it is.

/** @import { Areas } from "#board/canvas/areas.js" */
/** @import { Board } from "#board/state/board.js" */
/** @import { Shows } from "#board/state/maps.js" */
/** @import { Selection } from "#board/types.js" */
/** @import { QueryMaps } from "../query_maps.js" */

import { frame, largest, onCanvas, pixels } from "#board/canvas/surface.js";
import { matrix } from "#board/state/maps.js";
import { coloured } from "../query_maps.js";
import { drawAxes, room } from "./axes.js";
import { tokenAt, WHOLE } from "./window.js";
import { Zoom } from "./zoom.js";

const AT_ONCE = 4e6; // weights of all maps behind a matrix that are decoded within a frame

export class Matrix {
    /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} axes what it stands on, where it is large
     *  @param {Board} board @param {QueryMaps} maps @param {Areas} areas */
    constructor(canvas, axes, board, maps, areas) {
        this.canvas = canvas;
        this.axes = axes;
        this.board = board;
        this.maps = maps;
        this.areas = areas;
        this.key = "";
        /** [query][key] of what is shown. @type {Float32Array | null} */
        this.values = null;
        /** @type {OffscreenCanvas | null} */
        this.picture = null;
        /** Whether it is the picture of its moment: then it has axes, and a part of it can be looked at. */
        this.large = false;
        this.zoom = new Zoom(
            canvas,
            () => (this.large && this.picture ? board.meta.tokens : 0),
            () => board.invalidate(),
        );
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

    /** The part that is looked at: of a small one all. */
    get part() {
        return this.large ? this.zoom.part : WHOLE;
    }

    /** @param {Selection} shown @param {number} size @param {{ large: boolean, narrow: boolean }} how */
    draw(shown, size, { large, narrow }) {
        const { tokens } = this.board.meta;
        this.large = large;
        this.read(shown);
        this.areas.clear();
        const { left, below } = large ? room(narrow) : { left: 0, below: 0 };
        const [width, margin] = [`${size}px`, `0 0 ${below}px ${left}px`];
        Object.assign(this.canvas.style, { width, height: width, margin });
        this.axes.hidden = !large || !this.picture;
        if (large) drawAxes(this.axes, this.board, shown, this.part, size, narrow);
        onCanvas(this.canvas, (context) => {
            if (!this.picture) return;
            const part = this.part;
            context.imageSmoothingEnabled = tokens * part.side > 2 * size;
            const [x, y, side] = [part.left, part.top, part.side].map((share) => share * tokens);
            context.drawImage(this.picture, x, y, side, side, 0, 0, size, size);
            const cell = size / side;
            const column = shown.shows === "column";
            const at = (shown.query - (column ? x : y)) * cell;
            const round = (/** @type {number} */ out, /** @type {string} */ colour) => {
                const [from, wide, all] = [at - out, cell + 2 * out, size + 8];
                column
                    ? frame(context, from, -4, wide, all, colour, 2)
                    : frame(context, -4, from, all, wide, colour, 2);
            };
            round(2, "#000");
            round(1, this.board.data.palette.query);
            this.areas.add({
                x: 0,
                y: 0,
                width: size,
                height: size,
                at: (across, down) => this.pair(shown, across, down),
            });
        });
    }

    /** What a place of the part means. @param {Selection} shown @param {number} x @param {number} y */
    pair({ shows }, x, y) {
        const { tokens } = this.board.meta;
        const { left, top, side } = this.part;
        const [column, row] = [tokenAt(left, side, x, tokens), tokenAt(top, side, y, tokens)];
        return shows === "column" ? { query: column, key: row } : { query: row, key: column };
    }
}
