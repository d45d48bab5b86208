// A figure, drawn: heat maps and pictures on a canvas, all else as an SVG above it.

/** @import { Figure, Place, Placed, Scale } from "../types/figure.js" */

import { axes } from "./axes.js";
import { colourScale, paintHeat, paintPicture } from "./colours.js";
import { LETTER, LINE, placed, wrapped } from "./layout.js";
import { drawn, fit, hatching, inside, mark, sides, write } from "./marks.js";
import { many, placeAt, under } from "./places.js";

let count = 0; // of drawings: what is referred to by an id is one drawing's

export class Drawing {
    /** Each panel with its plot. @type {Placed[]} */
    placed = [];
    #id = `drawing${count++}`;
    /** @type {Map<string, HTMLImageElement>} */
    #pictures = new Map();
    #mark = mark("g", { class: "pointed", "pointer-events": "none" });
    /** @type {HTMLCanvasElement | undefined} */
    #canvas;
    #height = 0;

    /** @param {HTMLElement} host whose width it has, and which holds nothing but it @param {{ chosen?: string }} [how] */
    constructor(host, { chosen = "#ffa600" } = {}) {
        this.host = host;
        this.chosen = chosen;
        this.svg = /** @type {SVGSVGElement} */ (mark("svg", { role: "img" }));
        Object.assign(this.svg.style, { display: "block", position: "relative", width: "100%", overflow: "hidden" });
        host.style.position = "relative";
        host.replaceChildren(this.svg); // a component that comes again finds what it left
    }

    /** Draw, and the height that it takes. @param {Figure} figure @param {number} width in pixels
     *  @param {(scale: Scale) => SVGElement[]} [over] what is drawn over the first panel */
    draw(figure, width, over) {
        const { all, foot, height } = placed(figure, width);
        this.placed = all;
        this.#height = height;
        this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        this.svg.style.height = `${height}px`;
        const id = (/** @type {number} */ at) => `${this.#id}-${at}`;
        const hatch = `${this.#id}-hatch`;
        const title = wrapped(figure.title ?? "", width, LETTER);
        this.svg.replaceChildren(
            mark("defs", {}, hatching(hatch), ...all.map(({ scale }, at) => sides(id(at), scale))),
            ...title.map((line, at) => write(line, 0, 18 + at * LINE, { size: 18, weight: 700, room: width })),
            ...all.flatMap((it, at) => {
                const { panel, scale } = it;
                const look = { chosen: this.chosen, sides: id(at), hatch };
                return [
                    axes(it),
                    ...panel.marks.flatMap((each) => drawn(each, scale, look)),
                    ...panel.marks.flatMap((each) => (each.kind === "area" && each.text ? [inside(each, scale)] : [])),
                ];
            }),
            ...(figure.scale ? [colourScale(figure.scale, width, foot + 14, `${this.#id}-scale`)] : []),
            ...(over?.(all[0].scale) ?? []),
            this.#mark,
        );
        fit(this.svg);
        this.show(undefined);
        this.#paint(width);
        return height;
    }

    /** Heat maps and pictures; again when one of these has come. @param {number} width */
    #paint(width) {
        const all = this.placed.flatMap(({ panel, scale }) =>
            panel.marks.flatMap((it) => (it.kind === "heat" || it.kind === "picture" ? [{ it, scale }] : [])),
        );
        if (!all.length && !this.#canvas) return;
        this.#canvas ??= this.#below();
        const canvas = this.#canvas;
        const dense = devicePixelRatio || 1;
        Object.assign(canvas, { width: Math.round(width * dense), height: Math.round(this.#height * dense) });
        canvas.style.height = `${this.#height}px`;
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        context.scale(dense, dense);
        const used = new Set(all.map(({ it }) => it.kind === "picture" && it.source));
        for (const source of this.#pictures.keys()) if (!used.has(source)) this.#pictures.delete(source);
        for (const { it, scale } of all)
            if (it.kind === "heat") paintHeat(context, it, scale);
            else {
                const source = typeof it.source === "string" ? this.#picture(it.source, width) : it.source;
                if (source) paintPicture(context, it, source, scale);
            }
    }

    #below() {
        const canvas = document.createElement("canvas");
        const over = { position: "absolute", left: "0", top: "0", width: "100%", objectFit: "contain" };
        Object.assign(canvas.style, over, { pointerEvents: "none" });
        canvas.setAttribute("aria-hidden", "true");
        this.host.prepend(canvas);
        return canvas;
    }

    /** A picture, once it is there. @param {string} source @param {number} width */
    #picture(source, width) {
        const known = this.#pictures.get(source);
        if (known) return known.complete && known.naturalWidth ? known : undefined;
        const image = new Image();
        image.onload = () => this.#pictures.get(source) === image && this.#paint(width);
        image.src = source;
        this.#pictures.set(source, image);
        return undefined;
    }

    /** Where a pointer is, in pixels of the drawing. @param {MouseEvent} event @returns {[number, number]} */
    at(event) {
        const box = this.svg.getBoundingClientRect();
        const zoom = box.width / this.svg.clientWidth;
        return [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
    }

    /** Mark the cell, bar or point that lies there, and what is said of it. @param {[number, number]} [place] in pixels */
    point(place) {
        return this.show(place && under(this.placed, ...place));
    }

    /** How many places can be pointed at, mark by mark. */
    get #marks() {
        return this.placed.flatMap(({ panel, scale }, which) =>
            panel.marks.flatMap((it) => {
                const { count, columns } = many(it);
                return count ? [{ which, it, scale, count, columns }] : [];
            }),
        );
    }

    get places() {
        return this.#marks.reduce((total, { count }) => total + count, 0);
    }

    /** One of all places by its number, for keys, and how many stand in its row. @param {number} number */
    nth(number) {
        let left = number;
        for (const { which, it, scale, count, columns } of this.#marks) {
            if (left < count) return { place: placeAt(which, it, scale, left), columns };
            left -= count;
        }
        return undefined;
    }

    /** Mark a place, and what is said of it. @param {Place | undefined} place */
    show(place) {
        this.#mark.replaceChildren();
        if (!place) return "";
        const [x, y, width, height] = place.box;
        /** @type {Record<string, number>} */
        const box = place.round
            ? { cx: x + width / 2, cy: y + height / 2, r: width / 2 }
            : { x, y, width: Math.max(1, width), height: Math.max(1, height) };
        for (const [stroke, thick] of /** @type {[string, number][]} */ ([
            ["#000", 4],
            ["#fff", 2],
        ]))
            this.#mark.append(
                mark(place.round ? "circle" : "rect", { ...box, fill: "none", stroke, "stroke-width": thick }),
            );
        return place.words.replaceAll("\n", " · ");
    }
}
