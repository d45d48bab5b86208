// The attention map of the chosen layer, head and query: edited, original, and their difference.

/** @import { Board } from "#board/state/board.js" */

import { wrapped } from "#board/canvas/lines.js";
import { frame, largest } from "#board/canvas/surface.js";
import { drawLit, veil } from "#board/canvas/tiles.js";
import { drawMap, largestSize } from "#board/canvas/vectors.js";
import { write } from "#board/canvas/words.js";
import { small } from "#board/draw/text.js";

const TOP = 24; // pixels for the name of a map
const FOOT = 22; // and for its scale
const GAP = 12;
const ROOM = 104; // pixels of a square that has room for a sentence

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {{ plain: CanvasImageSource | null, painted: CanvasImageSource | null }} photos
 *  @param {Float32Array | null} original weights of all tokens @param {Float32Array | null} edited
 *  @param {number} width @param {number} height
 *  @param {boolean} changed whether anything is @param {boolean} before whether these maps are made before that */
export function drawCompared(context, board, photos, original, edited, width, height, changed, before) {
    const { rows, columns, prefix } = board.meta;
    const size = Math.min((width - 2 * GAP) / 3, height - TOP - FOOT);
    const patches = (/** @type {Float32Array} */ row) => row.subarray(prefix.length);
    const both = [edited, original].filter((row) => row !== null).map(patches);
    const limit = Math.max(...both.map(largest), 1e-12);
    const name = (/** @type {number} */ place, /** @type {string} */ text, /** @type {string} */ foot) => {
        write(context, text, place * (size + GAP), 16, { as: "tick", bold: true, width: size });
        write(context, foot, place * (size + GAP), TOP + size + 17, { as: "cell", width: size });
    };
    for (const [place, [text, row]] of /** @type {[string, Float32Array | null][]} */ ([
        ["edited", edited],
        ["original", original],
    ]).entries()) {
        const x = place * (size + GAP);
        const photo = place ? photos.plain : photos.painted;
        if (row) drawLit(context, photo, veil(patches(row), columns, rows, limit), x, TOP, size);
        name(place, text, row ? `brightest from ${small(limit)}` : "on its way");
    }
    if (!edited || !original) return name(2, "difference", "");
    const left = 2 * (size + GAP);
    frame(context, left, TOP, size, size);
    if (!changed) {
        if (size > ROOM)
            wrapped(context, "What a change does to this map stands here.", left + 8, TOP + 24, size - 16, {
                as: "cell",
            });
        return name(2, "difference", "blue: less, red: more");
    }
    const moved = patches(edited).map((weight, at) => weight - original[prefix.length + at]);
    const most = largestSize(moved);
    const none = most < 1e-6;
    drawMap(context, moved, board.meta, none ? 1 : most, left, TOP, size);
    name(2, "difference", none ? (before ? "none: made before the change" : "none") : `blue −, red +: ${small(most)}`);
}
