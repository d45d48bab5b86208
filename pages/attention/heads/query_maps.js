// All maps of one query: what it looks at in every head of every layer, and below the heads their mean or the rollout.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Shows } from "#frontend/state/maps.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { enlarged } from "#frontend/draw/surface.js";
import { drawOff, inSquare } from "#frontend/draw/tiles.js";
import { read } from "#frontend/edits/edits.js";
import { offAt } from "#frontend/edits/effects.js";
import { exactWeights, weights } from "#frontend/state/maps.js";

const TIMES_UNIFORM = 8; // the shared scale ends at this many times the weight of uniform attention
const DARK = 0.72; // of the light of a patch goes where nobody looks
const UNKNOWN = 0xb0808080; // a grey veil

export class QueryMaps {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.key = "";
        /** @type {Float32Array[]} */
        this.maps = [];
        /** Which maps are here. @type {boolean[]} */
        this.held = [];
        /** Why each adds nothing, "" where it does. @type {string[]} */
        this.off = [];
        /** The largest weight on a patch of each map. */
        this.largest = new Float64Array(0);
        /** All maps side by side, a pixel per patch, to be laid over the photo. @type {OffscreenCanvas | null} */
        this.veils = null;
        this.veiled = "";
    }

    /** Read what the browser holds of this query. @param {Selection} shown */
    read(shown) {
        const { depth, heads, tokens, prefix, digest } = this.column.meta;
        const key = `${digest} ${shown.query} ${shown.shows} ${this.column.parcels.count} ${shown.edits}`;
        if (key === this.key) return;
        this.key = key;
        const count = depth * (heads + 1);
        if (this.maps.length !== count || this.maps[0].length !== tokens) {
            this.maps = Array.from({ length: count }, () => new Float32Array(tokens));
            this.largest = new Float64Array(count);
        }
        const edits = read(shown.edits, this.column.meta);
        for (let at = 0; at < count; at++) {
            const [layer, head] = [Math.floor(at / (heads + 1)), at % (heads + 1)];
            const rolled = head === heads && shown.shows === "rollout";
            this.off[at] = rolled ? "" : offAt(edits, this.column.meta, layer, head);
            const map = this.maps[at];
            this.held[at] = weights(this.column, { ...what(shown), layer, head }, map);
            this.largest[at] = 0;
            for (let token = prefix.length; token < tokens; token++)
                if (map[token] > this.largest[at]) this.largest[at] = map[token];
        }
    }

    /** The place of a map. @param {number} layer @param {number} row a head, or their number */
    at(layer, row) {
        return layer * (this.column.meta.heads + 1) + row;
    }

    /** The row of the wall that is on the photo. @param {Selection} shown */
    row({ head, mean, shows }) {
        const { heads } = this.column.meta;
        return mean === "1" || shows === "rollout" ? heads : Math.min(head, heads - 1);
    }

    /** What a row of the wall is called. @param {number} row @param {Selection} shown */
    name(row, { shows }) {
        if (row < this.column.meta.heads) return `head ${row + 1}`;
        return shows === "rollout" ? "rollout" : "mean of the heads";
    }

    /** The weight that all maps are fully lit at, where they share a scale. */
    get shared() {
        return Math.min(1, TIMES_UNIFORM / this.column.meta.tokens);
    }

    /** The weight that is drawn brightest. @param {Selection} shown @param {number} at */
    limit({ scale }, at) {
        return scale === "own" ? this.largest[at] || 1 : this.shared;
    }

    /** The uncoded weights of a row of the wall, where they are here. @param {Selection} shown @param {number} row */
    exact(shown, row) {
        return exactWeights(this.column, { ...what(shown), layer: shown.layer, head: row });
    }

    /** A map over the photo, as it is drawn on the wall. @param {CanvasRenderingContext2D} context
     *  @param {CanvasImageSource | null} photo @param {Selection} shown @param {number} at @param {number} x
     *  @param {number} y @param {number} size */
    draw(context, photo, shown, at, x, y, size) {
        const { rows, columns, heads } = this.column.meta;
        const [layer, row] = [Math.floor(at / (heads + 1)), at % (heads + 1)];
        const box = inSquare(photo, x, y, size);
        if (photo) context.drawImage(photo, ...box);
        enlarged(context, this.veil(shown), layer * columns, row * rows, columns, rows, ...box);
        if (this.off[at]) drawOff(context, box[0], box[1], Math.min(box[2], box[3]));
    }

    /** All maps as veils: darkness where nobody looks, or the colours of weights. @param {Selection} shown */
    veil(shown) {
        const key = `${this.key} ${shown.scale} ${shown.drawn}`;
        if (this.veils && key === this.veiled) return this.veils;
        this.veiled = key;
        const { rows, columns, prefix, depth, heads } = this.column.meta;
        const [wide, high] = [depth * columns, (heads + 1) * rows];
        if (this.veils?.width !== wide || this.veils.height !== high) this.veils = new OffscreenCanvas(wide, high);
        const context = /** @type {OffscreenCanvasRenderingContext2D} */ (this.veils.getContext("2d"));
        const image = context.createImageData(wide, high);
        const words = new Uint32Array(image.data.buffer);
        const scale = this.column.data.weights;
        const colours = shown.drawn === "colours";
        for (const [at, map] of this.maps.entries()) {
            const limit = this.limit(shown, at);
            const start = Math.floor(at / (heads + 1)) * columns + (at % (heads + 1)) * rows * wide;
            for (let patch = 0; patch < rows * columns; patch++) {
                const share = Math.min(1, map[prefix.length + patch] / limit);
                const place = start + Math.floor(patch / columns) * wide + (patch % columns);
                if (!this.held[at]) words[place] = UNKNOWN;
                else if (colours) words[place] = coloured(scale, share);
                else words[place] = (Math.round(255 * DARK * (1 - Math.sqrt(share))) << 24) >>> 0;
            }
        }
        context.putImageData(image, 0, 0);
        return this.veils;
    }
}

/** A share of the colour scale as an RGBA word. @param {number[]} scale @param {number} share */
export function coloured(scale, share) {
    const step = 3 * Math.round(255 * share);
    return (0xff000000 | (scale[step + 2] << 16) | (scale[step + 1] << 8) | scale[step]) >>> 0;
}

/** @param {Selection} shown */
const what = ({ query, shows }) => ({ query, shows: /** @type {Shows} */ (shows) });
