// The hand on the matrix: wheel and pinch zoom around it, a drag moves what is zoomed, a double click shows all again.

import { place } from "#board/canvas/surface.js";
import { moved, WHOLE, zoomed } from "./window.js";

const STEP = 1.5; // of a key
const CLICK = 5; // pixels that a hand moves in a click
const WHEEL = { line: 24, pixel: 0.0025, pinch: 0.012 }; // a line in pixels; zoom of a pixel, of a touchpad's pinch

export class Zoom {
    /** @param {HTMLElement} square what the hand is on; a click that ends a drag is kept from what else listens
     *  @param {() => number} tokens of one side; 0 where there is nothing to zoom @param {() => void} change */
    constructor(square, tokens, change) {
        this.part = WHOLE;
        this.tokens = tokens;
        this.change = change;
        this.square = square;
        /** Fingers and buttons that are down. @type {Map<number, PointerEvent>} */
        this.down = new Map();
        /** How far the hand has gone since it came down, in pixels, and whether it has moved what is shown. */
        this.went = 0;
        this.dragged = false;
        square.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        square.addEventListener("pointerdown", (event) => {
            if (this.down.size === 0) [this.went, this.dragged] = [0, false];
            this.down.set(event.pointerId, event);
        });
        square.addEventListener("pointermove", (event) => this.move(event), { capture: true }); // before it is read what lies there
        for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
            square.addEventListener(name, ({ pointerId }) => this.down.delete(pointerId));
        square.addEventListener("touchmove", (event) => this.ours(event) && event.preventDefault(), { passive: false });
        square.addEventListener("click", (event) => this.dragged && event.stopImmediatePropagation(), {
            capture: true,
        });
        square.addEventListener("dblclick", () => this.show(WHOLE));
    }

    /** Whether the page is not to scroll. @param {TouchEvent} event */
    ours({ touches }) {
        return this.tokens() > 0 && (touches.length > 1 || this.part.side < 1);
    }

    /** @param {import("./window.js").Window_} part */
    show(part) {
        const { left, top, side } = this.part;
        if (!this.tokens() || (part.left === left && part.top === top && part.side === side)) return false;
        this.part = part;
        this.square.classList.toggle("zoomed", part.side < 1);
        this.change();
        return true;
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        const { x, y } = place(event, this.square);
        const by = event.ctrlKey ? WHEEL.pinch : WHEEL.pixel;
        const times = Math.exp(-event.deltaY * (event.deltaMode ? WHEEL.line : 1) * by);
        if (this.show(zoomed(this.part, times, x, y, this.tokens())) || event.ctrlKey) event.preventDefault();
    }

    /** @param {PointerEvent} event */
    move(event) {
        const before = this.down.get(event.pointerId);
        if (!event.buttons) this.down.delete(event.pointerId); // it was let go elsewhere
        if (!before || !event.buttons || !this.tokens()) return;
        const { width, height, left, top } = this.square.getBoundingClientRect();
        const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
        this.went += Math.abs(x) + Math.abs(y);
        const others = [...this.down].filter(([id]) => id !== event.pointerId).map(([, it]) => it);
        this.down.set(event.pointerId, event);
        const share = others.length ? 1 / 2 : 1;
        let part = this.part;
        if (others.length) {
            const [other] = others;
            const apart = (/** @type {PointerEvent} */ it) =>
                Math.max(1, Math.hypot(it.clientX - other.clientX, it.clientY - other.clientY));
            const middle = [
                ((event.clientX + other.clientX) / 2 - left) / width,
                ((event.clientY + other.clientY) / 2 - top) / height,
            ];
            part = zoomed(part, apart(event) / apart(before), middle[0], middle[1], this.tokens());
        } else if (this.went <= CLICK) return;
        if (!this.show(moved(part, (share * x) / width, (share * y) / height))) return;
        this.dragged = true;
        this.square.setPointerCapture(event.pointerId);
    }

    /** Its keys, where they do something. @returns {import("#board/types.js").Key[]} */
    get keys() {
        if (!this.tokens()) return [];
        const by = (/** @type {number} */ times) => () => {
            this.show(zoomed(this.part, times, 0.5, 0.5, this.tokens()));
        };
        return [
            { keys: ["+", "="], says: "a smaller part of the matrix, larger", act: by(STEP) },
            { keys: ["-"], says: "a larger part of the matrix", act: by(1 / STEP) },
        ];
    }
}
