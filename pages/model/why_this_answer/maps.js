// Maps of what an answer came from: a number per patch, drawn by one rule on the photo and in tiles.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { diverging, enlarged, frame, largest, outline, pixels } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { drawLit, inSquare, veil } from "#frontend/draw/tiles.js";
import { drawMap, largestSize, nothingIn } from "#frontend/draw/vectors.js";
import { widthOf, write } from "#frontend/draw/words.js";
import { arrivedOf, askedOf, factsOf, inWords, isBegun, latest, mapOf, mapsOf, titleOf } from "./reasons.js";

const TITLE = 22; // pixels over a tile
const UNDER = 40; // and for the two lines under it
const GAP = 14;
const WORDED = 150; // pixels of a tile that has room for the rule
const NARROW = 560; // pixels: below, two tiles stand beside each other
const PALE = 0.3; // of the photo under colours
const SAME = ["the same for every class", "every class"]; // the shorter one where there is less room

/** A map of which some numbers have not come: nothing stands there. @param {ArrayLike<number>} values */
const soFar = (values) => Array.from(values, (value) => (Number.isNaN(value) ? 0 : value));

/** The colour of the page behind a canvas. @param {CanvasRenderingContext2D} context */
export const groundOf = ({ canvas }) => getComputedStyle(canvas).getPropertyValue("--st-background-color") || "#fff";

/** Where full colour is, in words. @param {ArrayLike<number>} values @param {boolean} signed */
const reach = (values, signed) => (signed ? `±${small(largestSize(values))}` : `to ${small(largest(values))}`);

/** The pictures of maps, by where their numbers lie: a hand draws the same ones again and again.
 *  @type {WeakMap<ArrayBufferLike, Map<number, OffscreenCanvas>>} */
const made = new WeakMap();

/** @param {ArrayLike<number>} values that stay as they are, if they came whole @param {() => OffscreenCanvas} make */
function pictureOf(values, make) {
    if (!(values instanceof Float32Array)) return make();
    const its = made.get(values.buffer) ?? new Map();
    made.set(values.buffer, its);
    const found = its.get(values.byteOffset) ?? make();
    its.set(values.byteOffset, found);
    return found;
}

/** A map in a square: light where the numbers have no sign, blue and red where they have; full at its own largest size.
 *  @param {CanvasRenderingContext2D} context @param {Column} column @param {CanvasImageSource | null} picture
 *  @param {ArrayLike<number>} values @param {boolean} signed @param {number} x @param {number} y @param {number} size */
export function drawTile(context, column, picture, values, signed, x, y, size) {
    const { columns, rows } = column.meta;
    const over = pictureOf(values, () => {
        if (!signed) return veil(values, columns, rows, largest(values));
        const most = largestSize(values);
        return pixels(columns, rows, (at) => diverging(values[at], most));
    });
    if (!signed) return drawLit(context, picture, over, x, y, size);
    const [left, top, wide, tall] = inSquare(picture, x, y, size);
    context.globalAlpha = PALE;
    if (picture) context.drawImage(picture, left, top, wide, tall);
    context.globalAlpha = 1;
    enlarged(context, over, left, top, wide, tall);
}

/** The same on the photo. @param {Photo} photo @param {Column} column @param {ArrayLike<number>} values @param {boolean} signed */
export function layOn(photo, column, values, signed) {
    const { columns, rows, image_sides: sides } = column.meta;
    if (!signed) {
        const most = largest(values);
        photo.light = Float32Array.from(values, (value) => Math.sqrt(Math.max(0, value) / most));
        return;
    }
    photo.over = (context, width) => {
        const height = (width * sides[0]) / sides[1];
        context.globalAlpha = 1 - PALE;
        context.fillStyle = groundOf(context);
        context.fillRect(0, 0, width, height);
        context.globalAlpha = 1;
        drawMap(context, values, { rows, columns }, largestSize(values), 0, 0, width, height);
    };
}

/** All maps side by side: of A; with B, of A, of B, and of the difference of both.
 *  @param {CanvasRenderingContext2D} context @param {Column} column @param {Photo} photo @param {Areas} areas
 *  @param {Selection} shown @param {number} width @param {number} height */
export function drawMaps(context, column, photo, areas, shown, width, height) {
    const { depends, signed, prices } = factsOf(column);
    const asked = rowsOf(column, shown);
    const narrow = width < NARROW && !context.canvas.closest("[data-columns]");
    const maps = mapsOf(column);
    const many = maps.length;
    let across = many;
    if (asked.length === 1) across = narrow ? 2 : 4;
    else if (narrow) across = asked.length;
    const tiles = asked.length * many;
    const down = Math.ceil(tiles / across);
    const under = asked.length === 1 ? UNDER : UNDER / 2;
    const title = TITLE * (asked.length === 1 || narrow ? 1 : 0);
    const head = title ? 0 : 2 * TITLE;
    const [wide, tall] = [width / across, (height - head) / down];
    const size = Math.max(24, Math.min(wide - GAP, tall - title - under - 6));
    if (head)
        for (const [at, [, name]] of maps.entries())
            wrapped(context, name, at * wide, 16, wide - GAP, { as: "tick", bold: true }, 18);
    for (let tile = 0; tile < tiles; tile++) {
        // A row for each of A, B and A − B; on a phone a column.
        const [line, at] =
            asked.length > 1 && narrow
                ? [tile % across, Math.floor(tile / across)]
                : [Math.floor(tile / many), tile % many];
        const [map, name] = maps[at];
        const [x, y] = [(tile % across) * wide, head + Math.floor(tile / across) * tall];
        const whole = mapOf(column, asked[line].ends, map);
        const own = map === "occlusion" && !whole;
        const part = own ? latest(column, `occlusion-${asked[line].ends}`)?.occlusion.data : undefined;
        const values = part ? soFar(part) : whole;
        const top = y + title;
        if (title)
            write(context, line ? asked[line].says : name, x, y + 15, { as: "tick", bold: !line, width: wide - GAP });
        const bound = !depends.includes(map) && column.meta.classes > 0;
        const why = (bound && line && SAME[0]) || (values && nothingIn(values)) || "";
        const soon = map === "occlusion" && !isBegun(column, shown) ? `not begun: ${prices.maps}` : "on its way";
        if (values && !why) drawTile(context, column, photo.picture, values, signed.includes(map), x, top, size);
        else {
            frame(context, x + 0.5, top + 0.5, size - 1, size - 1);
            wrapped(context, why || soon, x + 6, top + 20, size - 12, { as: "cell" }, 17);
        }
        if (map === shown.map && !line)
            outline(context, x + 2, top + 2, size - 4, size - 4, column.data.palette.chosen);
        areas.add({ x, y, width: wide, height: tall, at: () => ({ map }) });
        const foot = top + size + 17;
        const least = part ? `${arrivedOf(part)} of ${part.length}, ` : "";
        const scale = values && !why ? least + reach(values, signed.includes(map)) : "";
        if (asked.length > 1)
            write(context, scale && !narrow ? `${asked[line].says}: ${scale}` : scale, x, foot, {
                as: "cell",
                width: size,
            });
        else {
            write(context, scale, x, foot, { as: "cell", width: size });
            const says = SAME.find((it) => widthOf(context, it, { as: "cell" }) < wide - GAP) ?? SAME[1];
            if (bound) write(context, says, x, foot + 18, { as: "cell", width: wide - GAP });
        }
    }
    if (across === 4 && wide > WORDED) {
        const [x, y] = [3 * wide, tall + title];
        const signs = column.meta.classes ? SIGNS : SIGNS_OF_A_COMPONENT;
        wrapped(context, `${RULE} ${signs}`, x, y + 14, wide - GAP, { as: "tick" }, 19);
    }
}

const RULE = "One rule: full light or colour at the largest size, written below.";
const SIGNS = "Red speaks for the class, blue against it.";
const SIGNS_OF_A_COMPONENT = "Red makes the component larger, blue smaller.";

/** How high the maps are at least, on a narrow screen. @param {Column} column @param {Selection} shown @param {number} width */
export function heightOfMaps(column, shown, width) {
    const many = rowsOf(column, shown).length;
    return many > 1 ? mapsOf(column).length * (width / many + TITLE + UNDER / 2) : 4 * (width / 2 + TITLE + UNDER);
}

/** Whose maps stand below each other. @param {Column} column @param {Selection} shown */
export function rowsOf(column, shown) {
    const both = askedOf(column, shown);
    const same = column.parcels.get(`maps-${both}`)?.classes?.data[1] === -1; // B is the answered class, as is A
    if (!column.meta.classes || shown.against < 0 || same) return [{ ends: both, says: "" }];
    return [
        { ends: `${shown.answer}--1`, says: "A" },
        { ends: `${shown.against}--1`, says: "B" },
        { ends: both, says: "A − B" },
    ];
}

/** What stands under the photo. @param {Column} column @param {Selection} shown */
export function readMap(column, shown) {
    const { map } = shown;
    const { depends } = factsOf(column);
    const asked = askedOf(column, shown);
    const whose = inWords(column, column.parcels.get(`maps-${asked}`)?.classes?.data) || "the answer";
    const bound = !depends.includes(map) && column.meta.classes > 0;
    return `${titleOf(column, map)}${bound ? ": the same for every class" : ` for ${whose}`}${atPatch(column, shown, mapOf(column, asked, map))}`;
}

/** What a map says of the chosen patch, behind a dot. @param {Column} column @param {Selection} shown
 *  @param {ArrayLike<number> | undefined} values */
export function atPatch({ meta }, { query }, values) {
    const patch = query - meta.prefix.length;
    return values && patch >= 0 ? ` · {chosen} ${tokenName(meta, query)}: ${small(values[patch])}` : "";
}
