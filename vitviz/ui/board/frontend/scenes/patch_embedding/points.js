// All tokens as points in the plane in which they spread most: little pictures of their patches, the chosen one in orange.

/** @import { Areas } from "../../draw/areas.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Selection } from "../../types.js" */

import { font, outline } from "../../draw/surface.js";
import { tokenName } from "../../draw/text.js";

const EDGE = { left: 30, right: 16, top: 16, below: 34 };
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

/** @param {CanvasRenderingContext2D} context @param {{ width: number, height: number, colour: string }} box
 *  @param {Board} board @param {ImageBitmap | null} photo @param {Areas} areas @param {Selection} shown
 *  @param {ArrayLike<number>} points @param {ArrayLike<number>} share */
export function drawPoints(context, { width, height, colour }, board, photo, areas, shown, points, share) {
    const { rows, columns, patches, prefix } = board.meta;
    const [wide, high] = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.below];
    const { places, zero } = laid(points, patches, wide, high);
    const side = Math.max(8, Math.min(24, Math.sqrt((wide * high) / patches) / 2.4));
    const chosen = board.patchOf(shown);
    context.save();
    context.translate(EDGE.left, EDGE.top);
    context.globalAlpha = 0.35;
    context.fillStyle = colour;
    context.fillRect(zero[0], 0, 1, high);
    context.fillRect(0, zero[1], wide, 1);
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = false;
    const draw = (/** @type {number} */ patch) => {
        const [x, y] = [places[patch][0] - side / 2, places[patch][1] - side / 2];
        if (!photo) return context.fillRect(x, y, side, side);
        const [across, down] = [photo.width / columns, photo.height / rows];
        const from = [(patch % columns) * across, Math.floor(patch / columns) * down];
        context.drawImage(photo, from[0], from[1], across, down, x, y, side, side);
        context.strokeStyle = "#8888";
        context.lineWidth = 1;
        context.strokeRect(x, y, side, side);
    };
    for (let patch = 0; patch < patches; patch++) draw(patch);
    draw(chosen);
    const [x, y] = places[chosen];
    outline(context, x - side / 2 - 1, y - side / 2 - 1, side + 2, side + 2, board.data.palette.chosen);
    font(context, 16, 600);
    const name = tokenName(board.meta, prefix.length + chosen);
    const after = x + side + context.measureText(name).width < wide;
    context.textAlign = after ? "left" : "right";
    context.lineWidth = 4;
    context.strokeStyle = getComputedStyle(document.body).backgroundColor;
    const at = /** @type {const} */ ([x + (after ? side : -side), Math.max(14, y - side / 2)]);
    context.strokeText(name, ...at);
    context.fillText(name, ...at);
    context.restore();
    font(context, 16);
    context.textAlign = "center";
    const axis = (/** @type {number} */ which) =>
        `principal component ${which + 1}: ${(100 * (share[which] ?? 0)).toFixed(1)} % of the variance`;
    context.fillText(axis(0), EDGE.left + wide / 2, height - 8, wide);
    context.save();
    context.translate(18, EDGE.top + high / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(axis(1), 0, 0, high);
    context.restore();
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
