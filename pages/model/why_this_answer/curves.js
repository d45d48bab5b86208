// A line for each map, a number on every one, and the list of what they are; the chosen one is in front.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Axis } from "#frontend/types/figure.js" */

import { writeClear } from "#frontend/draw/lines.js";
import { DASH, plotOn } from "#frontend/draw/plot.js";
import { inkOf, write } from "#frontend/draw/words.js";
import { groundOf } from "./maps.js";
import { mapsOf } from "./reasons.js";

const LEFT = 46; // pixels for numbers
const LIST = 330; // and for the list beside the lines
const NARROW = 640; // pixels: below, the list stands under the lines
const ROW = 27;
const COLUMN = 62; // pixels of a column of numbers
const AXIS = 46; // and for what stands at the axis below
const LEAST = 140; // of the lines, for the list to stand under them
const NEAR = 14; // pixels from a line within which it is pointed at

/** What is drawn: lines, of which those that have not come are undefined; where their points lie, and the one at which one
 *  is; the list, by map; and the pixels that stay free under it where it stands under the lines.
 *  @typedef {{ lines: Record<string, ArrayLike<number> | undefined>, places: ArrayLike<number>, at: number, across: Axis, down: Axis, chosen: string,
 *    heads: string[], told: Record<string, string[]>, foot?: number, last?: number,
 *    means(place: number): Record<string, string | number> }} Curves */

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Areas} areas @param {Curves} curves
 *  @param {number} width @param {number} height @param {number} [top] */
export function drawCurves(context, column, areas, curves, width, height, top = 30) {
    const { lines, places, at, across, down, chosen, heads, told, means, foot = 0, last = 0 } = curves;
    const narrow = width < NARROW;
    const listed = mapsOf(column).filter(([map]) => map in told);
    // Where two columns leave no room under the lines, the chosen one alone is told.
    const few = narrow && height - top - AXIS - listed.length * ROW - foot < LEAST;
    const rows = [...listed.entries()].filter(([, [map]]) => !few || map === chosen);
    const list = rows.length * ROW + 24 + (few ? last : foot);
    const box = {
        x: LEFT,
        y: top,
        width: width - LEFT - 12 - (narrow ? 0 : LIST),
        height: height - top - AXIS - (narrow ? list : 0),
    };
    const plot = plotOn(context, box, across, down);
    plot.axes();
    plot.upright(places[at], { colour: column.data.palette.chosen, thick: 3 });
    const [ink, ground] = [inkOf(context), groundOf(context)];
    const order = mapsOf(column)
        .map(([map]) => map)
        .sort((a, b) => Number(a === chosen) - Number(b === chosen));
    for (const map of order) {
        const values = lines[map];
        if (!values) continue;
        const dash = map === "chance" ? DASH : [];
        const points = Array.from(values, (value, it) => /** @type {[number, number]} */ ([places[it], value]));
        plot.line(points, map === chosen ? { colour: column.data.palette.head, thick: 5, dash } : { alpha: 0.5, dash });
    }
    const how = /** @type {const} */ ({ as: "tick", bold: true, align: "center", base: "middle", colour: ink });
    for (const [which, [map]] of listed.entries()) {
        const values = lines[map];
        if (!values) continue;
        // Each line has its number a little further on, so that they do not cover each other.
        const place = across.low + ((which + 1) / (listed.length + 1)) * (across.high - across.low);
        const next = Math.max(
            1,
            Array.from(places).findIndex((it) => it >= place),
        );
        const share = (place - places[next - 1]) / (places[next] - places[next - 1]);
        const value = values[next - 1] * (1 - share) + values[next] * share;
        if (!Number.isFinite(value)) continue;
        writeClear(context, String(which + 1), plot.x(place), plot.y(value), how, ground);
    }
    areas.add({
        x: box.x - 8,
        y: box.y,
        width: box.width + 16,
        height: box.height + 40,
        at(x, y) {
            const [across, down] = [box.x - 8 + x * (box.width + 16), box.y + y * (box.height + 40)];
            const off = (/** @type {number} */ it) => Math.abs(plot.x(places[it]) - across);
            const nearest = Array.from(places, (_, it) => it).reduce((a, b) => (off(b) < off(a) ? b : a));
            const apart = (/** @type {string} */ map) => Math.abs(plot.y(lines[map]?.[nearest] ?? Number.NaN) - down);
            const near = order.filter((map) => apart(map) < NEAR).sort((a, b) => apart(a) - apart(b))[0];
            return { ...means(nearest), ...(near ? { map: near } : {}) };
        },
    });
    const [left, first] = narrow ? [0, height - list] : [box.x + box.width + 28, top];
    const end = width - 4;
    for (const [it, says] of heads.entries())
        write(context, says, end - (heads.length - 1 - it) * COLUMN, first + 12, { as: "cell", align: "right" });
    for (const [row, [which, [map, name]]] of rows.entries()) {
        const y = first + 34 + row * ROW;
        const bold = map === chosen;
        const says = told[map] ?? [];
        const free = end - left - heads.length * COLUMN;
        write(context, `${which + 1} ${name}`, left, y, {
            bold,
            width: free,
            colour: lines[map] ? undefined : "#8f8f97",
        });
        if (says.length < heads.length && says.length === 1)
            // a sentence takes the room of all numbers
            write(context, says[0], end, y, { as: "cell", align: "right", width: heads.length * COLUMN - 6 });
        else
            for (const [it, text] of says.entries())
                write(context, text, end - (heads.length - 1 - it) * COLUMN, y, {
                    bold,
                    align: "right",
                    width: COLUMN - 6,
                });
        areas.add({ x: left, y: y - 19, width: end - left, height: ROW, at: () => ({ map }) });
    }
    return { plot, under: first + 34 + rows.length * ROW, left };
}
