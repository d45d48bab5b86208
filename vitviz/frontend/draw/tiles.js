// Small pictures of one pixel per patch: colours of vectors, and darkness where nobody looks.

import { enlarged, pixels } from "./surface.js";
import { write } from "./words.js";

const DARK = 0.72;
const WORDED = 30; // pixels of a tile that has room for a word

/** How many of `many` squares stand beside each other, with `under` pixels below each, and how wide they are at most; never
 *  wider than `least` in a row. @param {number} many @param {number} width @param {number} height @param {number} least
 *  @param {number} under */
export function equalRows(many, width, height, least, under) {
    const widest = width / Math.min(many, least);
    let best = { across: many, cell: 0 };
    for (let rows = 1; rows <= many; rows++) {
        const across = Math.ceil(many / rows);
        const cell = Math.min(widest, width / across, height / rows - under);
        if (cell > best.cell) best = { across, cell };
    }
    return best;
}

/** Three coordinates per patch as red, green and blue, each scaled to its own largest size.
 *  @param {ArrayLike<number>} points `n k` @param {number} columns @param {number} rows */
export function colourGrid(points, columns, rows) {
    const many = columns * rows;
    const share = points.length / many;
    const most = [0, 1, 2].map((axis) => {
        let largest = 1e-12;
        for (let at = 0; at < many && axis < share; at++)
            largest = Math.max(largest, Math.abs(points[at * share + axis]));
        return largest;
    });
    return pixels(columns, rows, (at) => {
        const [r, g, b] = most.map((limit, axis) =>
            axis < share ? Math.round(127.5 + (127.5 * points[at * share + axis]) / limit) : 128,
        );
        return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** Darkness to lay over the photo: light grows with the root of the weight, full at `limit`.
 *  @param {ArrayLike<number>} weights one per patch @param {number} columns @param {number} rows @param {number} limit */
export function veil(weights, columns, rows, limit) {
    return pixels(
        columns,
        rows,
        (at) => (Math.round(255 * DARK * (1 - Math.sqrt(Math.min(1, weights[at] / limit)))) << 24) >>> 0,
    );
}

/** Where a picture lies in a square, in its own shape. @param {CanvasImageSource | null} photo @param {number} x
 *  @param {number} y @param {number} size @returns {[number, number, number, number]} left, top, width, height */
export function inSquare(photo, x, y, size) {
    if (!photo) return [x, y, size, size];
    const { width, height } = /** @type {{ width: number, height: number }} */ (photo);
    const scale = size / Math.max(width, height);
    return [x + (size - width * scale) / 2, y + (size - height * scale) / 2, width * scale, height * scale];
}

/** The photo under a veil. @param {CanvasRenderingContext2D} context @param {CanvasImageSource | null} photo
 *  @param {OffscreenCanvas} over @param {number} x @param {number} y @param {number} size */
export function drawLit(context, photo, over, x, y, size) {
    const box = inSquare(photo, x, y, size);
    if (photo) context.drawImage(photo, ...box);
    enlarged(context, over, ...box);
}

/** A tile of what is off: pale, crossed out, and where there is room it says so. @param {CanvasRenderingContext2D} context
 *  @param {number} x @param {number} y @param {number} size */
export function drawOff(context, x, y, size) {
    context.fillStyle = "rgb(128 128 128 / .85)";
    context.fillRect(x, y, size, size);
    context.strokeStyle = "#000";
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, y + size);
    context.lineTo(x + size, y);
    context.stroke();
    const word = { as: Math.min(18, size / 3), bold: true, colour: "#000" };
    if (size >= WORDED) write(context, "off", x + size * 0.08, y + size * 0.36, word);
}
