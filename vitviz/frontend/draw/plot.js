// A plot on a canvas: a box between two axes, which are those of a live figure, and the marks that stand in it.

/** @import { Axis } from "../types/figure.js" */

import { along } from "../figures/along.js";
import { frame } from "./surface.js";
import { inkOf, widthOf, write } from "./words.js";

const FAINT = 0.5; // of the page's colour, for a frame and what else is no mark
const GAP = 8; // pixels between the numbers of an axis
const LINE = 20; // and from one line of words below it to the next

/** @typedef {{ colour?: string, thick?: number, dash?: number[], alpha?: number }} Stroke */

export const DASH = [6, 5];

/** Numbers as they are written at an axis. @param {number[]} values @param {(value: number) => string} [says]
 *  @returns {[number, string][]} */
export const ticksAt = (values, says = String) => values.map((value) => [value, says(value)]);

/** An axis from before the first layer to after the last. @param {number} depth @param {string} [title] @returns {Axis} */
export const layersAxis = (depth, title) => ({
    low: 0,
    high: depth,
    ticks: ticksAt([...Array(depth + 1).keys()]),
    title,
});

/** @type {Axis} */
export const PROBABILITY = { low: 0, high: 1, ticks: ticksAt([0, 1, 0.5]) };

/** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, width: number, height: number }} box
 *  @param {Axis} across the axis below @param {Axis} down the one at the left */
export function plotOn(context, { x, y, width, height }, across, down) {
    const ink = inkOf(context);
    const [xOf, yOf] = [along(across, x, x + width), along(down, y + height, y)];

    /** What is written at both axes, where it has room: below at equal steps, at the left in the order in which it is said. */
    const names = () => {
        const { ticks = [], title } = across;
        const widest = Math.max(0, ...ticks.map(([, text]) => widthOf(context, text, { as: "tick" })));
        const every = Math.ceil((ticks.length * (widest + GAP)) / width);
        const under = (/** @type {string} */ text, /** @type {number} */ at, /** @type {number} */ line) =>
            write(context, text, at, y + height + line * LINE, { as: "tick", align: "center", width });
        for (const [at, [value, text]] of ticks.entries()) if (at % every === 0) under(text, xOf(value), 1);
        if (title) under(title, x + width / 2, ticks.length ? 2.1 : 1.3);
        /** @type {number[]} */
        const written = [];
        for (const [value, text] of down.ticks ?? []) {
            const at = yOf(value);
            if (written.some((it) => Math.abs(it - at) < LINE)) continue;
            written.push(at);
            write(context, text, x - 6, at + 5, { as: "tick", align: "right", width: x - 6 });
        }
    };

    /** A line through points in units. @param {Iterable<[number, number]>} points @param {Stroke} [how] */
    const line = (points, { colour = ink, thick = 2, dash = [], alpha = 1 } = {}) => {
        Object.assign(context, { strokeStyle: colour, globalAlpha: alpha, lineWidth: thick });
        context.setLineDash(dash);
        context.beginPath();
        let on = false; // of a value that is no number nothing is drawn, to it or from it
        for (const [x, y] of points) {
            context[on ? "lineTo" : "moveTo"](xOf(x), yOf(y));
            on = !Number.isNaN(y);
        }
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
    };

    return {
        x: xOf,
        y: yOf,
        names,
        line,
        /** The frame around it, and what is written at its axes. */
        axes() {
            context.globalAlpha = FAINT;
            frame(context, x, y, width, height, ink);
            context.globalAlpha = 1;
            names();
        },
        /** A value from end to end. @param {number} value @param {number[]} [dash] */
        level: (value, dash) =>
            line(
                [across.low, across.high].map((at) => [at, value]),
                { dash, thick: 1, alpha: FAINT },
            ),
        /** The same upright. @param {number} value @param {Stroke} [how] */
        upright: (value, how = { thick: 1, alpha: FAINT }) =>
            line(
                [down.low, down.high].map((at) => [value, at]),
                how,
            ),
        /** A bar from 0, and what is free beside it in pixels; one of 0 is a line. @param {number} from @param {number} to
         *  across @param {number} value @param {string} colour @param {number} [free] @param {number} [least] pixels */
        bar(from, to, value, colour, free = 0, least = 1) {
            const [high, low] = [yOf(Math.max(0, value)), yOf(Math.min(0, value))];
            const tall = Math.max(least, low - high);
            context.fillStyle = colour;
            context.fillRect(
                xOf(from) + free / 2,
                value < 0 ? high : low - tall,
                Math.max(1, xOf(to) - xOf(from) - free),
                tall,
            );
        },
        /** A point, `radius` in pixels. @param {number} x @param {number} y @param {number} radius
         *  @param {string} colour @param {number} [alpha] */
        dot(x, y, radius, colour, alpha = 1) {
            Object.assign(context, { fillStyle: colour, globalAlpha: alpha });
            context.beginPath();
            context.arc(xOf(x), yOf(y), radius, 0, 7);
            context.fill();
            context.globalAlpha = 1;
        },
    };
}
