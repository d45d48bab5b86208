// The torch: the photo is dark, and light where the patch looks that is pointed at. Until it is touched, it goes through the
// layers by itself.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { calm } from "#frontend/draw/motion.js";
import { layers } from "#frontend/frame/steps.js";

const BEAT = 900; // ms that it stays at a layer
const FULL = 15; // the brightest step

export class Torch {
    /** @param {Column} column @param {Photo} photo */
    constructor(column, photo) {
        this.column = column;
        this.photo = photo;
        /** The photo is as it is, until its light has come. */
        this.lit = new Float32Array(column.meta.patches).fill(1);
        /** Steps of light of `layer k q`, two in a byte, once they are inflated. @type {Uint8Array | null} */
        this.light = null;
        this.inflating = false;
        /** What it lets be seen by itself, until something else is. @type {Partial<Selection> | null} */
        this.shows = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
    }

    /** The layers whose light is here. */
    get layers() {
        return this.column.array("overview", "lit")?.data ?? [];
    }

    /** Whether it goes through the layers by itself. */
    get plays() {
        return this.column.store.preview === this.shows;
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { column, photo } = this;
        photo.steps = [layers(column, shown)];
        const sent = column.parcels.get("overview");
        if (sent && !sent.light) return;
        photo.light = this.lit;
        if (!this.light) return this.bring();
        const { patches, prefix } = column.meta;
        const patch = column.patchOf(shown);
        const from = nearest(this.layers, shown.layer) * patches ** 2 + patch;
        for (let key = 0, at = from; key < patches; key++, at += patches)
            this.lit[key] = ((this.light[at >> 1] >> ((at & 1) * 4)) & 15) / FULL;
        photo.frames = [{ token: prefix.length + patch, colour: column.data.palette.chosen }];
        if (!this.shows) this.begin();
    }

    /** Inflate the light, when it has come. */
    async bring() {
        const deflated = this.column.array("overview", "light");
        if (!deflated || this.inflating) return;
        this.inflating = true;
        const sent = new Blob([/** @type {BlobPart} */ (deflated.data)]).stream();
        const light = await new Response(sent.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
        this.light = new Uint8Array(light);
        this.column.invalidate();
    }

    begin() {
        const { preview } = this.column.store;
        const touched = preview.query !== undefined; // before its light had come
        this.shows = touched ? {} : preview;
        if (touched || calm.matches) return;
        const beat = (/** @type {number} */ at) => {
            if (!this.plays || this.column.chosen.moment !== "light") return;
            this.shows = { layer: this.layers[at] };
            this.column.look(this.shows);
            this.timer = setTimeout(beat, BEAT, (at + 1) % this.layers.length);
        };
        this.timer = setTimeout(beat, BEAT, (nearest(this.layers, this.column.chosen.layer) + 1) % this.layers.length);
    }

    close() {
        clearTimeout(this.timer);
    }
}

/** The place of the last layer up to this one. @param {ArrayLike<number>} layers @param {number} layer */
function nearest(layers, layer) {
    let at = 0;
    while (layers[at + 1] <= layer) at++;
    return at;
}
