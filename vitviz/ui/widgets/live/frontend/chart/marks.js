// The marks of a chart as elements of an SVG.

/** @import { Area, ChartData, Line, Scale, Spot, Words } from "../types.js" */

import { path } from "./curve.js";

const SVG = "http://www.w3.org/2000/svg";
const DASHES = { solid: "none", dash: "14 9", dot: "3 7", dashdot: "14 7 3 7" };
const LINE = 22; // pixels from one line of a label to the next
const UNDER = 18; // and of words under something
const RINGED = 19; // and from a spot up to its name, which a ring around the spot leaves free
export const GRIP = 11; // half of a diamond

/** @param {string} name @param {Record<string, string | number>} attributes @param {...(Node | string)} content
 *  @returns {SVGElement} */
export function mark(name, attributes, ...content) {
    const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
    for (const [key, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(key, String(value));
    made.append(...content);
    return made;
}

/** What a mark says and which row it belongs to, as attributes.
 *  @param {{ row?: string, says?: string, chooses?: string }} of */
const said = ({ row = "", says = "", chooses = "" }) => ({
    "data-row": row,
    "data-says": says,
    "data-chooses": chooses,
});

/** Lines of the grid, ticks and titles. @param {ChartData} chart @param {Scale} scale */
export function axes({ across, down }, scale) {
    const { left, right, top, bottom } = scale;
    const middle = (top + bottom) / 2;
    return mark(
        "g",
        { class: "axis" },
        ...down.ticks.flatMap(([at, text]) => [
            mark("line", { class: "grid", x1: left, x2: right, y1: scale.y(at), y2: scale.y(at) }),
            mark("text", { x: left - 8, y: scale.y(at) + 5, "text-anchor": "end" }, text),
        ]),
        ...across.ticks.flatMap(([at, text]) => [
            mark("line", { class: "grid", x1: scale.x(at), x2: scale.x(at), y1: top, y2: bottom }),
            mark("text", { x: scale.x(at), y: bottom + 20, "text-anchor": "middle" }, text),
        ]),
        mark("text", { x: (left + right) / 2, y: bottom + 44, "text-anchor": "middle" }, across.title),
        mark(
            "text",
            { x: 0, y: 0, "text-anchor": "middle", transform: `translate(16 ${middle}) rotate(-90)` },
            down.title,
        ),
    );
}

/** @param {Area} area @param {Scale} scale @param {string} chosen */
export function area(area, scale, chosen) {
    const [x0, x1] = [scale.x(area.x), scale.x(area.x + area.width)];
    const [y0, y1] = [scale.y(area.y), scale.y(area.y + area.height)].sort((one, other) => one - other);
    const box = { x: x0, y: y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) };
    const whole = mark("g", said(area), mark("rect", { ...box, fill: area.colour }));
    if (area.hatched) whole.append(mark("rect", { ...box, fill: "url(#hatch)" }));
    if (area.framed) whole.append(mark("rect", { ...box, fill: "none", stroke: chosen, "stroke-width": 4 }));
    else if (box.width > 4 && box.height > 4)
        whole.append(mark("rect", { ...box, fill: "none", stroke: "#fff", "stroke-width": 0.7 }));
    return whole;
}

/** The words inside an area; taken away again by `fit` where they are longer than it. @param {Area} area
 *  @param {Scale} scale */
export function inside(area, scale) {
    const [x, y] = [scale.x(area.x + area.width / 2), scale.y(area.y + area.height / 2)];
    const lines = area.text.split("\n");
    return mark(
        "text",
        {
            class: "inside",
            stroke: area.ground,
            "text-anchor": "middle",
            "data-width": Math.abs(scale.x(area.x + area.width) - scale.x(area.x)) - 10,
            "data-height": Math.abs(scale.y(area.y + area.height) - scale.y(area.y)) - 4 - lines.length * LINE,
        },
        ...lines.map((line, at) => mark("tspan", { x, y: y + 7 + (at - (lines.length - 1) / 2) * LINE }, line)),
    );
}

/** Take away what does not fit into its area, and let words be narrower that would stick out. @param {SVGSVGElement} svg */
export function fit(svg) {
    const texts = (/** @type {string} */ name) =>
        /** @type {NodeListOf<SVGTextElement>} */ (svg.querySelectorAll(`.${name}`));
    for (const text of texts("inside"))
        if (Number(text.dataset.height) < 0 || text.getBBox().width > Number(text.dataset.width)) text.remove();
    const { width } = svg.viewBox.baseVal;
    for (const text of texts("words")) {
        const [before, after] = [Number(text.dataset.x), width - Number(text.dataset.x)];
        const room = { end: before, start: after, middle: 2 * Math.min(before, after) }[
            /** @type {Words["anchor"]} */ (text.getAttribute("text-anchor"))
        ];
        for (const line of /** @type {NodeListOf<SVGTSpanElement>} */ (text.querySelectorAll("tspan")))
            if (line.getComputedTextLength() > room) {
                line.setAttribute("textLength", String(room));
                line.setAttribute("lengthAdjust", "spacingAndGlyphs");
            }
    }
}

/** @param {Line} line @param {Scale} scale */
export function line(line, scale) {
    const points = line.points.map(([x, y]) => /** @type {[number, number]} */ ([scale.x(x), scale.y(y)]));
    const d = path(points, line.smooth);
    return mark(
        "g",
        { ...said(line), "data-moves": line.moves, "clip-path": "url(#box)" },
        mark("path", {
            d,
            fill: "none",
            stroke: line.colour,
            "stroke-width": line.width,
            "stroke-dasharray": DASHES[line.dash],
        }),
        mark("path", { d, class: "reach" }),
    );
}

/** @param {Spot} spot @param {Scale} scale */
export function spot(spot, scale) {
    const [x, y] = [scale.x(spot.x), scale.y(spot.y)];
    const ring = spot.shape === "ring";
    const look = {
        fill: ring ? "none" : spot.colour,
        stroke: ring ? spot.colour : "#222",
        "stroke-width": ring ? 4 : 1.5,
    };
    const shape =
        spot.shape === "diamond" ? diamond(x, y, 9, look) : mark("circle", { cx: x, cy: y, r: ring ? 9 : 7, ...look });
    const name = mark("text", { x, y: y - RINGED, class: "halo", "text-anchor": "middle" }, spot.text);
    return mark("g", said(spot), shape, name);
}

/** @param {{ x: number, text: string }} rule @param {Scale} scale */
export function rule({ x, text }, scale) {
    const at = scale.x(x);
    const late = at > (scale.left + scale.right) / 2;
    return mark(
        "g",
        {},
        mark("line", { class: "rule", x1: at, x2: at, y1: scale.top, y2: scale.bottom }),
        mark(
            "text",
            { x: late ? at - 8 : at + 8, y: scale.top + 16, class: "halo", "text-anchor": late ? "end" : "start" },
            text,
        ),
    );
}

/** @param {Words} words @param {Scale} scale */
export function words({ x, y, text, anchor, side, row }, scale) {
    const lift = { above: -6, middle: 5, below: 18 }[side];
    const gap = side === "middle" ? { end: -8, middle: 0, start: 7 }[anchor] : 0; // beside a bar
    const at = scale.x(x) + gap;
    return mark(
        "text",
        { ...said({ row }), class: "words", "data-x": at, y: scale.y(y) + lift, "text-anchor": anchor },
        ...text.split("\n").map((line, place) => mark("tspan", { x: at, dy: place && UNDER }, line)),
    );
}

/** @param {number} x @param {number} y @param {number} half @param {Record<string, string | number>} look */
export function diamond(x, y, half, look) {
    return mark("path", { d: `M${x},${y - half}L${x + half},${y}L${x},${y + half}L${x - half},${y}Z`, ...look });
}

/** Patterns and the frame of the plot, to be referred to. @param {Scale} scale */
export function definitions({ left, right, top, bottom }) {
    return mark(
        "defs",
        {},
        mark(
            "pattern",
            { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
            mark("rect", { width: 3, height: 8, fill: "#fff", "fill-opacity": 0.55 }),
        ),
        mark("clipPath", { id: "box" }, mark("rect", { x: left, y: top, width: right - left, height: bottom - top })),
    );
}
