// A picture beside itself with its patches in another order: drag one patch onto another, and they change places.

/** @import { Component } from "../../types/board.js"
 *  @import { MosaicData } from "../../schema/types.js" */

import { Hand } from "./hand.js";

const SIDE = 480; // pixels of a drawing's longer side
const LINE = 5;
const SEEDS = 1000;

/** @type {WeakMap<ShadowRoot, Mosaic>} */
const mosaics = new WeakMap();

/** @param {Component<[MosaicData]>} component */
export default function draw(component) {
    const root = component.parentElement;
    const mosaic = mosaics.get(root) ?? new Mosaic(root);
    mosaics.set(root, mosaic);
    mosaic.take(component);
    root.host.toggleAttribute("data-drawn", true);
    return () => mosaic.leave();
}

class Mosaic {
    #hand = new Hand();
    #picture = new Image();
    /** @type {MosaicData | undefined} */
    #data;
    /** The two places that the hand has put, until Python has answered. @type {[number, number] | undefined} */
    #pair;
    /** Where a stroke began. @type {number | undefined} */
    #from;

    /** @param {ShadowRoot} root */
    constructor(root) {
        const canvases = root.querySelectorAll("canvas");
        this.before = canvases[0];
        this.after = canvases[1];
        this.inputs = root.querySelectorAll("input");
        this.words = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
        const button = /** @type {HTMLButtonElement} */ (root.querySelector("button"));
        this.#picture.onload = () => this.#draw();
        button.onclick = () => this.#shuffle();
        this.before.onpointerdown = (event) => this.#down(event);
        this.before.onpointermove = (event) => this.#move(event);
        this.before.onpointerup = (event) => this.#up(event);
        this.before.onpointercancel = () => this.#give();
        for (const [which, input] of this.inputs.entries()) input.oninput = () => this.#key(which, Number(input.value));
    }

    /** @param {Component<[MosaicData]>} component */
    take(component) {
        const [data] = component.data;
        this.#hand.listen(component);
        this.#data = data;
        if (!this.#hand.ahead) this.#pair = undefined;
        if (this.#picture.src !== data.picture) this.#picture.src = data.picture;
        for (const input of this.inputs) input.max = String(data.order.length - 1);
        this.before.setAttribute("aria-label", data.alt);
        this.#draw();
    }

    leave() {
        this.#hand.rest();
    }

    /** The two places that stand out, where there are two. */
    get #standing() {
        return this.#pair ?? this.#data?.pair ?? undefined;
    }

    #draw() {
        const data = this.#data;
        if (!data || !this.#picture.complete || !this.#picture.width) return;
        const { rows, columns, order } = data;
        const pair = this.#standing;
        const [wide, high] = [this.#picture.width / columns, this.#picture.height / rows];
        const plain = order.map((_, place) => place);
        const swapped = this.#pair ? swap(plain, this.#pair) : order;
        for (const [canvas, shown] of /** @type {[HTMLCanvasElement, number[]][]} */ ([
            [this.before, plain],
            [this.after, swapped],
        ])) {
            const times = Math.max(1, Math.floor(SIDE / Math.max(this.#picture.width, this.#picture.height)));
            const [across, down] = [wide * times, high * times];
            [canvas.width, canvas.height] = [columns * across, rows * down];
            const context = canvas.getContext("2d");
            if (!context) return;
            context.imageSmoothingEnabled = false;
            shown.forEach((patch, place) => {
                const [x, y] = [(patch % columns) * wide, Math.floor(patch / columns) * high];
                const [left, top] = [(place % columns) * across, Math.floor(place / columns) * down];
                context.drawImage(this.#picture, x, y, wide, high, left, top, across, down);
            });
            context.lineWidth = LINE;
            context.strokeStyle = data.chosen;
            for (const place of pair ?? [])
                context.strokeRect(
                    (place % columns) * across + LINE / 2,
                    Math.floor(place / columns) * down + LINE / 2,
                    across - LINE,
                    down - LINE,
                );
        }
        pair?.forEach((place, which) => {
            this.inputs[which].value = String(place);
            this.inputs[which].setAttribute("aria-valuetext", named(place, columns));
        });
        const text = pair ? `${named(pair[0], columns)} ↔ ${named(pair[1], columns)}` : "All patches shuffled";
        this.words.textContent = text;
        this.after.setAttribute("aria-label", `The same picture: ${text}`);
    }

    /** The place under the pointer. @param {PointerEvent} event */
    #place(event) {
        const { rows, columns } = /** @type {MosaicData} */ (this.#data);
        const box = this.before.getBoundingClientRect();
        const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        const [column, row] = share.map((it, way) => {
            const count = way ? rows : columns;
            return Math.min(count - 1, Math.max(0, Math.floor(it * count)));
        });
        return row * columns + column;
    }

    /** @param {PointerEvent} event */
    #down(event) {
        if (!this.#data || event.button !== 0) return;
        this.#hand.down = true;
        this.before.setPointerCapture(event.pointerId);
        this.#from = this.#place(event);
    }

    /** @param {PointerEvent} event */
    #move(event) {
        if (this.#from === undefined) return;
        const place = this.#place(event);
        if (place === (this.#pair?.[1] ?? this.#from)) return;
        this.#pair = [this.#from, place];
        this.#draw();
    }

    /** A click without a stroke changes the patch under it with the one chosen last. @param {PointerEvent} event */
    #up(event) {
        if (this.#from === undefined) return;
        const place = this.#place(event);
        const first = place === this.#from ? (this.#standing?.[1] ?? 0) : this.#from;
        this.#pair = [first, place];
        this.#give();
    }

    /** @param {number} which @param {number} place */
    #key(which, place) {
        const [first, second] = this.#standing ?? [0, 0];
        this.#pair = which ? [first, place] : [place, second];
        this.#give();
    }

    /** Let go, and tell Python what became of it. */
    #give() {
        this.#from = undefined;
        this.#hand.down = false;
        if (this.#data && this.#pair) this.#hand.send(this.#data.name, this.#pair.map((it) => it + 1).join("x"));
        this.#draw();
    }

    #shuffle() {
        if (!this.#data) return;
        this.#pair = undefined;
        const seed = this.#data.pair ? this.#data.seed : (this.#data.seed + 1) % SEEDS;
        this.#hand.send(this.#data.name, `shuffled@${seed}`);
    }
}

/** @param {number[]} order @param {[number, number]} pair */
function swap(order, [first, second]) {
    const other = [...order];
    [other[first], other[second]] = [order[second], order[first]];
    return other;
}

/** @param {number} place @param {number} columns */
const named = (place, columns) =>
    `patch ${place + 1} (row ${Math.floor(place / columns) + 1}, column ${(place % columns) + 1})`;
