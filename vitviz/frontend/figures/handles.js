// What a hand can take hold of in a chart: a mark to see, and a native slider under it for keys and screen readers.

/** @import { Figure, Handle, Plane, Scale, Stop } from "../types/figure.js" */

import { diamond, GRIP, mark, upright } from "./marks.js";

const REACH = 26; // pixels around a handle that still take hold of it
/** @type {Record<string, number>} */
const DOWN = { ArrowUp: -1, ArrowDown: 1 };
const WAYS = { diamond: "", "top edge": "upright", "right edge": "sideways" };

/** @param {Handle} handle @param {number} at @param {Scale} scale @param {string} colour */
export function grip(handle, at, scale, colour) {
    const { x, y } = standing(handle, at, scale);
    const group = mark("g", { class: `handle ${WAYS[handle.shape ?? "diamond"]}`, "data-handle": handle.name });
    const look = { fill: colour, stroke: "#222", "stroke-width": 2, class: "grip" };
    if ((handle.shape ?? "diamond") === "diamond") {
        group.append(mark("circle", { cx: x, cy: y, r: REACH, fill: "transparent" }), diamond(x, y, GRIP, look));
        return group;
    }
    const upright = handle.shape === "right edge";
    const edge = upright
        ? { x1: x, x2: x, y1: scale.y(0), y2: 2 * y - scale.y(0) }
        : { x1: scale.x(0), x2: 2 * x - scale.x(0), y1: y, y2: y };
    const [width, height] = upright ? [14, 44] : [44, 14];
    group.append(
        mark("line", { ...edge, stroke: "transparent", "stroke-width": REACH }),
        mark("line", { ...edge, stroke: colour, "stroke-width": 4 }),
        mark("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 6, ...look }),
    );
    return group;
}

/** The place that is chosen in a plane. @param {number} x @param {number} y @param {string} colour
 *  @param {boolean} focused */
export function ring(x, y, colour, focused) {
    const circle = { cx: x, cy: y, r: 13, fill: "none" };
    return [
        mark("circle", { ...circle, stroke: "#222", "stroke-width": 8 }),
        mark("circle", { ...circle, stroke: colour, "stroke-width": 5, class: focused ? "grip focused" : "grip" }),
    ];
}

/** What a click would take. @param {number} x @param {number} y in pixels @param {Scale} scale */
export function hair(x, y, scale) {
    const circle = { cx: x, cy: y, r: 8, fill: "none", stroke: "currentColor", "stroke-width": 3 };
    return [upright(x, scale), mark("circle", circle)];
}

/** The native sliders over a plot, one for each name, kept while the picture is drawn anew. */
export class Inputs {
    /** @type {Map<string, HTMLInputElement>} */
    #inputs = new Map();
    /** How far the keys up and down go, where that is not one step. @type {Record<string, number>} */
    steps = {};

    /** @param {HTMLElement} plot @param {(name: string, at: number) => void} moved */
    constructor(plot, moved) {
        this.plot = plot;
        this.moved = moved;
    }

    /** @param {{ name: string, label: string, at: number, most: number, says: string, x: number, y: number }} of */
    show({ name, label, at, most, says, x, y }) {
        const input = this.#inputs.get(name) ?? this.#node(name);
        Object.assign(input, { max: String(most), value: String(at) });
        input.setAttribute("aria-label", label);
        input.setAttribute("aria-valuetext", says);
        Object.assign(input.style, { left: `${x}px`, top: `${y}px` });
    }

    /** A slider for each way of a plane. @param {Plane} plane @param {[number, number]} there @param {number} x
     *  @param {number} y */
    onPlane({ labels, columns, rows }, [column, row], x, y) {
        const ways = { column: { values: columns, now: column }, row: { values: rows, now: row } };
        for (const [at, [name, { values, now }]] of Object.entries(ways).entries()) {
            const [place, most] = [Math.max(0, values.indexOf(now)), values.length - 1];
            this.show({ name, label: labels[at], at: place, most, says: String(now), x, y });
        }
    }

    /** Which one has the keys. */
    get focused() {
        return [...this.#inputs].find(([, input]) => input.matches(":focus-visible"))?.[0] ?? "";
    }

    /** @param {string} name */
    #node(name) {
        const input = document.createElement("input");
        Object.assign(input, { type: "range", min: "0", step: "1" });
        input.oninput = () => this.moved(name, Number(input.value));
        input.onkeydown = (event) => {
            const step = (this.steps[name] ?? 0) * (DOWN[event.key] ?? 0);
            if (!step) return;
            event.preventDefault();
            const at = Number(input.value) + step;
            if (at >= 0 && at <= Number(input.max)) this.moved(name, at);
        };
        input.onfocus = input.onblur = () => this.moved("", 0);
        this.#inputs.set(name, input);
        this.plot.append(input);
        return input;
    }

    /** Take away those that this chart does not have. @param {string[]} names */
    keep(names) {
        for (const [name, input] of this.#inputs)
            if (!names.includes(name)) {
                this.#inputs.delete(name);
                input.remove();
            }
    }
}

/** A value in words. @param {Handle} handle @param {number} at */
export const says = ({ stops }, at) => stops[at].says || stops[at].value;

/** Handles that a click anywhere in the plot moves: not those of a picture's edges. @param {Figure} figure */
export const movedByClick = ({ handles = [] }) => handles.find(({ shape = "diamond" }) => shape === "diamond");

/** The stop that is nearest to a place in pixels, along the direction in which the stops lie.
 *  @param {Stop[]} stops @param {Scale} scale @param {number} x @param {number} y */
export function nearest(stops, scale, x, y) {
    const places = stops.map((stop) => [scale.x(stop.x), scale.y(stop.y)]);
    const [wide, high] = [0, 1].map((way) => spread(places.map((place) => place[way])));
    const [way, goal] = wide >= high ? [0, x] : [1, y];
    return closest(
        places.map((place) => place[way]),
        goal,
    );
}

/** @param {Plane} plane @param {Scale} scale @param {number} x @param {number} y @returns {[number, number]} */
export function nearestOn({ columns, rows }, scale, x, y) {
    return [columns[closest(columns.map(scale.x), x)], rows[closest(rows.map(scale.y), y)]];
}

/** Where a handle stands, in pixels. @param {Handle} handle @param {number} at @param {Scale} scale */
export function standing({ stops }, at, scale) {
    const stop = stops[at];
    return { x: scale.x(stop.x), y: scale.y(stop.y), stop };
}

/** Whether a place in pixels is between the axes, or just beside. @param {[number, number]} place @param {Scale} scale */
export const inPlot = ([x, y], { left, right, top, bottom }) =>
    x >= left - 8 && x <= right + 8 && y >= top - 8 && y <= bottom + 8;

const spread = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);

/** @param {number[]} values @param {number} value */
function closest(values, value) {
    let best = 0;
    for (let at = 1; at < values.length; at++)
        if (Math.abs(values[at] - value) < Math.abs(values[best] - value)) best = at;
    return best;
}
