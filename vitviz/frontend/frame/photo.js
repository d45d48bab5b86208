// The photo: always there, as the model sees it. It shows light, a grid and frames; its patches can be pointed at.

/** @import { Column } from "../state/column.js" */

import { drawGrid, onCanvas, outlineToken, place, tokenAt } from "../draw/surface.js";
import { painting } from "../state/edited.js";

const DARK = 0.68; // how much of the light of a patch goes where nobody looks

/** A part of an image, in its own pixels; a square where it says no other height. @typedef {{ image: ImageBitmap | OffscreenCanvas, left: number, top: number, side: number, tall?: number }} View */

export class Photo {
    /** @param {HTMLCanvasElement} canvas @param {Column} column */
    constructor(canvas, column) {
        this.canvas = canvas;
        this.column = column;
        /** @type {ImageBitmap | null} */
        this.picture = null;
        /** Which square of the picture it shows, as the address writes it. */
        this.crop = "";
        /** Model and picture that it opened last, and those that it shows. */
        this.opened = "";
        this.stands = "";
        /** Whether it is held up to be seen without light on it. */
        this.bare = false;
        this.clear();
        this.listen();
    }

    /** Show it without light on it, as long as somebody holds it. @param {boolean} bare */
    hold(bare) {
        if (bare === this.bare) return;
        this.bare = bare;
        this.column.invalidate();
    }

    /** What a scene asks for goes before its next frame. */
    clear() {
        /** Light on every patch from 0 to 1; none leaves the photo as it is. @type {ArrayLike<number> | null} */
        this.light = null;
        this.grid = false;
        /** Frames around patch tokens. @type {{ token: number, colour: string, width?: number }[]} */
        this.frames = [];
        /** Which field of the selection a patch is. @type {"query" | "key" | null} */
        this.chooses = "query";
        /** Which field it is with Shift, where that is another. @type {"query" | "key" | null} */
        this.shifted = null;
        /** Whether tokens without a place can be chosen as well, by buttons under the photo. */
        this.specials = false;
        /** What goes in steps by sliders under the photo. @type {import("./steps.js").Step[]} */
        this.steps = [];
        /** What a patch token is told that the hand paints over, and how: at its first patch, at others, at the end.
         *  @type {((token: number, phase: "first" | "on" | "end") => void) | null} */
        this.paints = null;
        /** What a patch token is told that the pointer is over or picks, where that chooses nothing.
         *  @type {((token: number, phase: "over" | "pick") => void) | null} */
        this.picks = null;
        /** A square of another picture in place of the photo. @type {View | null} */
        this.view = null;
        /** Something drawn over the photo. @type {((context: CanvasRenderingContext2D, size: number) => void) | null} */
        this.over = null;
        /** The same, drawn last: frames do not cover it. @type {((context: CanvasRenderingContext2D, size: number) => void) | null} */
        this.marks = null;
    }

    /** Open what the model sees, when it has come. */
    bring() {
        const { meta, parcels, data } = this.column;
        const painted = data.facts.folded ? `painted ${painting(this.column)}` : "";
        const parcel = parcels.get(painted) ? painted : "opening";
        const png = this.column.array(parcel, "picture");
        const key = `${parcels.digest} ${parcel}`;
        if (!png || this.opened === key) return;
        this.opened = key;
        this.open(/** @type {Uint8Array} */ (png.data), meta.crop, key);
    }

    /** @param {Uint8Array} png @param {string} crop @param {string} which */
    async open(png, crop, which) {
        const picture = await createImageBitmap(new Blob([/** @type {BlobPart} */ (png)], { type: "image/png" }));
        if (which !== this.opened) return; // a later one has come before it
        Object.assign(this, { picture, crop, stands: which });
        this.column.invalidate();
    }

    draw() {
        this.canvas.style.touchAction = this.paints ? "none" : "";
        const [rows, columns] = this.column.meta.image_sides;
        this.canvas.style.setProperty("--shape", String(columns / rows));
        onCanvas(this.canvas, (context, width, height) => {
            if (!this.picture) return;
            context.imageSmoothingQuality = "high";
            if (this.view) {
                const { image, left, top, side, tall = side } = this.view;
                context.drawImage(image, left, top, side, tall, 0, 0, width, height);
            } else context.drawImage(this.picture, 0, 0, width, height);
            const { rows, columns } = this.column.meta;
            const [across, down] = [width / columns, height / rows];
            if (this.light && !this.bare) {
                for (let patch = 0; patch < rows * columns; patch++) {
                    const dark = DARK * (1 - Math.min(1, this.light[patch]));
                    if (dark < 0.004) continue;
                    const [x, y] = [patch % columns, Math.floor(patch / columns)];
                    context.fillStyle = `rgb(0 0 0 / ${dark})`;
                    const [left, top] = [Math.round(x * across), Math.round(y * down)];
                    context.fillRect(left, top, Math.round((x + 1) * across) - left, Math.round((y + 1) * down) - top);
                }
            }
            if (this.grid) drawGrid(context, width, height, { rows, columns });
            if (!this.bare) this.over?.(context, width);
            for (const { token, colour, width: thick = 4 } of this.frames)
                outlineToken(context, this.column.meta, token, [0, 0, width, height], colour, thick);
            this.marks?.(context, width);
        });
    }

    /** The patch token under the pointer. @param {PointerEvent | MouseEvent} event */
    token(event) {
        const { x, y } = place(event, this.canvas);
        return tokenAt(this.column.meta, x, y);
    }

    listen() {
        const { canvas, column } = this;
        /** What a patch is under this pointer. @param {PointerEvent | MouseEvent} event */
        const target = (event) => {
            const field = event.shiftKey ? (this.shifted ?? this.chooses) : this.chooses;
            return field && this.picture ? { [field]: this.token(event) } : null;
        };
        canvas.addEventListener("pointerdown", (event) => {
            if (!this.paints || !this.picture || event.button) return;
            canvas.setPointerCapture(event.pointerId);
            this.paints(this.token(event), "first");
        });
        canvas.addEventListener("pointerup", (event) => this.paints?.(this.token(event), "end"));
        canvas.addEventListener("pointermove", (event) => {
            if (this.paints && event.buttons & 1) this.paints(this.token(event), "on");
            if (this.picks && event.pointerType !== "touch") return this.picks(this.token(event), "over");
            const fields = event.pointerType === "touch" ? null : target(event);
            if (fields && event.buttons & 1) column.choose(fields);
            else if (fields) column.look(fields);
        });
        canvas.addEventListener("pointerleave", () => column.look({}));
        canvas.addEventListener("click", (event) => {
            if (this.picks) return this.picks(this.token(event), "pick");
            const fields = target(event);
            if (fields) column.choose(fields);
        });
    }
}
