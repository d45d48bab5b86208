// What a 3 × 3 convolution has met after some layers, beside what a head looks at.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Moment } from "./vectors.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { largest, outline, outlineToken } from "#frontend/draw/surface.js";
import { small, tokenName, whole } from "#frontend/draw/text.js";
import { drawLit, veil } from "#frontend/draw/tiles.js";
import { write } from "#frontend/draw/words.js";
import { weights } from "#frontend/state/maps.js";

const GAP = 20;
const TOP = 26; // of the pictures, below their titles
const SAID = 116; // with what is said below them
const READ = 200; // wide enough for that
const LEAST = 14; // pixels of a head

/** @param {Moment} moment @param {Photo} photo */
export function drawReach({ context, width, height, column, areas, shown }, photo) {
    const { columns, rows, prefix, tokens, heads } = column.meta;
    const layer = shown.layer + 1;
    const head = Math.min(shown.head, heads - 1);
    const patch = column.patchOf(shown);
    const query = prefix.length + patch;
    const map = new Float32Array(tokens);
    const lightOf = (/** @type {number} */ which) =>
        weights(column, { layer: shown.layer, head: which, query, shows: "row" }, map) && map.slice(prefix.length);
    const near = (/** @type {number} */ at) =>
        Math.max(
            Math.abs((at % columns) - (patch % columns)),
            Math.abs(Math.floor(at / columns) - Math.floor(patch / columns)),
        ) <= layer;
    const field = Float32Array.from({ length: columns * rows }, (_, at) => Number(near(at)));
    const light = lightOf(head);

    const side = 2 * layer + 1;
    const { size, left, top, tile, abreast } = placed(heads, width, height);
    const right = size + GAP;
    const says = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) =>
        wrapped(context, text, x, y, size);
    const title = /** @type {const} */ ({ as: "title", width: size });
    write(context, `${layer} ${layer > 1 ? "layers" : "layer"} of 3 × 3 convolutions`, 0, 16, title);
    write(context, `layer ${layer}, head ${head + 1}`, right, 16, title);
    drawLit(context, photo.picture, veil(field, columns, rows, 1), 0, TOP, size);
    const own = (/** @type {number} */ x) =>
        outlineToken(context, column.meta, query, [x, TOP, size, size], column.data.palette.chosen);
    own(0);
    const met = field.reduce((a, b) => a + b, 0);
    says(
        `${tokenName(column.meta, query)} has seen a ${whole(side)} × ${whole(side)} neighbourhood: ${whole(met)} of ${whole(columns * rows)} patches.`,
        0,
        size + 48,
    );
    if (!light) {
        says("The head's weights are on their way.", right, size + 48);
        return true;
    }
    drawLit(context, photo.picture, veil(light, columns, rows, largest(light)), right, TOP, size);
    own(right);
    const all = light.reduce((a, b) => a + b, 0) || 1;
    const inside = light.reduce((sum, weight, at) => sum + weight * field[at], 0) / all;
    says(`≈ ${small(100 * inside)} % of its patch attention lies in that neighbourhood.`, right, size + 48);
    photo.light = light.map((weight) => Math.sqrt(weight / largest(light)));

    if (tile < LEAST) return true;
    for (let each = 0; each < heads; each++) {
        const lit = lightOf(each);
        if (!lit) continue;
        const [x, y] = [left + (each % abreast) * tile, top + Math.floor(each / abreast) * tile];
        drawLit(context, photo.picture, veil(lit, columns, rows, largest(lit)), x, y, tile - 4);
        if (each === head) outline(context, x, y, tile - 4, tile - 4, column.data.palette.chosen);
        areas.add({ x, y, width: tile, height: tile, at: () => ({ head: each }) });
    }
    return true;
}

/** How large the two pictures are, and where all heads stand, so many `abreast`: in a row below the pictures or in
 *  columns beside them, whichever fills more. @param {number} heads @param {number} width @param {number} height */
function placed(heads, width, height) {
    const under = width < 500 ? 240 : height < 440 ? SAID : 210; // pixels for what is said, and the heads where they fit
    const below = Math.min((width - GAP) / 2, height - under);
    const top = below + (below < 240 ? 160 : 118);
    const row = Math.min(width / heads, Math.max(64, Math.min(height - top, below / 2)));
    const ways = [{ size: below, left: 0, top, tile: top + row > height ? 0 : row, abreast: heads }];
    for (let abreast = 1; abreast <= heads; abreast++) {
        const column = Math.min((height - TOP) / Math.ceil(heads / abreast), width / 4);
        const size = Math.min((width - abreast * column) / 2 - GAP, height - SAID);
        const tile = Math.min(column, size / 2);
        if (size > READ) ways.push({ size, left: 2 * (size + GAP), top: TOP, tile, abreast });
    }
    const filled = (/** @type {typeof ways[0]} */ { size, tile }) => 2 * size ** 2 + heads * tile ** 2;
    return ways.reduce((best, it) => (filled(it) > filled(best) ? it : best));
}
