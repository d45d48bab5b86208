// What stands at the edges of the matrix: which tokens ask, and which are asked.

/** @import { Board } from "#board/state/board.js" */
/** @import { Meta, Selection } from "#board/types.js" */
/** @import { Window_ } from "./window.js" */

import { onCanvas } from "#board/canvas/surface.js";
import { widthOf, write } from "#board/canvas/words.js";
import { taps } from "#board/draw/touch.js";
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
        const names = narrow ? "patch" : "patch (row, column)";
        const down = ticks({ from: part.top, side: part.side }, meta, size, 1.5 * TYPE, queries);
        for (const { token, at } of down) {
            const how = /** @type {const} */ ({ as: "cell", align: "right", base: "middle" });
            const top = Math.max(TYPE / 2 + 1, at);
            write(context, named(meta, token, narrow), left - GAP, top, { ...how, bold: queries.includes(token) });
        }
        const across = ticks({ from: part.left, side: part.side }, meta, size, narrow ? 46 : 88, keys);
        for (const { token, at } of across) {
            const how = /** @type {const} */ ({ as: "cell", align: "center", base: "middle" });
            const [text, bold] = [named(meta, token, narrow), keys.includes(token)];
            const half = widthOf(context, text, { ...how, bold }) / 2;
            const middle = Math.max(half - left, Math.min(size - half, at));
            write(context, text, left + middle, size + GAP + TYPE / 2, { ...how, bold });
            context.fillRect(left + at - 0.5, size, 1, GAP - 1);
        }
        /** @param {"key" | "query"} role @param {number} x @param {number} y @param {number} turn */
        const name = (role, x, y, turn) => {
            const how = /** @type {const} */ ({ as: "tick", bold: true, align: "center", base: "middle" });
            const text = `${role}: ${names}`;
            context.save();
            context.translate(x, y);
            context.rotate(turn);
            write(context, text, 0, 0, how);
            context.fillStyle = data.palette[role];
            context.fillRect(-widthOf(context, text, how) / 2, 9, widthOf(context, role, how), 3);
            context.restore();
        };
        name("key", left + size / 2, size + 1.4 * NAME, 0);
        name("query", NAME / 2 - 2, size / 2, -Math.PI / 2);
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
