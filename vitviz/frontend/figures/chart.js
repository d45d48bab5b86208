// A figure that answers the hand: it says what is pointed at, and its handles move.

/** @import { Area, Figure, Handle, Panel, Scale } from "../types/figure.js" */

import { Choices, legend, lit, rowOf } from "./around.js";
import { Drawing } from "./drawing.js";
import { grip, hair, Inputs, inPlot, movedByClick, nearest, nearestOn, ring, says, standing } from "./handles.js";

/** @typedef {{ name: string, scale: Scale, stops: Handle["stops"], dx: number, dy: number, axes: Pick<Panel, "across" | "down"> }} Grab */

/** What has become of what the hand does: `ahead` until it is answered.
 *  @typedef {{ down: boolean, ahead: boolean, send(name: string, value: string): void, rest(): void }} Hand */

const PLACES = "place";

export class Chart {
    /** Where the hand has put handles that are not answered yet. @type {Record<string, number>} */
    #moved = {};
    /** @type {[number, number] | undefined} */
    #there;
    /** @type {Grab | undefined} */
    #grab;
    /** @type {Figure | undefined} */
    #figure;
    /** @type {Scale | undefined} */
    #scale;
    #row = "";
    #says = "";
    #frame = 0;
    /** Which of its places has the keys. */
    #place = 0;
    /** @type {[number, number] | undefined} the hair line of what is previewed */
    #hair;

    /** @param {ShadowRoot | HTMLElement} root with a figure that holds a .plot, a paragraph and a list @param {Hand} hand
     *  @param {{ light(row: string): void, go(address: string): void }} page what lights a row everywhere, and opens an
     *  address */
    constructor(root, hand, page) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        this.hand = hand;
        this.page = page;
        this.plot = find(".plot");
        this.words = find("p");
        this.legend = find("ul");
        this.drawing = new Drawing(this.plot);
        this.svg = this.drawing.svg;
        this.inputs = new Inputs(this.plot, (name, at) => this.#pressed(name, at));
        this.choices = new Choices(this.plot, (name, value) => hand.send(name, value));
        this.sized = new ResizeObserver(() => this.#later());
        this.sized.observe(this.plot);
        this.svg.onpointerdown = (event) => this.#down(event);
        this.svg.onpointermove = (event) => (this.#grab ? this.#drag(event) : this.#point(event));
        this.svg.onpointerup = this.svg.onpointercancel = (event) => this.#up(event);
        this.svg.onpointerleave = () => this.#point(undefined);
        this.svg.onclick = (event) => this.#click(event);
        this.legend.onpointerover = (event) => page.light(rowOf(event));
        this.legend.onpointerleave = () => page.light("");
    }

    /** @param {Figure} figure @param {string} alt what a screen reader says of it @param {string} chosen a colour */
    take(figure, alt, chosen) {
        this.#figure = figure;
        this.drawing.chosen = chosen;
        this.plot.style.setProperty("--chosen", chosen);
        this.svg.setAttribute("aria-label", alt);
        if (!this.hand.ahead) [this.#moved, this.#there] = [{}, undefined];
        this.#now();
    }

    leave() {
        cancelAnimationFrame(this.#frame);
        this.sized.disconnect();
        this.hand.rest();
    }

    #later() {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => this.#now());
    }

    #now() {
        const figure = this.#figure;
        const width = this.plot.clientWidth;
        if (!figure || !width) return;
        const { handles = [], plane, choice } = figure;
        this.svg.classList.toggle("anywhere", Boolean(plane ?? movedByClick(figure)));
        this.svg.classList.toggle("chooses", Boolean(choice) || this.#areas.some(({ leads }) => leads));
        this.drawing.draw(this.#shown(figure), width, (scale) => {
            this.#scale = scale;
            return [
                ...(this.#hair && !this.#grab ? hair(...this.#hair, scale) : []),
                ...this.#plane(scale),
                ...handles.map((handle) => this.#handle(handle, scale)),
            ];
        });
        const { places } = this.drawing;
        this.inputs.keep([
            ...handles.map(({ name }) => name),
            ...(plane ? ["column", "row"] : []),
            ...(places ? [PLACES] : []),
        ]);
        this.words.classList.toggle("says", places > 0);
        if (places) this.#keys(places);
        if (this.#scale) this.choices.show(figure.rows[0][0], choice ?? "", this.#scale);
        legend(this.legend, figure.legend);
        this.#known();
        this.#say();
    }

    /** The figure with the axes that it had when the hand took hold of something. @param {Figure} figure @returns {Figure} */
    #shown(figure) {
        if (!this.#grab) return figure;
        const [[first, ...beside], ...below] = figure.rows;
        return { ...figure, rows: [[{ ...first, ...this.#grab.axes }, ...beside], ...below] };
    }

    /** All areas. @returns {Area[]} */
    get #areas() {
        const panels = this.#figure?.rows.flat() ?? [];
        return panels.flatMap(({ marks }) => marks.filter((it) => it.kind === "area"));
    }

    /** The place that the keys have come to. @param {number} places */
    #keys(places) {
        this.#place = Math.min(this.#place, places - 1);
        const found = this.drawing.nth(this.#place);
        if (!found) return;
        const { place, columns } = found;
        const [x, y] = [place.box[0] + place.box[2] / 2, place.box[1] + place.box[3] / 2];
        const words = place.words.replaceAll("\n", ", ");
        this.inputs.steps = { [PLACES]: columns };
        this.inputs.show({ name: PLACES, label: "Place", at: this.#place, most: places - 1, says: words, x, y });
        if (this.inputs.focused === PLACES) this.#says = this.drawing.show(place);
    }

    /** @param {Handle} handle @param {Scale} scale */
    #handle(handle, scale) {
        const at = this.#at(handle);
        const grabbed = this.#grab?.name === handle.name ? { ...handle, stops: this.#grab.stops } : handle;
        const { x, y } = standing(grabbed, at, scale);
        const most = grabbed.stops.length - 1;
        this.inputs.show({ name: handle.name, label: handle.label, at, most, says: says(grabbed, at), x, y });
        const drawn = grip(grabbed, at, scale, this.drawing.chosen);
        drawn.classList.toggle("focused", this.inputs.focused === handle.name);
        return drawn;
    }

    /** @param {Scale} scale */
    #plane(scale) {
        const plane = this.#figure?.plane;
        if (!plane) return [];
        const [column, row] = this.#there ?? plane.at;
        const [x, y] = [scale.x(column), scale.y(row)];
        this.inputs.onPlane(plane, [column, row], x, y);
        return ring(x, y, this.drawing.chosen, ["column", "row"].includes(this.inputs.focused));
    }

    /** @param {Handle} handle */
    #at({ name, at, stops }) {
        return Math.min(this.#moved[name] ?? at, (this.#grab?.name === name ? this.#grab.stops : stops).length - 1);
    }

    #say() {
        const figure = this.#figure;
        const grabbed = figure?.handles?.find(({ name }) => name === (this.#grab?.name ?? this.inputs.focused));
        this.words.textContent = (grabbed && says(grabbed, this.#at(grabbed))) || this.#says || figure?.says || "";
    }

    /** Light a row that is pointed at anywhere. @param {string} row */
    light(row) {
        this.#row = row;
        this.#says = (this.#known() && this.#areas.find((it) => it.row === row && it.says)?.says) || "";
        this.#say();
    }

    /** Whether something here is of the row that is lit. */
    #known() {
        return lit([this.svg, this.legend], this.#row);
    }

    /** Say what is under the pointer. @param {PointerEvent | undefined} event */
    #point(event) {
        const at = event && /** @type {Element} */ (event.target).closest("[data-says], [data-row]");
        const row = rowOf(event);
        if (row !== this.#row) this.page.light(row);
        const place = event && this.drawing.at(event);
        this.#says = this.drawing.point(place) || (at?.getAttribute("data-says") ?? "");
        const handle = this.#figure && movedByClick(this.#figure);
        const before = this.#hair;
        this.#hair = undefined;
        if (place && this.#scale && handle && !this.#figure?.plane && inPlot(place, this.#scale)) {
            const { stop, ...spot } = standing(handle, nearest(handle.stops, this.#scale, ...place), this.#scale);
            this.#hair = [spot.x, spot.y];
            this.#says = stop.says ?? "";
        }
        if (String(before) !== String(this.#hair)) this.#later();
        this.#say();
    }

    /** @param {PointerEvent} event */
    #down(event) {
        const [figure, scale] = [this.#figure, this.#scale];
        if (!figure || !scale || event.button !== 0) return;
        const target = /** @type {Element} */ (event.target);
        const name = target.closest("[data-handle]")?.getAttribute("data-handle");
        const moves = target.closest("[data-moves]")?.getAttribute("data-moves");
        const handle = figure.handles?.find((it) => it.name === (name ?? moves));
        const mouse = event.pointerType === "mouse";
        const [x, y] = this.drawing.at(event);
        const { across, down } = figure.rows[0][0];
        const frozen = { across, down };
        if (handle) {
            const stands = standing(handle, this.#at(handle), scale);
            const away = { dx: stands.x - x, dy: stands.y - y };
            this.#grab = { name: handle.name, scale, stops: handle.stops, ...away, axes: frozen };
        } else if (mouse && inPlot([x, y], scale) && (figure.plane || movedByClick(figure))) {
            const free = figure.plane ? undefined : movedByClick(figure);
            this.#grab = { name: free?.name ?? "", scale, stops: free?.stops ?? [], dx: 0, dy: 0, axes: frozen };
        }
        if (!this.#grab) return;
        this.hand.down = true;
        this.svg.setPointerCapture(event.pointerId);
        if (mouse) event.preventDefault();
        if (!name && !moves) this.#drag(event);
        this.#later();
    }

    /** @param {PointerEvent | MouseEvent} event */
    #drag(event) {
        const grab = this.#grab;
        if (!grab) return;
        const [x, y] = this.drawing.at(event);
        this.#move(grab.name, x + grab.dx, y + grab.dy, grab.stops, grab.scale);
    }

    /** @param {string} name of a handle, or "" for the plane @param {number} x @param {number} y
     *  @param {Handle["stops"]} stops @param {Scale} scale */
    #move(name, x, y, stops, scale) {
        const plane = this.#figure?.plane;
        if (name) {
            const at = nearest(stops, scale, x, y);
            const handle = this.#figure?.handles?.find((it) => it.name === name);
            if (handle && at !== this.#at(handle)) this.hand.send(name, stops[at].value);
            this.#moved[name] = at;
        } else if (plane) this.#go(nearestOn(plane, scale, x, y));
        this.#later();
    }

    /** @param {[number, number]} there */
    #go(there) {
        const plane = this.#figure?.plane;
        if (String(there) === String(this.#there ?? plane?.at)) return;
        this.#there = there;
        if (plane) this.hand.send(plane.name, there.join("x"));
    }

    /** @param {PointerEvent} event */
    #up(event) {
        if (!this.#grab) return;
        this.#grab = undefined;
        this.hand.down = false;
        this.hand.rest();
        if (this.svg.hasPointerCapture(event.pointerId)) this.svg.releasePointerCapture(event.pointerId);
        if (!this.hand.ahead) [this.#moved, this.#there] = [{}, undefined];
        this.#later();
    }

    /** A row's choice or way, or on touch screens, which scroll, a place in the plot. @param {MouseEvent} event */
    #click(event) {
        const [figure, scale] = [this.#figure, this.#scale];
        const touch = /** @type {PointerEvent} */ (event).pointerType !== "mouse";
        const row = rowOf(event);
        const area = this.#areas.find((it) => it.row === row && (it.chooses || it.leads));
        if (!figure || !scale) return;
        const place = this.drawing.at(event);
        if (area?.leads) this.page.go(area.leads);
        else if (area?.chooses && figure.choice) this.hand.send(figure.choice, area.chooses);
        else if (touch && inPlot(place, scale)) {
            const free = figure.plane ? undefined : movedByClick(figure);
            if (figure.plane || free) this.#move(free?.name ?? "", ...place, free?.stops ?? [], scale);
        }
    }

    /** A key was pressed on a native slider, or it gained or lost the keys (""). @param {string} name @param {number} at */
    #pressed(name, at) {
        const { handles, plane } = this.#figure ?? {};
        const handle = handles?.find((it) => it.name === name);
        if (handle) {
            this.#moved[name] = at;
            this.hand.send(name, handle.stops[at].value);
        } else if (name === PLACES) this.#place = at;
        else if (plane && name) {
            const [column, row] = this.#there ?? plane.at;
            this.#go(name === "column" ? [plane.columns[at], row] : [column, plane.rows[at]]);
        }
        this.#later();
    }
}
