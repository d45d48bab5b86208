// The second picture, as the model sees it: pixels and states are taken from it.

/** @import { Board } from "#board/state/board.js" */

import { element } from "#board/draw/elements.js";
import { secondOf } from "#board/editing/runs.js";

export class Second {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        /** @type {ImageBitmap | null} */
        this.bitmap = null;
        this.opened = "";
        const samples = /** @type {Record<string, string>} */ (board.data.facts.samples);
        this.list = element(
            "select",
            { "aria-label": "Second picture" },
            ...Object.entries(samples).map(([id, title]) => element("option", { value: id }, title)),
        );
        this.list.addEventListener("change", () => board.choose({ donor: this.list.value }));
    }

    /** The picture, where it is here. */
    get picture() {
        const id = secondOf(this.board);
        const png = this.board.array(`second ${id}`, "picture")?.data;
        if (png && this.opened !== id) this.open(id, /** @type {Uint8Array} */ (png));
        if (![...this.list.options].some(({ value }) => value === id))
            this.list.append(element("option", { value: id }, "your own picture"));
        if (this.list.value !== id) this.list.value = id;
        return this.opened === id ? this.bitmap : null;
    }

    /** @param {string} id @param {Uint8Array} png */
    async open(id, png) {
        this.opened = id;
        this.bitmap = null;
        const bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (png)], { type: "image/png" }));
        if (this.opened === id) this.bitmap = bitmap;
        this.board.invalidate();
    }
}
