// A chart of numbers from Python: it says what is pointed at, and its handles move under the hand.

/** @import { ChartData, Component, Handle, Scale } from "../types.js" */

import { Hand } from "../hand.js";
import { go, joinTables, light, onLight, rowAt, rowOf } from "../rows.js";
import { Choices, legend } from "./around.js";
import { grip, Inputs, movedByClick, ring, says } from "./handles.js";
import { area, axes, definitions, fit, inside, line, mark, rule, spot, words } from "./marks.js";
import { inPlot, nearest, nearestOn, pixel, scaleOf, standing } from "./scale.js";

/** @typedef {{ name: string, scale: Scale, stops: Handle["stops"], dx: number, dy: number, axes: Pick<ChartData, "across" | "down"> }} Grab */

/** @type {WeakMap<ShadowRoot, Chart>} */
const charts = new WeakMap();

/** @param {Component<ChartData>} component */
export default function draw(component) {
    const root = component.parentElement;
    const chart = charts.get(root) ?? new Chart(root);
    charts.set(root, chart);
    chart.take(component);
    root.host.toggleAttribute("data-drawn", true);
    return () => {
        chart.leave();
        charts.delete(root);
    };
}

class Chart {
    #hand = new Hand();
    /** Where the hand has put handles that Python has not answered yet. @type {Record<string, number>} */
    #moved = {};
    /** @type {[number, number] | undefined} */
    #there;
    /** @type {Grab | undefined} */
    #grab;
    /** @type {ChartData | undefined} */
    #data;
    /** @type {Scale | undefined} */
    #scale;
    #row = "";
    #says = "";
    #frame = 0;
    /** @type {[number, number] | undefined} the hair line of what is previewed */
    #hair;

    /** @param {ShadowRoot} root */
    constructor(root) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        this.figure = find("figure");
        this.plot = find(".plot");
        this.svg = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
        this.words = find("p");
        this.legend = find("ul");
        this.inputs = new Inputs(this.plot, (name, at) => this.#pressed(name, at));
        this.choices = new Choices(this.plot, (name, value) => this.#hand.send(name, value));
        this.sized = new ResizeObserver(() => this.#later());
        this.sized.observe(this.plot);
        this.unlit = onLight((row) => this.#light(row));
        joinTables();
        this.svg.onpointerdown = (event) => this.#down(event);
        this.svg.onpointermove = (event) => (this.#grab ? this.#drag(event) : this.#point(event));
        this.svg.onpointerup = this.svg.onpointercancel = (event) => this.#up(event);
        this.svg.onpointerleave = () => this.#point(undefined);
        this.svg.onclick = (event) => this.#click(event);
        this.legend.onpointerover = (event) => light(rowOf(event));
        this.legend.onpointerleave = () => light("");
    }

    /** @param {Component<ChartData>} component */
    take(component) {
        this.#hand.listen(component);
        this.#data = component.data;
        if (!this.#hand.ahead) [this.#moved, this.#there] = [{}, undefined];
        this.#now();
    }

    leave() {
        cancelAnimationFrame(this.#frame);
        this.sized.disconnect();
        this.unlit();
        this.#hand.rest();
    }

    #later() {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => this.#now());
    }

    #now() {
        const data = this.#data;
        const width = this.plot.clientWidth;
        if (!data || !width) return;
        const shown = { ...data, ...this.#grab?.axes };
        const scale = scaleOf(shown, width);
        this.#scale = scale;
        this.figure.style.setProperty("--chosen", data.chosen);
        this.svg.setAttribute("viewBox", `0 0 ${width} ${data.height}`);
        this.svg.style.height = `${data.height}px`;
        this.svg.setAttribute("aria-label", data.alt);
        this.svg.classList.toggle("anywhere", Boolean(data.plane ?? movedByClick(data)));
        this.svg.classList.toggle("chooses", Boolean(data.choice) || data.areas.some(({ leads }) => leads));
        this.svg.replaceChildren(
            definitions(scale),
            axes(shown, scale),
            ...data.areas.map((it) => area(it, scale, data.chosen)),
            ...data.areas.filter(({ text }) => text).map((it) => inside(it, scale)),
            ...data.lines.map((it) => line(it, scale)),
            ...data.rules.map((it) => rule(it, scale)),
            ...data.texts.filter(({ chooses }) => !chooses).map((it) => words(it, scale)),
            ...data.spots.map((it) => spot(it, scale)),
            ...this.#hairLine(scale),
            ...this.#plane(scale),
            ...data.handles.map((it) => this.#handle(it, scale)),
        );
        fit(this.svg);
        this.inputs.keep([...data.handles.map(({ name }) => name), ...(data.plane ? ["column", "row"] : [])]);
        this.choices.show(data, scale);
        legend(this.legend, data);
        this.#light(this.#row);
        this.#say();
    }

    /** @param {Handle} handle @param {Scale} scale */
    #handle(handle, scale) {
        const at = this.#at(handle);
        const grabbed = this.#grab?.name === handle.name ? { ...handle, stops: this.#grab.stops } : handle;
        const { x, y } = standing(grabbed, at, scale);
        const most = grabbed.stops.length - 1;
        this.inputs.show({ name: handle.name, label: handle.label, at, most, says: says(grabbed, at), x, y });
        const drawn = grip(grabbed, at, scale, this.#data?.chosen ?? "");
        drawn.classList.toggle("focused", this.inputs.focused === handle.name);
        return drawn;
    }

    /** @param {Scale} scale */
    #plane(scale) {
        const plane = this.#data?.plane;
        if (!plane) return [];
        const [column, row] = this.#there ?? plane.at;
        const [x, y] = [scale.x(column), scale.y(row)];
        for (const [way, values, at] of /** @type {["column" | "row", number[], number][]} */ ([
            ["column", plane.columns, column],
            ["row", plane.rows, row],
        ])) {
            const label = plane.labels[way === "column" ? 0 : 1];
            const [place, most] = [values.indexOf(at), values.length - 1];
            this.inputs.show({ name: way, label, at: Math.max(0, place), most, says: String(at), x, y });
        }
        return ring(x, y, this.#data?.chosen ?? "", ["column", "row"].includes(this.inputs.focused));
    }

    /** @param {Scale} scale */
    #hairLine({ top, bottom }) {
        if (!this.#hair || this.#grab) return [];
        const [x, y] = this.#hair;
        const ring = { cx: x, cy: y, r: 8, fill: "none", stroke: "currentColor", "stroke-width": 3 };
        return [mark("line", { class: "rule", x1: x, x2: x, y1: top, y2: bottom }), mark("circle", ring)];
    }

    /** @param {Handle} handle */
    #at({ name, at, stops }) {
        return Math.min(this.#moved[name] ?? at, (this.#grab?.name === name ? this.#grab.stops : stops).length - 1);
    }

    #say() {
        const data = this.#data;
        const grabbed = data?.handles.find(({ name }) => name === (this.#grab?.name ?? this.inputs.focused));
        this.words.textContent = (grabbed && says(grabbed, this.#at(grabbed))) || this.#says || data?.says || "";
    }

    /** @param {string} row */
    #light(row) {
        this.#row = row;
        const known = row !== "" && [...this.svg.querySelectorAll("[data-row]")].some((it) => rowAt(it) === row);
        for (const holder of [this.svg, this.legend]) {
            holder.classList.toggle("pointing", known);
            for (const it of holder.querySelectorAll("[data-row]")) it.classList.toggle("lit", rowAt(it) === row);
        }
        const first = this.#data?.areas.find((it) => it.row === row && it.says);
        this.#says = (known && first?.says) || "";
        this.#say();
    }

    /** Say what is under the pointer. @param {PointerEvent | undefined} event */
    #point(event) {
        const at = event && /** @type {Element} */ (event.target).closest("[data-says], [data-row]");
        const row = at ? rowAt(at) : "";
        if (row !== this.#row) light(row);
        this.#says = at?.getAttribute("data-says") ?? "";
        const handle = this.#data && movedByClick(this.#data);
        const before = this.#hair;
        this.#hair = undefined;
        if (event && this.#scale && handle && !this.#data?.plane && inPlot(event, this.svg, this.#scale)) {
            const { x, y } = pixel(event, this.svg);
            const { stop, ...place } = standing(handle, nearest(handle.stops, this.#scale, x, y), this.#scale);
            this.#hair = [place.x, place.y];
            this.#says = stop.says;
        }
        if (String(before) !== String(this.#hair)) this.#later();
        this.#say();
    }

    /** @param {PointerEvent} event */
    #down(event) {
        const [data, scale] = [this.#data, this.#scale];
        if (!data || !scale || event.button !== 0) return;
        const target = /** @type {Element} */ (event.target);
        const name = target.closest("[data-handle]")?.getAttribute("data-handle");
        const moves = target.closest("[data-moves]")?.getAttribute("data-moves");
        const handle = data.handles.find((it) => it.name === (name ?? moves));
        const mouse = event.pointerType === "mouse";
        const { x, y } = pixel(event, this.svg);
        const frozen = { across: data.across, down: data.down };
        if (handle) {
            const stands = standing(handle, this.#at(handle), scale);
            const away = { dx: stands.x - x, dy: stands.y - y };
            this.#grab = { name: handle.name, scale, stops: handle.stops, ...away, axes: frozen };
        } else if (mouse && inPlot(event, this.svg, scale) && (data.plane || movedByClick(data))) {
            const free = data.plane ? undefined : movedByClick(data);
            this.#grab = { name: free?.name ?? "", scale, stops: free?.stops ?? [], dx: 0, dy: 0, axes: frozen };
        }
        if (!this.#grab) return;
        this.#hand.held = true;
        this.svg.setPointerCapture(event.pointerId);
        if (mouse) event.preventDefault();
        if (!name && !moves) this.#drag(event);
        this.#later();
    }

    /** @param {PointerEvent | MouseEvent} event */
    #drag(event) {
        const grab = this.#grab;
        if (!grab) return;
        const { x, y } = pixel(event, this.svg);
        this.#move(grab.name, x + grab.dx, y + grab.dy, grab.stops, grab.scale);
    }

    /** @param {string} name of a handle, or "" for the plane @param {number} x @param {number} y
     *  @param {Handle["stops"]} stops @param {Scale} scale */
    #move(name, x, y, stops, scale) {
        const plane = this.#data?.plane;
        if (name) {
            const at = nearest(stops, scale, x, y);
            const handle = this.#data?.handles.find((it) => it.name === name);
            if (handle && at !== this.#at(handle)) this.#hand.send(name, stops[at].value);
            this.#moved[name] = at;
        } else if (plane) this.#go(nearestOn(plane, scale, x, y));
        this.#later();
    }

    /** @param {[number, number]} there */
    #go(there) {
        if (String(there) === String(this.#there ?? this.#data?.plane?.at)) return;
        this.#there = there;
        if (this.#data?.plane) this.#hand.send(this.#data.plane.name, there.join("x"));
    }

    /** @param {PointerEvent} event */
    #up(event) {
        if (!this.#grab) return;
        this.#grab = undefined;
        this.#hand.held = false;
        this.#hand.rest();
        if (this.svg.hasPointerCapture(event.pointerId)) this.svg.releasePointerCapture(event.pointerId);
        if (!this.#hand.ahead) [this.#moved, this.#there] = [{}, undefined];
        this.#later();
    }

    /** A row's choice or way, or on touch screens, which scroll, a place in the plot. @param {MouseEvent} event */
    #click(event) {
        const [data, scale] = [this.#data, this.#scale];
        const touch = /** @type {PointerEvent} */ (event).pointerType !== "mouse";
        const row = rowOf(event);
        const area = data?.areas.find((it) => it.row === row && (it.chooses || it.leads));
        if (!data || !scale) return;
        if (area?.leads) go(area.leads);
        else if (area && data.choice) this.#hand.send(data.choice, area.chooses);
        else if (touch && inPlot(event, this.svg, scale)) {
            const { x, y } = pixel(event, this.svg);
            const free = data.plane ? undefined : movedByClick(data);
            if (data.plane || free) this.#move(free?.name ?? "", x, y, free?.stops ?? [], scale);
        }
    }

    /** A key was pressed on a native slider, or it gained or lost the keys (""). @param {string} name @param {number} at */
    #pressed(name, at) {
        const data = this.#data;
        const handle = data?.handles.find((it) => it.name === name);
        if (handle) {
            this.#moved[name] = at;
            this.#hand.send(name, handle.stops[at].value);
        } else if (data?.plane && name) {
            const [column, row] = this.#there ?? data.plane.at;
            this.#go(name === "column" ? [data.plane.columns[at], row] : [column, data.plane.rows[at]]);
        }
        this.#later();
    }
}
