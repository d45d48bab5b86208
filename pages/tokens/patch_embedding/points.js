// All tokens as points in the plane in which they spread most: little pictures of their patches, the chosen one in orange.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { writeClear } from "#frontend/draw/lines.js";
import { plotOn } from "#frontend/draw/plot.js";
import { enlarged, frame, outline } from "#frontend/draw/surface.js";
import { tokenName } from "#frontend/draw/text.js";
import { widthOf, write } from "#frontend/draw/words.js";

const EDGE = { left: 30, right: 16, top: 16, below: 36 };
const NEAR = 24; // pixels from a point that still mean it

/** Where points lie in a box: as far apart across as down, the second component upwards.
 *  @param {ArrayLike<number>} points `n k` @param {number} many @param {number} width @param {number} height */
export function laid(points, many, width, height) {
    const kept = points.length / many;
    const all = Array.from({ length: many }, (_, at) => [points[at * kept], kept > 1 ? -points[at * kept + 1] : 0]);
    const [least, most] = [Math.min, Math.max].map((of) => [0, 1].map((axis) => of(...all.map((it) => it[axis]))));
    const scale = Math.min(width / (most[0] - least[0] || 1), height / (most[1] - least[1] || 1));
    const start = [width, height].map((room, axis) => (room - (least[axis] + most[axis]) * scale) / 2);
    return { places: all.map(([x, y]) => [start[0] + x * scale, start[1] + y * scale]), zero: start };
}

/** @param {CanvasRenderingContext2D} context @param {{ width: number, height: number }} size
 *  @param {Column} column @param {ImageBitmap | null} photo @param {Areas} areas @param {Selection} shown
 *  @param {ArrayLike<number>} points @param {ArrayLike<number>} share */
export function drawPoints(context, { width, height }, column, photo, areas, shown, points, share) {
    const { rows, columns, patches, prefix } = column.meta;
    const [wide, high] = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.below];
    const { places, zero } = laid(points, patches, wide, high);
    const side = Math.max(8, Math.min(24, Math.sqrt((wide * high) / patches) / 2.4));
    const chosen = column.patchOf(shown);
    const axis = (/** @type {number} */ which) =>
        `principal component ${which + 1}: ${(100 * (share[which] ?? 0)).toFixed(1)} % of the variance`;
    const box = { x: EDGE.left, y: EDGE.top, width: wide, height: high };
    const across = { low: 0, high: wide, title: axis(0) };
    const plot = plotOn(context, box, across, { low: high, high: 0 });
    plot.upright(zero[0]);
    plot.level(zero[1]);
    plot.names();
    context.save();
    context.translate(EDGE.left - 12, EDGE.top + high / 2);
    context.rotate(-Math.PI / 2);
    write(context, axis(1), 0, 0, { as: "tick", align: "center", width: high });
    context.restore();
    const draw = (/** @type {number} */ patch) => {
        const [x, y] = [plot.x(places[patch][0]) - side / 2, plot.y(places[patch][1]) - side / 2];
        if (!photo) return frame(context, x, y, side, side);
        const [w, h] = [photo.width / columns, photo.height / rows];
        enlarged(context, photo, (patch % columns) * w, Math.floor(patch / columns) * h, w, h, x, y, side, side);
        frame(context, x, y, side, side);
    };
    for (let patch = 0; patch < patches; patch++) draw(patch);
    draw(chosen);
    const [x, y] = [plot.x(places[chosen][0]), plot.y(places[chosen][1])];
    outline(context, x - side / 2 - 1, y - side / 2 - 1, side + 2, side + 2, column.data.palette.chosen);
    const name = tokenName(column.meta, prefix.length + chosen);
    const after = x + side + widthOf(context, name, { bold: true }) < width - EDGE.right;
    const halo = getComputedStyle(document.body).backgroundColor;
    const how = /** @type {const} */ ({ bold: true, align: after ? "left" : "right" });
    writeClear(context, name, x + (after ? side : -side), Math.max(EDGE.top + 14, y - side / 2), how, halo);
    areas.add({
        x: EDGE.left,
        y: EDGE.top,
        width: wide,
        height: high,
        at: (across, down) => {
            const away = places.map(([x, y]) => Math.hypot(x - across * wide, y - down * high));
            const nearest = away.indexOf(Math.min(...away));
            return away[nearest] <= NEAR ? { query: prefix.length + nearest } : null;
        },
    });
}
