// The whole picture, and the square of it that the model sees: it is dragged here, and Python runs it on release.

import { fillBars } from "#frontend/draw/bars.js";
import { buttonFor, element, saying } from "#frontend/draw/elements.js";
import { onCanvas, outline, place } from "#frontend/draw/surface.js";
import { whole } from "#frontend/draw/text.js";
import { ARROWS, way } from "#frontend/draw/touch.js";
import { coming } from "#frontend/draw/words.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Action } from "#frontend/types/board.js" */

export const LEAST = 50;
const MOST = 1000;

const SQUARE = [1, 1];

/** @typedef {{ left: number, top: number, side: number }} Square */

/** The square that a text names. @param {string} text @returns {Square | null} */
export function squareOf(text) {
    const [left, top, side] = text.split("-").map(Number);
    return text ? { left, top, side } : null;
}

/** @param {Square} square */
export const textOf = ({ left, top, side }) => `${left}-${top}-${side}`;

/** How wide and how tall such a part is, in thousandths of the picture's shorter side. @param {number} side
 *  @param {number[]} size width and height of the picture @param {number[]} [sides] rows and columns that the model reads */
export function extent(side, [width, height], [rows, columns] = SQUARE) {
    const unit = Math.min(width, height);
    return [
        (side * Math.min((height * columns) / rows, width)) / unit,
        (side * Math.min(height, (width * rows) / columns)) / unit,
    ];
}

/** The part that holds a box, in pixels: left, top, right, bottom. @param {number[]} box @param {number[]} size
 *  @param {number[]} [sides] */
export function around([left, top, right], size, sides = SQUARE) {
    const unit = Math.min(...size) / MOST;
    const side = (right - left) / unit / extent(1, size, sides)[0];
    return inside({ left: left / unit, top: top / unit, side }, size, sides);
}

/** A part moved and shrunk into the picture, in whole thousandths. @param {Square} square @param {number[]} size
 *  @param {number[]} [sides] @returns {Square} */
export function inside({ left, top, side }, size, sides = SQUARE) {
    const unit = Math.min(...size) / MOST;
    const whole = Math.round(Math.max(LEAST, Math.min(MOST, side)));
    const spans = extent(whole, size, sides);
    const within = (/** @type {number} */ value, /** @type {number} */ axis) =>
        Math.max(0, Math.min(Math.floor(size[axis] / unit - spans[axis]), Math.round(value)));
    return { left: within(left, 0), top: within(top, 1), side: whole };
}

/** The part larger or smaller around its own middle. @param {Square} square @param {number} by @param {number[]} size
 *  @param {number[]} [sides] */
export function scaled({ left, top, side }, by, size, sides = SQUARE) {
    const grown = Math.max(LEAST, Math.min(MOST, side * by));
    const [wide, tall] = extent((side - grown) / 2, size, sides);
    return inside({ left: left + wide, top: top + tall, side: grown }, size, sides);
}

const HANDLE = 18; // CSS pixels of the corner that is dragged to resize
const STEP = 25; // thousandths that a key moves
const GROWTH = 1.1;
const BARS = 5;

/** The picture that was opened last; it stays while its crop changes and the scene is built anew.
 *  @type {{ whose: string, image: ImageBitmap | null }} */
const opened = { whose: "", image: null };

export class Crop {
    /** @param {Column} column @param {Photo} photo */
    constructor(column, photo) {
        this.column = column;
        this.photo = photo;
        this.canvas = element("canvas", { role: "img" });
        this.said = element("p");
        this.answer = element("ol", { class: "answer" });
        const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act) => {
            return buttonFor(text, act, { "aria-label": label, title: label });
        };
        const buttons = element(
            "p",
            { class: "buttons" },
            button("−", "Smaller crop (−)", () => this.grow(1 / GROWTH)),
            button("+", "Larger crop (+)", () => this.grow(GROWTH)),
            button("the model's own", "The model's own crop (0)", () => this.column.choose({ crop: "" })),
        );
        this.heading = element("h2", {}, "what the model says");
        const side = element("div", {}, this.said, buttons, this.heading, this.answer);
        this.root = element("div", { class: "cropping" }, this.canvas, side);
        /** The square under the hand. @type {Square | null} */
        this.dragged = null;
        this.listen();
    }

    get facts() {
        return /** @type {{ size: number[], seen: number[] }} */ (this.column.data.facts);
    }

    get sides() {
        return this.column.meta.image_sides;
    }

    /** What is chosen, or under the hand. @returns {Square} */
    get square() {
        const chosen = this.column.chosen.crop === this.column.meta.crop ? null : squareOf(this.column.chosen.crop);
        return this.dragged ?? chosen ?? around(this.facts.seen, this.facts.size, this.sides);
    }

    /** @param {number} by */
    grow(by) {
        this.column.choose({ crop: textOf(scaled(this.square, by, this.facts.size, this.sides)) });
    }

    /** @param {number} x @param {number} y */
    move(x, y) {
        const { left, top, side } = this.square;
        const moved = { left: left + x * STEP, top: top + y * STEP, side };
        this.column.choose({ crop: textOf(inside(moved, this.facts.size, this.sides)) });
    }

    /** Those of this moment. @type {Record<string, Action>} */
    actions = {
        square: { keys: ARROWS, label: "the square", perform: ({ key }) => this.move(...way(key)) },
        size: {
            keys: ["+", "-"],
            label: "its size",
            perform: ({ key }) => this.grow(key === "+" ? GROWTH : 1 / GROWTH),
        },
        own: { keys: ["0"], label: "the model's own square", perform: () => this.column.choose({ crop: "" }) },
    };

    listen() {
        const { canvas } = this;
        /** Where the pointer took hold, and of what. @type {{ x: number, y: number, of: Square, corner: boolean, moved: boolean } | null} */
        let held = null;
        const point = (/** @type {MouseEvent} */ event) => {
            const [width, height] = this.facts.size;
            const unit = Math.min(width, height) / 1000;
            const { x, y } = place(event, canvas);
            return { x: (x * width) / unit, y: (y * height) / unit };
        };
        const centred = (/** @type {MouseEvent} */ event) => {
            const { x, y } = point(event);
            const { side } = this.square;
            const [wide, tall] = extent(side, this.facts.size, this.sides);
            return inside({ left: x - wide / 2, top: y - tall / 2, side }, this.facts.size, this.sides);
        };
        canvas.addEventListener("pointerdown", (event) => {
            if (event.pointerType === "touch" || event.button) return;
            event.preventDefault();
            canvas.setPointerCapture(event.pointerId);
            const at = point(event);
            const before = this.square;
            const { left, top, side } = before;
            const reach = (HANDLE * 1000 * this.facts.size[0]) / Math.min(...this.facts.size) / canvas.clientWidth;
            const [wide, tall] = extent(side, this.facts.size, this.sides);
            const corner = Math.abs(at.x - left - wide) < reach && Math.abs(at.y - top - tall) < reach;
            const within = at.x > left && at.y > top && at.x < left + wide && at.y < top + tall;
            const of = corner || within ? before : centred(event);
            held = { ...at, of, corner, moved: of !== before };
            this.dragged = of;
            this.column.invalidate();
        });
        canvas.addEventListener("pointermove", (event) => {
            if (!held) return;
            const at = point(event);
            const { of } = held;
            held.moved = true;
            const [x, y] = [at.x - held.x, at.y - held.y];
            const next = held.corner
                ? { ...of, side: this.most(of, Math.max(LEAST, of.side + Math.max(x, y))) }
                : { ...of, left: of.left + x, top: of.top + y };
            this.dragged = inside(next, this.facts.size, this.sides);
            this.column.invalidate();
        });
        const release = () => {
            if (held?.moved && this.dragged) this.column.choose({ crop: textOf(this.dragged) });
            held = null;
            this.dragged = null;
        };
        canvas.addEventListener("pointerup", release);
        canvas.addEventListener("pointercancel", release);
        canvas.addEventListener("click", (event) => {
            if (/** @type {PointerEvent} */ (event).pointerType === "touch")
                this.column.choose({ crop: textOf(centred(event)) });
        });
    }

    /** As large as a part with this corner can be. @param {Square} square @param {number} side */
    most({ left, top }, side) {
        const [width, height] = this.facts.size.map((length) => (1000 * length) / Math.min(...this.facts.size));
        const [wide, tall] = extent(1, this.facts.size, this.sides);
        return Math.min(side, (width - left) / wide, (height - top) / tall);
    }

    /** The whole picture, opened when it has come. */
    image() {
        const jpeg = this.column.array("cropping", "picture");
        const whose = this.column.meta.picture.digest;
        if (jpeg && opened.whose !== whose) {
            Object.assign(opened, { whose, image: null });
            const bytes = new Blob([/** @type {BlobPart} */ (jpeg.data)], { type: "image/jpeg" });
            createImageBitmap(bytes).then((image) => {
                if (opened.whose === whose) opened.image = image;
                this.column.invalidate();
            });
        }
        return opened.whose === whose ? opened.image : null;
    }

    draw() {
        const { column, canvas, photo } = this;
        const [image, { size }] = [this.image(), this.facts];
        const { left, top, side } = this.square;
        const [wide, tall] = extent(side, size, this.sides);
        const unit = Math.min(...size) / 1000;
        canvas.style.aspectRatio = `${size[0]} / ${size[1]}`;
        canvas.style.setProperty("--wide", String(size[0] / size[1]));
        onCanvas(canvas, (context, width, height) => {
            if (!image) return coming(context, width, "The whole picture is on its way.");
            const scale = width / size[0];
            const [x, y, long, high] = [left, top, wide, tall].map((length) => length * unit * scale);
            context.drawImage(image, 0, 0, width, height);
            context.fillStyle = "rgb(0 0 0 / .6)";
            context.beginPath();
            context.rect(0, 0, width, height);
            context.rect(x, y, long, high);
            context.fill("evenodd");
            const { chosen } = column.data.palette;
            outline(context, x + 2, y + 2, long - 4, high - 4, chosen);
            context.fillStyle = chosen;
            context.fillRect(x + long - HANDLE, y + high - HANDLE, HANDLE, HANDLE);
        });
        const wanted = this.dragged ? textOf(this.dragged) : column.chosen.crop;
        if (image && wanted && wanted !== photo.crop) {
            const small = image.width / size[0];
            const [x, y, across, down] = [left, top, wide, tall].map((length) => length * unit * small);
            photo.view = { image, left: x, top: y, side: across, tall: down };
        }
        const [seen, all, made] = [
            [wide, tall].map((length) => Math.round(length * unit)),
            size,
            [...this.sides].reverse(),
        ];
        const [part, of, into] = [seen, all, made].map(([w, h]) => `${whole(w)} × ${whole(h)}`);
        const text = `${part} of ${of} pixels become ${into}.`;
        saying(this.said, text);
        canvas.ariaLabel = `The whole picture. The model sees ${text}`;
        this.answer.hidden = this.heading.hidden = !column.meta.classes;
        fillBars(this.answer, (at) => column.label(at), column.array("cropping", "answer")?.data, BARS);
    }
}
