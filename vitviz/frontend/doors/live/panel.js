// One picture of many frames: it shows the frame of a stop, or moves to the right, under a grid and a frame.

/** @import { FramesData } from "../../schema/types.js" */

const SIDE = 480; // pixels of a drawing's longer side, where the picture has fewer
const LINE = 4;

export class Panel {
    #sheet = new Image();
    #chosen = "";
    /** @type {FramesData["panels"][number] | undefined} */
    #data;

    /** @param {() => void} ready */
    constructor(ready) {
        this.root = document.createElement("figure");
        this.title = document.createElement("figcaption");
        this.canvas = document.createElement("canvas");
        this.canvas.setAttribute("role", "img");
        this.canvas.width = this.canvas.height = 1; // as high as most pictures, until this one is there
        this.root.append(this.title, this.canvas);
        this.#sheet.onload = ready;
    }

    /** @param {FramesData["panels"][number]} data @param {string} chosen */
    take(data, chosen) {
        this.#data = data;
        this.#chosen = chosen;
        this.title.textContent = data.title;
        this.canvas.setAttribute("aria-label", data.title);
        this.canvas.classList.toggle("slides", data.slides > 0);
        if (this.#sheet.src !== data.sheet) this.#sheet.src = data.sheet;
    }

    /** @param {number} stop */
    draw(stop) {
        const { canvas } = this;
        const context = canvas.getContext("2d");
        const [data, sheet] = [this.#data, this.#sheet];
        if (!data || !context || !sheet.complete || !sheet.naturalWidth) return;
        const [wide, high] = [sheet.naturalWidth, sheet.naturalHeight / data.frames];
        const times = Math.max(1, Math.round(SIDE / Math.max(wide, high)));
        [canvas.width, canvas.height] = [wide * times, high * times];
        context.imageSmoothingEnabled = false;
        const top = data.frames > 1 ? stop * high : 0;
        const left = Math.round(data.slides * stop * wide) * times;
        context.drawImage(sheet, 0, top, wide, high, left, 0, canvas.width, canvas.height);
        if (left) context.drawImage(sheet, 0, top, 1, high, 0, 0, left, canvas.height); // the edge goes on
        const lines = data.lines[Math.min(stop, data.lines.length - 1)];
        if (lines) this.#grid(context, lines);
        const box = data.boxes[stop];
        if (!box) return;
        context.lineWidth = LINE;
        context.strokeStyle = this.#chosen;
        const inside = Math.max(LINE, box[2] * canvas.width) - LINE;
        const below = Math.max(LINE, box[3] * canvas.height) - LINE;
        context.strokeRect(box[0] * canvas.width + LINE / 2, box[1] * canvas.height + LINE / 2, inside, below);
    }

    /** @param {CanvasRenderingContext2D} context @param {[number, number]} lines */
    #grid(context, [rows, columns]) {
        const { width, height } = this.canvas;
        context.lineWidth = 1;
        context.strokeStyle = "rgba(255, 255, 255, .8)";
        context.beginPath();
        for (let row = 1; row < rows; row++) {
            context.moveTo(0, (row / rows) * height);
            context.lineTo(width, (row / rows) * height);
        }
        for (let column = 1; column < columns; column++) {
            context.moveTo((column / columns) * width, 0);
            context.lineTo((column / columns) * width, height);
        }
        context.stroke();
    }
}
