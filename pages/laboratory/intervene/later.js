// What the later moments are made of, what stands beside the first, and what runs the model in this browser: fetched with
// the first draw.

import { buttonFor, element } from "#frontend/draw/elements.js";
import { Offer } from "#frontend/editing/offer.js";
import { secondOf } from "#frontend/editing/runs.js";
import { canRun, Forward } from "#frontend/forward/client.js";
import { Everything } from "./asked/everything.js";
import { Trace } from "./asked/trace.js";
import { drawCompared, drawGhostLens, Moved, saysLens } from "./compared.js";
import { Brush } from "./panels/brush.js";
import { Dials } from "./panels/dials.js";
import { Experiments } from "./panels/experiments.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { History } from "#frontend/editing/history.js" */
/** @import { Runs } from "#frontend/editing/runs.js" */

const SCENES = 500;

export class Accuracy {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.button = buttonFor(`Accuracy on ${SCENES} test scenes`, () => column.choose({ measured: "yes" }));
        this.words = element("span", { role: "status" });
        this.root = element("span", { class: "measured" }, this.button, this.words);
    }

    /** @param {string} edits */
    draw(edits) {
        const { column } = this;
        const asked = column.chosen.measured === "yes";
        this.root.hidden = !column.data.facts.scenes;
        this.button.hidden = asked;
        this.words.textContent = asked ? this.told(edits) : "";
    }

    /** @param {string} edits */
    told(edits) {
        const [now, before] = [edits, ""].map((text) => this.column.array(`accuracy ${text}`, "hits")?.data);
        if (!now || !before) return `answering ${SCENES} scenes …`;
        const share = (/** @type {ArrayLike<number>} */ hits, /** @type {number} */ at) =>
            (hits[at] / hits[at + 1]).toFixed(3);
        const words = (/** @type {number} */ at) =>
            edits ? `${share(before, at)} → ${share(now, at)}` : share(before, at);
        return `${SCENES} scenes right: things ${words(0)}, relations ${words(2)}`;
    }

    /** What Python has to be asked for. @param {string} edits */
    needs(edits) {
        const asked = this.column.chosen.measured === "yes" && this.column.data.facts.scenes;
        return asked ? [`accuracy ${edits}`, "accuracy "] : [];
    }
}

export class Second {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        /** @type {ImageBitmap | null} */
        this.bitmap = null;
        this.opened = "";
        const samples = /** @type {Record<string, string>} */ (column.data.facts.samples);
        this.list = element(
            "select",
            { "aria-label": "Second picture" },
            ...Object.entries(samples).map(([id, title]) => element("option", { value: id }, title)),
        );
        this.list.addEventListener("change", () => column.choose({ donor: this.list.value }));
    }

    /** The picture, where it is here. */
    get picture() {
        const id = secondOf(this.column);
        const png = this.column.array(`second ${id}`, "picture")?.data;
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
        this.column.invalidate();
    }
}

export const client = { canRun, Forward, Offer };

/** @param {Column} column @param {Photo} photo @param {History} history @param {Runs} runs */
export function later(column, photo, history, runs) {
    const second = new Second(column);
    const moved = new Moved(column, runs);
    return {
        second,
        accuracy: new Accuracy(column),
        drawCompared,
        drawGhostLens,
        saysLens,
        moved,
        brush: new Brush(column, photo, history),
        dials: new Dials(column, history),
        experiments: new Experiments(column, history, moved),
        everything: new Everything(column, photo, history, runs),
        trace: new Trace(column, photo, history, runs, second.list),
    };
}

/** @typedef {ReturnType<typeof later>} Later */
