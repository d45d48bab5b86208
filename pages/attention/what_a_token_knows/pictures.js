// Other pictures that the model knows: their patches stand beside those of the picture that is shown.

/** @import { Column } from "#frontend/state/column.js" */

import { equalRows } from "#frontend/draw/tiles.js";
import { visit } from "#frontend/transport/inbox.js";
import { withWords } from "#frontend/transport/words.js";

const GAP = 3; // pixels inside a pair
const LOOSE = 0.96; // of its room what a picture takes

/** How pairs of squares stand in a box, each with a line below: how large a square is, and where both of a pair lie and the
 *  line. @param {number} many @param {number} width @param {number} height @param {number} under */
export function pairs(many, width, height, under) {
    const beside = equalRows(many, width / 2, height, 1, under);
    const below = equalRows(many, width, (height - GAP) / 2, 1, under / 2);
    const stands = below.cell > beside.cell;
    const { across, cell } = stands ? below : beside;
    const wide = width / across;
    const size = stands ? Math.min(cell, LOOSE * wide) : Math.min(cell, LOOSE * (wide / 2) - GAP);
    const tall = (stands ? 2 * size + GAP : size) + under;
    return {
        size,
        wide: stands ? size : 2 * size + GAP,
        /** @param {number} at */
        place(at) {
            const [x, y] = [(at % across) * wide, Math.floor(at / across) * tall];
            const second = stands ? [x, y + size + GAP] : [x + size + GAP, y];
            return { first: [x, y], second, below: [x, y + tall - under] };
        },
    };
}

/** @typedef {{ id: string, title: string, alt: string }} Other */

export class Pictures {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        /** Those that have been opened. @type {ImageBitmap[]} */
        this.open = [];
        /** The name under which they came. */
        this.opening = "";
    }

    /** What stands at the end of the names of their numbers. */
    get among() {
        return /** @type {string} */ (this.column.data.facts.among ?? "");
    }

    get all() {
        return /** @type {Other[]} */ (this.column.data.facts.others ?? []);
    }

    /** How many of them there are where these are few, and why there are not more; else both "". */
    get few() {
        const { few = "", fewer = "" } = /** @type {Record<string, string>} */ (this.column.data.facts);
        return { says: few, why: fewer };
    }

    /** One of them, once it has been opened. @param {number} at @returns {ImageBitmap | null} */
    at(at) {
        this.bring();
        return this.open[at] ?? null;
    }

    /** Open them when they have come. */
    async bring() {
        const { all, column } = this;
        const name = `others${this.among}`;
        if (this.opening === name || !column.array(name, "picture-0")) return;
        /** @type {ImageBitmap[]} */
        const open = [];
        this.open = open;
        this.opening = name;
        await Promise.all(
            all.map(async (_, at) => {
                const png = column.array(name, `picture-${at}`);
                if (!png) return;
                const file = new Blob([/** @type {BlobPart} */ (/** @type {unknown} */ (png.data))], {
                    type: "image/png",
                });
                open[at] = await createImageBitmap(file);
            }),
        );
        column.invalidate();
    }

    /** Whether a click goes to one: it is a sample, and Python is there to open it. @param {number} at */
    leads(at) {
        return Boolean(this.column.board.python && this.all[at].id);
    }

    /** Go to a patch of one. @param {number} at @param {number} patch */
    follow(at, patch) {
        if (!this.leads(at)) return;
        const words = { picture: "", crop: "", key: "", sample: this.all[at].id, query: patch + 1 };
        visit(withWords(this.column.address, words), true);
    }
}
