// What stands at the edges of the matrix: which tokens ask, and which are asked.

/** @import { Board } from "../../../state/board.js" */
/** @import { Meta, Selection } from "../../../types.js" */
/** @import { Window_ } from "./window.js" */

import { font, onCanvas } from "../../../draw/surface.js";
import { taps } from "../../../draw/touch.js";
import { ticks } from "./window.js";

const TYPE = 14; // pixels of a name
const NAME = 24; // pixels for what an axis is called
const GAP = 5;

/** Pixels that the axes take on the left and below. @param {boolean} narrow */
export const room = (narrow) => ({ left: NAME + (narrow ? 40 : 82), below: 2 * NAME });

/** @param {HTMLCanvasElement} canvas as wide and high as the square and the room of its axes @param {Board} board
 *  @param {Selection} shown @param {Window_} part @param {number} size @param {boolean} narrow */
export function drawAxes(canvas, board, shown, part, size, narrow) {
    const { meta, data } = board;
    const { left, below } = room(narrow);
    Object.assign(canvas.style, { width: `${left + size}px`, height: `${size + below}px` });
    const [own, other] = shown.key >= 0 ? [[shown.query], [shown.key]] : [[shown.query], []];
    const [queries, keys] = shown.shows === "column" ? [other, own] : [own, other];
    onCanvas(canvas, (context) => {
        context.fillStyle = getComputedStyle(canvas).color;
        context.textBaseline = "middle";
        context.textAlign = "right";
        const names = narrow ? "patch" : "patch (row, column)";
        const down = ticks({ from: part.top, side: part.side }, meta, size, 1.5 * TYPE, queries);
        for (const { token, at } of down) {
            font(context, TYPE, queries.includes(token) ? 700 : 400);
            context.fillText(named(meta, token, narrow), left - GAP, Math.max(TYPE / 2 + 1, at));
        }
        const across = ticks({ from: part.left, side: part.side }, meta, size, narrow ? 46 : 88, keys);
        for (const { token, at } of across) {
            font(context, TYPE, keys.includes(token) ? 700 : 400);
            const half = context.measureText(named(meta, token, narrow)).width / 2;
            context.textAlign = "center";
            const middle = Math.max(half - left, Math.min(size - half, at));
            context.fillText(named(meta, token, narrow), left + middle, size + GAP + TYPE / 2);
            context.fillRect(left + at - 0.5, size, 1, GAP - 1);
        }
        font(context, TYPE + 1, 600);
        const name = (/** @type {string} */ role, /** @type {string} */ colour) => {
            const text = `${role}: ${names}`;
            context.fillText(text, 0, 0);
            const wide = context.measureText(role).width;
            const start = -context.measureText(text).width / 2;
            context.save();
            context.fillStyle = colour;
            context.fillRect(start, 9, wide, 3);
            context.restore();
        };
        context.textAlign = "center";
        context.save();
        context.translate(left + size / 2, size + 1.4 * NAME);
        name("key", data.palette.key);
        context.restore();
        context.save();
        context.translate(NAME / 2 - 2, size / 2);
        context.rotate(-Math.PI / 2);
        name("query", data.palette.query);
        context.restore();
    });
}

/** "[class]", "40", or with its place "40 (4, 4)". @param {Meta} meta @param {number} token @param {boolean} narrow */
function named({ prefix, columns }, token, narrow) {
    const patch = token - prefix.length;
    if (patch < 0) return `[${prefix[token]}]`;
    return narrow ? `${patch + 1}` : `${patch + 1} (${Math.floor(patch / columns) + 1}, ${(patch % columns) + 1})`;
}

/** What the hand can do. @param {boolean} part whether a part is looked at */
export function offer(part) {
    if (taps()) return part ? "drag moves, a double tap shows all" : "pinch to zoom";
    return part ? "wheel or + − zoom, drag moves, double click shows all" : "wheel or + zoom";
}
