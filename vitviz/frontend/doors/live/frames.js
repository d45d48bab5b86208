// A slider that runs through frames of pictures and along charts; everything is here, so it follows the hand.

/** @import { Component } from "../../types/board.js"
 *  @import { FramesData } from "../../schema/types.js" */

import { legend } from "../../figures/around.js";
import { Drawing } from "../../figures/drawing.js";
import { rule } from "../../figures/marks.js";
import { Hand } from "./hand.js";
import { Panel } from "./panel.js";

/** @type {WeakMap<ShadowRoot, Frames>} */
const all = new WeakMap();

/** @param {Component<[FramesData]>} component */
export default function draw(component) {
    const root = component.parentElement;
    const frames = all.get(root) ?? new Frames(root);
    all.set(root, frames);
    frames.take(component);
    root.host.toggleAttribute("data-drawn", true);
    return () => {
        frames.leave();
        all.delete(root);
    };
}

class Frames {
    #hand = new Hand();
    /** @type {FramesData | undefined} */
    #data;
    /** @type {Panel[]} */
    #panels = [];
    /** @type {Drawing[]} */
    #charts = [];
    /** Where a picture was taken hold of, and the stop then. @type {{ x: number, at: number, slides: number } | null} */
    #grab = null;

    /** @param {ShadowRoot} root */
    constructor(root) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        this.input = /** @type {HTMLInputElement} */ (root.querySelector("input"));
        this.label = find("label span");
        this.text = find("output");
        this.panels = find(".panels");
        this.charts = find(".charts");
        this.input.oninput = () => this.#show();
        this.input.onchange = () => this.#send();
        this.sized = new ResizeObserver(() => this.#show());
        this.sized.observe(this.charts);
    }

    /** @param {Component<[FramesData]>} component */
    take(component) {
        const [data] = component.data;
        this.#hand.listen(component);
        this.#data = data;
        this.label.textContent = data.label;
        this.input.max = String(data.stops.length - 1);
        if (!this.#hand.ahead) this.input.value = String(data.at);
        if (this.#panels.length !== data.panels.length) {
            this.#panels = data.panels.map(() => new Panel(() => this.#show()));
            for (const [at, panel] of this.#panels.entries()) this.#listen(panel, at);
            this.panels.replaceChildren(...this.#panels.map(({ root }) => root));
        }
        for (const [at, panel] of this.#panels.entries()) panel.take(data.panels[at], data.chosen);
        const figures = data.charts.map(({ figure, alt }) => {
            const [whole, plot, list] = ["figure", "div", "ul"].map((name) => document.createElement(name));
            const drawing = new Drawing(plot, data);
            drawing.svg.setAttribute("aria-label", alt);
            legend(list, figure.legend);
            whole.append(plot, list);
            return { whole, drawing };
        });
        this.#charts = figures.map(({ drawing }) => drawing);
        this.charts.replaceChildren(...figures.map(({ whole }) => whole));
        this.#show();
    }

    leave() {
        this.sized.disconnect();
        this.#hand.rest();
    }

    /** @param {Panel} panel @param {number} which */
    #listen({ canvas }, which) {
        canvas.onpointerdown = (event) => {
            const slides = this.#data?.panels[which].slides ?? 0;
            if (!slides || event.button !== 0) return;
            this.#grab = { x: event.clientX, at: this.#at, slides: slides * canvas.getBoundingClientRect().width };
            this.#hand.down = true;
            canvas.setPointerCapture(event.pointerId);
        };
        canvas.onpointermove = (event) => {
            if (!this.#grab) return;
            const moved = Math.round(this.#grab.at + (event.clientX - this.#grab.x) / this.#grab.slides);
            this.input.value = String(moved); // which keeps it between the ends
            this.#show();
        };
        canvas.onpointerup = canvas.onpointercancel = () => {
            if (!this.#grab) return;
            this.#grab = null;
            this.#send();
        };
    }

    get #at() {
        return Number(this.input.value);
    }

    #send() {
        this.#hand.down = false;
        if (this.#data) this.#hand.send(this.#data.name, String(this.#data.stops[this.#at].value));
    }

    #show() {
        const data = this.#data;
        if (!data) return;
        const { says, value } = data.stops[this.#at];
        this.text.textContent = says;
        this.input.setAttribute("aria-valuetext", says);
        this.input.style.setProperty("--share", String(this.#at / (Number(this.input.max) || 1)));
        for (const panel of this.#panels) panel.draw(this.#at);
        for (const [which, drawing] of this.#charts.entries()) {
            const width = drawing.host.clientWidth;
            const here = { x: value, text: String(value) };
            if (width) drawing.draw(data.charts[which].figure, width, (scale) => [rule(here, scale)]);
        }
    }
}
