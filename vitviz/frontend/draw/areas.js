// Places on a canvas that can be pointed at: hovering previews, leaving gives back, a click chooses.

/** @import { Column } from "../state/column.js" */
/** @import { Selection } from "../types/board.js" */

import { place } from "./surface.js";

/** A box in CSS pixels and what a place in it, from 0 to 1 each way, means. A click does `click` where it differs.
 *  @typedef {{ x: number, y: number, width: number, height: number,
 *    at(x: number, y: number): Partial<Selection> | null, click?(x: number, y: number): void }} Area */

export class Areas {
    /** @param {HTMLCanvasElement} canvas @param {Column} column */
    constructor(canvas, column) {
        /** @type {Area[]} */
        this.all = [];
        const found = (/** @type {MouseEvent} */ event) => {
            const spot = place(event, canvas);
            const [x, y] = [spot.x * canvas.clientWidth, spot.y * canvas.clientHeight];
            const area = this.all.find((it) => x >= it.x && x < it.x + it.width && y >= it.y && y < it.y + it.height);
            return area && { area, x: (x - area.x) / area.width, y: (y - area.y) / area.height };
        };
        canvas.addEventListener("pointermove", (event) => {
            if (event.pointerType === "touch") return;
            const it = found(event);
            column.look(it?.area.at(it.x, it.y) ?? {});
        });
        canvas.addEventListener("pointerleave", () => column.look({}));
        canvas.addEventListener("click", (event) => {
            const it = found(event);
            if (!it) return;
            if (it.area.click) it.area.click(it.x, it.y);
            else {
                const chosen = it.area.at(it.x, it.y);
                if (chosen) column.choose(chosen);
            }
        });
    }

    /** Forget all places, before a frame says where they are now. */
    clear() {
        this.all = [];
    }

    /** @param {Area} area */
    add(area) {
        this.all.push(area);
    }
}
