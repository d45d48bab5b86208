// A slider over given stops; it speaks to Python while it moves.

/** @import { Component } from "../../types/board.js"
 *  @import { SliderData } from "../../schema/types.js" */

import { Hand } from "./hand.js";

const STEP = 500; // ms at each stop while it plays

/** @type {WeakMap<ShadowRoot, Slider>} */
const sliders = new WeakMap();

/** @param {Component<[SliderData]>} component */
export default function draw(component) {
    const root = component.parentElement;
    const slider = sliders.get(root) ?? new Slider(root);
    sliders.set(root, slider);
    slider.draw(component);
    root.host.toggleAttribute("data-drawn", true);
    return () => slider.leave();
}

class Slider {
    #hand = new Hand();
    #playing = 0;
    /** @type {SliderData["stops"]} */
    #stops = [];
    #name = "";
    /** Stand where Python says, unless the hand has moved on. */
    #adopt = () => {};

    /** @param {ShadowRoot} root */
    constructor(root) {
        const find = (/** @type {string} */ selector) => root.querySelector(selector);
        this.input = /** @type {HTMLInputElement} */ (find("input"));
        this.label = /** @type {HTMLElement} */ (find("label span"));
        this.text = /** @type {HTMLOutputElement} */ (find("output"));
        this.button = /** @type {HTMLButtonElement} */ (find("button"));
        this.input.oninput = () => {
            this.#stop();
            this.#say();
            this.#send();
        };
        this.input.onpointerdown = () => {
            this.#hand.down = true;
        };
        this.input.onchange = this.input.onpointerup = () => this.#rest();
        this.input.onpointercancel = () => this.#rest();
        this.button.onclick = () => (this.#playing ? this.#stop() : this.#play());
    }

    /** @param {Component<[SliderData]>} component */
    draw(component) {
        const [data] = component.data;
        this.#hand.listen(component);
        this.#name = data.name;
        this.label.textContent = data.label;
        this.button.hidden = !data.plays;
        this.button.setAttribute("aria-label", `Play ${data.label}`);
        this.#adopt = () => {
            if (this.#hand.ahead || this.#playing) return;
            this.#stops = data.stops;
            this.input.max = String(data.stops.length - 1);
            this.input.value = String(data.at);
            this.input.disabled = data.stops.length < 2;
        };
        this.#adopt();
        this.#say();
    }

    leave() {
        this.#stop();
        this.#hand.rest();
    }

    #rest() {
        this.#hand.down = false;
        this.#hand.rest();
        this.#adopt();
        this.#say();
    }

    #send() {
        this.#hand.send(this.#name, this.#stops[Number(this.input.value)].value);
    }

    #say() {
        const says = this.#stops[Number(this.input.value)]?.says ?? "";
        this.text.textContent = says;
        this.input.setAttribute("aria-valuetext", says);
        const share = Number(this.input.value) / (Number(this.input.max) || 1);
        this.input.style.setProperty("--share", String(share));
        this.button.textContent = this.#playing ? "❚❚" : "▶";
        this.button.setAttribute("aria-pressed", String(Boolean(this.#playing)));
    }

    #play() {
        this.input.value = "0";
        this.#playing = setInterval(() => this.#next(), STEP);
        this.#say();
        this.#send();
    }

    #next() {
        this.input.value = String(Number(this.input.value) + 1);
        this.#send();
        if (this.input.value === this.input.max || !this.input.isConnected) this.#stop();
        this.#say();
    }

    #stop() {
        clearInterval(this.#playing);
        this.#playing = 0;
        this.#say();
    }
}
