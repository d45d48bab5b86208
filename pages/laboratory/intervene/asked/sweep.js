// One map that asks everything once: of each cell the answer with its edit, painted as the answers come.

/** @import { Config } from "#frontend/types/forward.js" */
/** @import { Meta } from "#frontend/types/board.js" */
/** @import { Runs } from "#frontend/editing/runs.js" */

import { diverging } from "#frontend/draw/surface.js";

/** Sizes as the forward pass has them. @param {Meta} meta */
export const sizesOf = (meta) =>
    /** @type {Config} */ (/** @type {unknown} */ ({ ...meta, prefix: meta.prefix.length }));

/** A colour to lay over the photo, the thicker the larger the value; nothing where there is none: an RGBA word.
 *  @param {number | undefined} value @param {number} limit */
export function tinted(value, limit) {
    if (value === undefined) return 0;
    const thick = Math.round(60 + 195 * Math.min(1, Math.abs(value) / limit) ** 0.7);
    return ((diverging(value, limit) & 0xffffff) | (thick << 24)) >>> 0;
}

export class Sweep {
    /** @param {Runs} runs @param {() => void} invalidate */
    constructor(runs, invalidate) {
        this.runs = runs;
        this.invalidate = invalidate;
        this.name = "";
        /** What each cell came to, NaN where it has not. */
        /** @type {Float32Array} */
        this.values = new Float32Array();
        this.told = 0;
        /** @type {{ done: Promise<boolean>, stop(): void } | null} */
        this.running = null;
        this.failed = "";
    }

    /** Whether all cells have come. */
    get complete() {
        return this.told > 0 && this.told === this.values.length;
    }

    /** Ask in this browser, from where it was stopped. @param {string} name what is asked, of which pictures
     *  @param {string[]} each the edits of each cell @param {(logits: Float32Array) => number} value
     *  @param {boolean} [swapped] whether the two pictures change places */
    ask(name, each, value, swapped = false) {
        const { forward } = this.runs;
        if (!forward || (this.name === name && (this.running || this.complete))) return;
        if (this.name !== name) {
            this.values = new Float32Array(each.length).fill(Number.NaN);
            this.told = 0;
        }
        this.name = name;
        this.failed = "";
        const [start, { classes }] = [this.told, this.runs.column.meta];
        const running = forward.sweep(each.slice(start), {
            swapped,
            paint: (at, logits) => {
                if (this.running !== running) return;
                for (let from = 0, cell = start + at; from < logits.length; from += classes, cell++)
                    this.values[cell] = value(logits.subarray(from, from + classes));
                this.told = start + at + logits.length / classes;
                this.invalidate();
            },
        });
        this.running = running;
        const end = (/** @type {string} */ failed) => {
            if (this.running === running) [this.running, this.failed] = [null, failed];
            this.invalidate();
        };
        running.done.then(
            () => end(""),
            (error) => end(String(error.message ?? error)),
        );
    }

    /** Take what has come of a map that the server makes. @param {string} name @param {number} cells */
    gather(name, cells) {
        const { column } = this.runs;
        if (this.name !== name)
            [this.name, this.values, this.told] = [name, new Float32Array(cells).fill(Number.NaN), 0];
        const sentence = column.array(name, "sentence")?.data;
        this.failed = sentence ? new TextDecoder().decode(/** @type {Uint8Array} */ (sentence)) : "";
        const begins = `${name} from `;
        for (const [part, arrays] of [...column.parcels.held, [`${begins}0`, column.parcels.get(name)]]) {
            if (!String(part).startsWith(begins)) continue;
            const values = /** @type {Record<string, import("#frontend/types/board.js").Array_> | undefined} */ (arrays)
                ?.values?.data;
            if (values) this.values.set(values, Number(String(part).slice(begins.length)));
        }
        this.told = this.values.filter((value) => !Number.isNaN(value)).length;
    }

    stop() {
        this.running?.stop();
        this.running = null;
    }

    /** The value of a cell, or undefined where it has not come. @param {number} at */
    at(at) {
        const value = this.values[at];
        return value === undefined || Number.isNaN(value) ? undefined : value;
    }

    /** How far it is, in words. @param {string} what */
    progress(what) {
        if (this.failed) return this.failed;
        return this.complete ? "" : `${this.told} of ${this.values.length || "…"} ${what}`;
    }

    /** The largest size of a value, to make colours of. */
    get limit() {
        let most = 1e-6;
        for (const value of this.values) if (Math.abs(value) > most) most = Math.abs(value);
        return most;
    }
}
