// The lecturer's pointer: a ring over the photo or the scene, seen by all.

/** @import { Lecture } from "./lecture.js" */

import { element } from "../draw/elements.js";

/** A place in a box of the board, in shares of its width and height; null for none.
 *  @typedef {["photo" | "scene", number, number] | null} Place */

/** The place of a pointer. @param {Record<"photo" | "scene", DOMRect>} boxes @param {{ clientX: number, clientY: number }} at
 *  @returns {Place} */
export function placeOf(boxes, { clientX, clientY }) {
    for (const [name, { left, top, width, height }] of Object.entries(boxes)) {
        const [x, y] = [(clientX - left) / width, (clientY - top) / height];
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1)
            return [/** @type {"photo"} */ (name), Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4];
    }
    return null;
}

export class Pointer {
    /** @param {Lecture} lecture @param {Record<"photo" | "scene", HTMLElement>} boxes */
    constructor(lecture, boxes) {
        this.lecture = lecture;
        this.boxes = boxes;
        this.on = false;
        this.ring = element("div", { class: "lecture-ring", hidden: "" });
        this.move = (/** @type {PointerEvent} */ event) => {
            if (this.on) this.point(placeOf(this.rects(), event));
        };
        document.addEventListener("pointermove", this.move);
    }

    /** Begin to point, or stop. */
    turn() {
        this.on = !this.on;
        if (!this.on) this.point(null);
        this.lecture.board.store.steady = this.on;
        this.lecture.board.store.look({});
    }

    /** @param {Place} place */
    point(place) {
        this.show(place);
        this.lecture.room?.places.give(place);
    }

    rects() {
        const { photo, scene } = this.boxes;
        return { photo: photo.getBoundingClientRect(), scene: scene.getBoundingClientRect() };
    }

    /** @param {Place} place */
    show(place) {
        this.ring.hidden = !place || this.lecture.astray;
        if (!place) return;
        const [name, x, y] = place;
        const { left, top, width, height } = this.rects()[name];
        this.ring.hidden ||= !width;
        this.ring.style.transform = `translate(${left + x * width}px, ${top + y * height}px) translate(-50%, -50%)`;
    }

    close() {
        document.removeEventListener("pointermove", this.move);
        this.lecture.board.store.steady = false;
    }
}
