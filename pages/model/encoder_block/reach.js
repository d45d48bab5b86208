// What a 3 × 3 convolution has met after some layers, beside what a head looks at.

/** @import { Photo } from "#board/frame/photo.js" */
/** @import { Moment } from "./vectors.js" */

import { wrapped } from "#board/canvas/lines.js";
import { largest, outline, outlineToken } from "#board/canvas/surface.js";
import { drawLit, veil } from "#board/canvas/tiles.js";
import { write } from "#board/canvas/words.js";
import { small, tokenName, whole } from "#board/draw/text.js";
import { weights } from "#board/state/maps.js";

const GAP = 20;

/** @param {Moment} moment @param {Photo} photo */
export function drawReach({ context, width, height, board, areas, shown }, photo) {
    const { columns, rows, prefix, tokens, heads } = board.meta;
    const layer = shown.layer + 1;
    const head = Math.min(shown.head, heads - 1);
    const patch = board.patchOf(shown);
    const query = prefix.length + patch;
    const map = new Float32Array(tokens);
    const lightOf = (/** @type {number} */ which) =>
        weights(board, { layer: shown.layer, head: which, query, shows: "row" }, map) && map.slice(prefix.length);
    const near = (/** @type {number} */ at) =>
        Math.max(
            Math.abs((at % columns) - (patch % columns)),
            Math.abs(Math.floor(at / columns) - Math.floor(patch / columns)),
        ) <= layer;
    const field = Float32Array.from({ length: columns * rows }, (_, at) => Number(near(at)));
    const light = lightOf(head);

    const side = 2 * layer + 1;
    const under = width < 500 ? 240 : height < 440 ? 116 : 210; // pixels for what is said, and the heads where they fit
    const size = Math.min((width - GAP) / 2, height - under);
    const right = size + GAP;
    const says = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) =>
        wrapped(context, text, x, y, size);
    const title = /** @type {const} */ ({ as: "title", width: size });
    write(context, `${layer} ${layer > 1 ? "layers" : "layer"} of 3 × 3 convolutions`, 0, 16, title);
    write(context, `layer ${layer}, head ${head + 1}`, right, 16, title);
    drawLit(context, photo.picture, veil(field, columns, rows, 1), 0, 26, size);
    const own = (/** @type {number} */ left) =>
        outlineToken(context, board.meta, query, [left, 26, size, size], board.data.palette.chosen);
    own(0);
    const met = field.reduce((a, b) => a + b, 0);
    says(
        `${tokenName(board.meta, query)} has seen a ${whole(side)} × ${whole(side)} neighbourhood: ${whole(met)} of ${whole(columns * rows)} patches.`,
        0,
        size + 48,
    );
    if (!light) {
        says("The head's weights are on their way.", right, size + 48);
        return true;
    }
    drawLit(context, photo.picture, veil(light, columns, rows, largest(light)), right, 26, size);
    own(right);
    const all = light.reduce((a, b) => a + b, 0) || 1;
    const inside = light.reduce((sum, weight, at) => sum + weight * field[at], 0) / all;
    says(`≈ ${small(100 * inside)} % of its patch attention lies in that neighbourhood.`, right, size + 48);
    photo.light = light.map((weight) => Math.sqrt(weight / largest(light)));

    const top = size + (size < 240 ? 160 : 118);
    const tile = Math.min(width / heads, Math.max(64, Math.min(height - top, size / 2)));
    if (tile < 14 || top + tile > height) return true;
    for (let each = 0; each < heads; each++) {
        const lit = lightOf(each);
        if (!lit) continue;
        const x = each * tile;
        drawLit(context, photo.picture, veil(lit, columns, rows, largest(lit)), x, top, tile - 4);
        if (each === head) outline(context, x, top, tile - 4, tile - 4, board.data.palette.chosen);
        areas.add({ x, y: top, width: tile, height: tile, at: () => ({ head: each }) });
    }
    return true;
}
