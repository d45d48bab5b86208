// The marks of a figure as elements of an SVG; heat maps and pictures are painted below it.

/** @import { Area, Bars, Grid, Line, Mark, Points, Rule, Scale, Shape, Spot, Words } from "../types/figure.js" */

import { path } from "./curve.js";
import { LETTER } from "./layout.js";
import { bar, boxed, numbers } from "./places.js";

const SVG = "http://www.w3.org/2000/svg";
const DASHES = { solid: "none", dash: "14 9", dot: "3 7", dashdot: "14 7 3 7" };
const SIZE = 15; // pixels of letters
const INSIDE = { size: 19, line: 22 }; // in areas
const UNDER = 18; // from one line of words to the next
const RINGED = 19; // from a spot up to its name, which a ring around the spot leaves free
const ROOM = 12; // pixels that a frame takes at least
const GROUND = "var(--st-background-color, Canvas)";
export const GRIP = 11; // half of a diamond

/** How marks of one panel are drawn: the colour of what is chosen, and the ids of the plot's sides and of hatching.
 *  @typedef {{ chosen: string, sides: string, hatch: string }} Look */

/** @param {string} name @param {Record<string, string | number>} attributes @param {...(Node | string)} content
 *  @returns {SVGElement} */
export function mark(name, attributes, ...content) {
    const node = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
    for (const [key, value] of Object.entries(attributes)) if (value !== "") node.setAttribute(key, String(value));
    node.append(...content);
    return node;
}

/** Words at a place, their lines below each other; `fit` makes them narrower where they need more than the `room`.
 *  @param {string} text @param {number} x @param {number} y
 *  @param {{ anchor?: string, size?: number, weight?: number, room?: number, lead?: string, halo?: boolean }} [how] */
export function write(text, x, y, { anchor = "start", size = SIZE, weight = 400, room = 0, lead = "", halo } = {}) {
    const look = { x, y, "text-anchor": anchor, fill: "currentColor", "font-size": size, "font-weight": weight };
    /** @type {Record<string, string | number>} */
    const around = halo
        ? { "paint-order": "stroke", stroke: GROUND, "stroke-width": 5, "stroke-linejoin": "round" }
        : {};
    const node = mark("text", { ...look, ...around, "data-room": room ? Math.max(1, Math.round(room)) : "" });
    text.split("\n").forEach((line, at) => {
        const bold = !at && lead ? [mark("tspan", { "font-weight": 700 }, lead)] : [];
        node.append(mark("tspan", { class: "line", x, dy: at && UNDER }, ...bold, line));
    });
    return node;
}

/** What a mark says and which row it belongs to, as attributes.
 *  @param {{ row?: string, says?: string | object, chooses?: string }} of */
const data = ({ row = "", says = "", chooses = "" }) => ({
    "data-row": row,
    "data-says": typeof says === "string" ? says : "",
    "data-chooses": chooses,
});

/** All that is drawn of a mark, but for the words in areas. @param {Mark} it @param {Scale} scale @param {Look} look
 *  @returns {SVGElement[]} */
export function drawn(it, scale, look) {
    switch (it.kind) {
        case "bars":
            return bars(it, scale);
        case "points":
            return points(it, scale);
        case "area":
            return [area(it, scale, look)];
        case "line":
            return [line(it, scale, look)];
        case "spot":
            return [spot(it, scale)];
        case "rule":
            return [rule(it, scale)];
        case "grid":
            return grid(it, scale);
        case "text":
            return it.chooses ? [] : [words(it, scale)];
        default:
            return [];
    }
}

/** @param {Bars} it @param {Scale} scale */
function bars(it, scale) {
    const values = numbers(it.values);
    const node = Array.from(values, (_, at) => {
        const [x, y, width, height] = boxed(scale, ...bar(it, at));
        const fill = it.colours[at % it.colours.length];
        const box = it.level
            ? { x, y, width, height: Math.max(0.5, height) }
            : { x, y, width: Math.max(0.5, width), height };
        return mark("rect", { class: "bar", ...box, fill });
    });
    const texts = (it.texts ?? []).map((text, at) => {
        const [x, y, width, height] = boxed(scale, ...bar(it, at));
        if (!it.level) return write(text, x + width / 2, y - 6, { anchor: "middle", halo: true });
        const before = values[at] < 0 && x - scale.left > LETTER * text.length; // else right of 0, clear of the names
        const [from, room] = before ? [x - 8, x - 8 - scale.edge] : [x + width + 8, scale.end - x - width - 8];
        return write(text, from, y + height / 2 + 5, { anchor: before ? "end" : "start", room, halo: true });
    });
    return [...node, ...texts];
}

/** @param {Points} it @param {Scale} scale */
function points({ x, y, colours, sizes = [8], shape = "circle", opacity = 1, edge = "" }, scale) {
    const [xs, ys] = [numbers(x), numbers(y)];
    return Array.from(xs, (_, at) => {
        const colour = colours[at % colours.length];
        const hollow = shape === "ring" || shape === "box";
        const look = {
            class: "point",
            fill: hollow ? "none" : colour,
            stroke: hollow ? colour : edge,
            "stroke-width": hollow ? 2.5 : 0.8,
            opacity: opacity === 1 ? "" : opacity,
        };
        return dot(scale.x(xs[at]), scale.y(ys[at]), sizes[at % sizes.length] / 2, shape, look);
    });
}

/** @param {number} x @param {number} y @param {number} half @param {Shape} shape
 *  @param {Record<string, string | number>} look */
function dot(x, y, half, shape, look) {
    if (shape === "diamond") return diamond(x, y, 1.3 * half, look);
    if (shape === "square" || shape === "box")
        return mark("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, ...look });
    return mark("circle", { cx: x, cy: y, r: half, ...look });
}

/** @param {Area} it @param {Scale} scale @param {Look} look */
function area(it, scale, { chosen, hatch }) {
    const [x, y, width, height] = boxed(scale, it.x, it.y, it.width, it.height);
    const box = { x, y, width, height };
    const whole = mark("g", data(it), mark("rect", { ...box, fill: it.colour, "fill-opacity": it.opacity ?? "" }));
    if (it.hatched) whole.append(mark("rect", { ...box, fill: `url(#${hatch})` }));
    if (it.framed) {
        const [aside, above] = [width, height].map((side) => Math.max(0, ROOM - side) / 2); // around what is narrow
        const around = {
            x: x - aside,
            y: y - above,
            width: width + 2 * aside,
            height: height + 2 * above,
            fill: "none",
        };
        if (it.edge) whole.append(mark("rect", { ...around, stroke: "#000", "stroke-width": 4 }));
        whole.append(mark("rect", { ...around, stroke: it.edge || chosen, "stroke-width": it.edge ? 2.5 : 4 }));
    } else if (width > 4 && height > 4 && it.colour !== "none" && (it.opacity ?? 1) === 1)
        whole.append(mark("rect", { ...box, fill: "none", stroke: "#fff", "stroke-width": 0.7 }));
    return whole;
}

/** The words in an area; taken away again by `fit` where they are longer than it. @param {Area} area
 *  @param {Scale} scale */
export function inside(area, scale) {
    const [x, y, width, height] = boxed(scale, area.x, area.y, area.width, area.height);
    const lines = (area.text ?? "").split("\n");
    return mark(
        "text",
        {
            class: "inside",
            fill: "#fff",
            stroke: area.ground ?? "",
            "stroke-width": 8,
            "stroke-linejoin": "round",
            "paint-order": "stroke",
            "font-size": INSIDE.size,
            "font-weight": 700,
            "pointer-events": "none",
            "text-anchor": "middle",
            "data-width": width - 10,
            "data-height": height - 4 - lines.length * INSIDE.line,
        },
        ...lines.map((line, at) =>
            mark(
                "tspan",
                { x: x + width / 2, y: y + height / 2 + 7 + (at - (lines.length - 1) / 2) * INSIDE.line },
                line,
            ),
        ),
    );
}

/** Take away what does not fit into its area, and let words be narrower that would stick out. @param {SVGSVGElement} svg */
export function fit(svg) {
    const texts = (/** @type {string} */ those) =>
        /** @type {NodeListOf<SVGTextElement>} */ (svg.querySelectorAll(those));
    for (const text of texts(".inside"))
        if (Number(text.dataset.height) < 0 || text.getBBox().width > Number(text.dataset.width)) text.remove();
    for (const text of texts("[data-room]"))
        for (const line of /** @type {NodeListOf<SVGTSpanElement>} */ (text.querySelectorAll(".line")))
            if (line.getComputedTextLength() > Number(text.dataset.room)) {
                line.setAttribute("textLength", text.dataset.room ?? "");
                line.setAttribute("lengthAdjust", "spacingAndGlyphs");
            }
}

/** @param {Line} line @param {Scale} scale @param {Look} look */
function line(line, scale, { sides }) {
    const { colour, width = 4, dash = "solid", smooth = true, moves = "" } = line;
    const d = path(
        line.points.map(([x, y]) => [scale.x(x), scale.y(y)]),
        smooth,
    );
    const ink = { fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": DASHES[dash] };
    const reach = { fill: "none", stroke: "transparent", "stroke-width": 20 };
    const node = mark(
        "g",
        { ...data(line), "data-moves": moves, "clip-path": `url(#${sides})` },
        mark("path", { d, ...ink }),
    );
    if (line.says || line.row || moves) node.append(mark("path", { d, ...reach }));
    return node;
}

/** @param {Spot} spot @param {Scale} scale */
function spot(spot, scale) {
    const [x, y] = [scale.x(spot.x), scale.y(spot.y)];
    const ring = spot.shape === "ring";
    const look = {
        fill: ring ? "none" : spot.colour,
        stroke: ring ? spot.colour : "#222",
        "stroke-width": ring ? 4 : 1.5,
    };
    const shape = dot(x, y, ring ? 9 : 7, spot.shape ?? "circle", look);
    const room = 2 * Math.min(x, scale.wide - x);
    return mark("g", data(spot), shape, write(spot.text ?? "", x, y - RINGED, { anchor: "middle", halo: true, room }));
}

/** @param {Pick<Rule, "x" | "text">} rule @param {Scale} scale */
export function rule({ x, text }, scale) {
    const at = scale.x(x);
    const late = at > (scale.left + scale.right) / 2;
    const room = late ? at - 8 : scale.wide - at - 8;
    return mark(
        "g",
        {},
        upright(at, scale),
        write(text, late ? at - 8 : at + 8, scale.top + 16, { anchor: late ? "end" : "start", halo: true, room }),
    );
}

/** A dotted line across the plot. @param {number} x in pixels @param {Scale} scale */
export function upright(x, { top, bottom }) {
    const look = { stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": "2 4" };
    return mark("line", { class: "rule", x1: x, x2: x, y1: top, y2: bottom, ...look });
}

/** @param {Grid} grid @param {Scale} scale */
function grid({ rows, columns }, scale) {
    const [left, top, width, height] = boxed(scale, -0.5, -0.5, columns, rows);
    const down = Array.from({ length: rows + 1 }, (_, row) => `M${left},${top + (row / rows) * height}h${width}`);
    const across = Array.from({ length: columns + 1 }, (_, at) => `M${left + (at / columns) * width},${top}v${height}`);
    const d = [...down, ...across].join("");
    return [
        mark("path", { d, stroke: "#000", "stroke-opacity": 0.3, "stroke-width": 3 }),
        mark("path", { d, stroke: "#fff", "stroke-opacity": 0.8, "stroke-width": 1 }),
    ];
}

/** @param {Words} words @param {Scale} scale */
function words({ x, y, text, anchor = "start", side = "above", row = "", lead = "" }, scale) {
    const lift = { above: -6, middle: 5, below: 18 }[side];
    const gap = side === "middle" ? { end: -8, middle: 0, start: 7 }[anchor] : 0; // beside a bar
    const at = scale.x(x) + gap;
    const [before, after] = [at, scale.wide - at];
    const room = { end: before, start: after, middle: 2 * Math.min(before, after) }[anchor];
    const node = write(text, at, scale.y(y) + lift, { anchor, room, lead });
    if (row) node.setAttribute("data-row", row);
    return node;
}

/** @param {number} x @param {number} y @param {number} half @param {Record<string, string | number>} look */
export function diamond(x, y, half, look) {
    return mark("path", { d: `M${x},${y - half}L${x + half},${y}L${x},${y + half}L${x - half},${y}Z`, ...look });
}

/** Stripes to be referred to. @param {string} id */
export function hatching(id) {
    const stripe = mark("rect", { width: 3, height: 8, fill: "#fff", "fill-opacity": 0.55 });
    const turned = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    return mark("pattern", { id, width: 8, height: 8, ...turned }, stripe);
}

/** The sides of a plot, to be referred to. @param {string} id @param {Scale} scale */
export function sides(id, { left, right, top, bottom }) {
    return mark("clipPath", { id }, mark("rect", { x: left, y: top, width: right - left, height: bottom - top }));
}
