// The attention map of the chosen layer, head and query: edited, original, and their difference.

/** @import { Board } from "../../../state/board.js" */

import { diverging, font, pixels } from "../../../draw/surface.js";
import { small } from "../../../draw/text.js";
import { drawLit, largest, veil } from "../../../draw/tiles.js";

const TOP = 24; // pixels for the name of a map
const FOOT = 22; // and for its scale
const GAP = 12;

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {{ plain: CanvasImageSource | null, painted: CanvasImageSource | null }} photos
 *  @param {Float32Array | null} original weights of all tokens @param {Float32Array | null} edited
 *  @param {number} width @param {number} height @param {string} colour
 *  @param {boolean} before whether these maps are made before anything is changed */
export function drawCompared(context, board, photos, original, edited, width, height, colour, before) {
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
    const [one, two] = [patches(edited), patches(original)];
    let most = 0;
    for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs(one[at] - two[at]));
    const shown = most < 1e-6 ? 1 : most;
    context.imageSmoothingEnabled = false;
    const picture = pixels(columns, rows, (at) => diverging(one[at] - two[at], shown));
    context.drawImage(picture, 2 * (size + GAP), TOP, size, size);
    context.imageSmoothingEnabled = true;
    context.strokeStyle = "#8888";
    context.strokeRect(2 * (size + GAP), TOP, size, size);
    name(
        2,
        "difference",
        most < 1e-6 ? (before ? "none: made before the change" : "none") : `blue −, red +: ${small(most)}`,
    );
}
