// The attention map of the chosen layer, head and query: edited, original, and their difference.

/** @import { Board } from "../../../state/board.js" */

import { diverging, font, pixels, wrapped } from "../../../draw/surface.js";
import { small } from "../../../draw/text.js";
import { drawLit, largest, veil } from "../../../draw/tiles.js";

const TOP = 24; // pixels for the name of a map
const FOOT = 22; // and for its scale
const GAP = 12;
const ROOM = 104; // pixels of a square that has room for a sentence

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {{ plain: CanvasImageSource | null, painted: CanvasImageSource | null }} photos
 *  @param {Float32Array | null} original weights of all tokens @param {Float32Array | null} edited
 *  @param {number} width @param {number} height @param {string} colour
 *  @param {boolean} changed whether anything is @param {boolean} before whether these maps are made before that */
export function drawCompared(context, board, photos, original, edited, width, height, colour, changed, before) {
    const { rows, columns, prefix } = board.meta;
    const size = Math.min((width - 2 * GAP) / 3, height - TOP - FOOT);
    const patches = (/** @type {Float32Array} */ row) => row.subarray(prefix.length);
    const both = [edited, original].filter((row) => row !== null).map(patches);
    const limit = Math.max(...both.map(largest), 1e-12);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    const name = (/** @type {number} */ place, /** @type {string} */ text, /** @type {string} */ foot) => {
        context.fillStyle = colour;
        font(context, 15, 600);
        context.fillText(text, place * (size + GAP), 16, size);
        font(context, 14);
        context.fillText(foot, place * (size + GAP), TOP + size + 17, size);
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
    context.strokeStyle = "#8888";
    context.strokeRect(left, TOP, size, size);
    if (!changed) {
        context.fillStyle = colour;
        font(context, 14);
        if (size > ROOM)
            wrapped(context, "What a change does to this map stands here.", left + 8, TOP + 24, size - 16, 19);
        return name(2, "difference", "blue: less, red: more");
    }
    const [one, two] = [patches(edited), patches(original)];
    let most = 0;
    for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs(one[at] - two[at]));
    const shown = most < 1e-6 ? 1 : most;
    context.imageSmoothingEnabled = false;
    const picture = pixels(columns, rows, (at) => diverging(one[at] - two[at], shown));
    context.drawImage(picture, left, TOP, size, size);
    context.imageSmoothingEnabled = true;
    name(
        2,
        "difference",
        most < 1e-6 ? (before ? "none: made before the change" : "none") : `blue −, red +: ${small(most)}`,
    );
}
