// What a hand can take hold of in a chart: a mark to see, and a native slider under it for keys and screen readers.

/** @import { ChartData, Handle, Scale } from "../types.js" */

import { diamond, GRIP, mark } from "./marks.js";
import { standing } from "./scale.js";

const REACH = 26; // pixels around a handle that still take hold of it
const WAYS = { diamond: "", "top edge": "upright", "right edge": "sideways" };

/** @param {Handle} handle @param {number} at @param {Scale} scale @param {string} colour */
export function grip(handle, at, scale, colour) {
    const { x, y } = standing(handle, at, scale);
    const group = mark("g", { class: `handle ${WAYS[handle.shape]}`, "data-handle": handle.name });
    const look = { fill: colour, stroke: "#222", "stroke-width": 2, class: "grip" };
    if (handle.shape === "diamond") {
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

/** The native sliders over a plot, one for each name, kept while the picture is drawn anew. */
export class Inputs {
    /** @type {Map<string, HTMLInputElement>} */
    #inputs = new Map();

    /** @param {HTMLElement} plot @param {(name: string, at: number) => void} moved */
    constructor(plot, moved) {
        this.plot = plot;
        this.moved = moved;
    }

    /** @param {{ name: string, label: string, at: number, most: number, says: string, x: number, y: number }} of */
    show({ name, label, at, most, says, x, y }) {
        const input = this.#inputs.get(name) ?? this.#made(name);
        Object.assign(input, { max: String(most), value: String(at) });
        input.setAttribute("aria-label", label);
        input.setAttribute("aria-valuetext", says);
        Object.assign(input.style, { left: `${x}px`, top: `${y}px` });
    }

    /** Which one has the keys. */
    get focused() {
        return [...this.#inputs].find(([, input]) => input.matches(":focus-visible"))?.[0] ?? "";
    }

    /** @param {string} name */
    #made(name) {
        const input = document.createElement("input");
        Object.assign(input, { type: "range", min: "0", step: "1" });
        input.oninput = () => this.moved(name, Number(input.value));
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

/** Handles that a click anywhere in the plot moves: not those of a picture's edges. @param {ChartData} chart */
export const movedByClick = ({ handles }) => handles.find(({ shape }) => shape === "diamond");
