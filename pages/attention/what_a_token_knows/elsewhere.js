// One patch in other pictures: each lit where its patches are alike, the nearest one framed.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Meta, Selection } from "#frontend/types/board.js" */
/** @import { Pictures } from "./pictures.js" */
/** @import { Alike, Place } from "./patches.js" */

import { strongest } from "#frontend/draw/attention.js";
import { outline, outlineToken, tokenAt } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { equalRows, inSquare } from "#frontend/draw/tiles.js";
import { coming } from "#frontend/draw/words.js";
import { endsOf, placeOf, products, signOf, summed, weighed } from "./patches.js";
import { pairs } from "./pictures.js";
import { drawShaded } from "./shaded.js";
import { heightOf, LINE, writeUnder } from "./under.js";

const NARROW = 560; // CSS pixels: below, three pictures stand beside each other
const ENOUGH = 0.8; // of the size of pictures alone: so large, each has a close-up of its nearest patch
const LOOSE = 0.96; // of its room what a picture takes
const AROUND = 3; // patches on each side of it there
const NEAREST = "#fff";

/** The names of their numbers. @param {Place} place @param {number} patch @param {string} among which pictures */
export const namesOf = ({ of, layer }, patch, among) => ({
    all: `others-${of}-${layer}${among}`,
    exact: `nearest-exact-${of}-${layer}-${patch}${among}`,
});

/** A patch and what stands around it. @param {CanvasRenderingContext2D} context @param {ImageBitmap} picture
 *  @param {Meta} meta @param {number} patch @param {number[]} corner @param {number} size */
function closeUp(context, picture, { columns, rows }, patch, [x, y], size) {
    const many = Math.min(2 * AROUND + 1, columns, rows);
    const [wide, tall] = [picture.width / columns, picture.height / rows];
    const within = (/** @type {number} */ at, /** @type {number} */ most) =>
        Math.max(0, Math.min(most - many, at - (many >> 1)));
    const [column, row] = [patch % columns, Math.floor(patch / columns)];
    const [left, top] = [within(column, columns), within(row, rows)];
    context.drawImage(picture, left * wide, top * tall, many * wide, many * tall, x, y, size, size);
    const side = size / many;
    outline(context, x + (column - left) * side, y + (row - top) * side, side, side, NEAREST);
}

/** A patch of another picture. @typedef {{ picture: number, patch: number }} There */

export class Elsewhere {
    /** @param {Column} column @param {Pictures} pictures */
    constructor(column, pictures) {
        this.column = column;
        this.pictures = pictures;
        /** What the pointer is on. @type {There | null} */
        this.pointed = null;
        /** The cosines that were made last, and of what. @type {{ key: string, found: Alike[] }} */
        this.made = { key: "", found: [] };
    }

    /** How alike the patches of each picture are to one of this, nearly; none where that is not here.
     *  @param {Selection} shown @returns {Alike[]} */
    cosines(shown) {
        const { column } = this;
        const patch = column.patchOf(shown);
        const { all } = namesOf(placeOf(shown), patch, this.pictures.among);
        const [here, there, steps, error] = ["here", "there", "steps", "error"].map((name) => column.array(all, name));
        if (!here || !there || !steps || !error) return [];
        const key = `${all} ${patch}`;
        if (this.made.key === key) return this.made.found;
        const [many, n, k] = there.shape;
        const one = weighed(here.data, patch, steps.data, k);
        const found = Array.from({ length: many }, (_, at) => {
            const its = there.data.subarray(at * n * k, (at + 1) * n * k);
            return summed(products(its, k, one, 0), -1, error.data[0]);
        });
        this.made = { key, found };
        return found;
    }

    /** The nearest patch of each picture and its cosine, as they are where these have come.
     *  @param {Selection} shown @returns {{ patch: number, cosine: number, sign: string }[]} */
    nearest(shown) {
        const { column } = this;
        const { exact } = namesOf(placeOf(shown), column.patchOf(shown), this.pictures.among);
        const [patches, cosines] = ["patches", "cosines"].map((name) => column.array(exact, name)?.data);
        return this.cosines(shown).map((alike, at) => {
            const { values } = alike;
            if (patches && cosines) return { patch: patches[at], cosine: cosines[at], sign: "" };
            const patch = strongest(values);
            return { patch, cosine: values[patch], sign: signOf(alike) };
        });
    }

    /** How the pictures stand, each with a close-up where these are not much smaller for it, as `pairs` says.
     *  @param {number} width @param {number} height @param {number} under
     *  @returns {{ size: number, wide: number, place(at: number): { first: number[], second: number[] | null, below: number[] } }} */
    places(width, height, under) {
        const many = this.pictures.all.length;
        const { across, cell } = equalRows(many, width, height, width < NARROW ? 3 : 1, under);
        const both = pairs(many, width, height, under);
        if (both.size > ENOUGH * cell) return both;
        const size = LOOSE * cell;
        const place = (/** @type {number} */ at) => {
            const [x, y] = [(at % across) * (width / across), Math.floor(at / across) * (cell + under)];
            return { first: [x, y], second: null, below: [x, y + size] };
        };
        return { size, wide: size, place };
    }

    /** @param {CanvasRenderingContext2D} context @param {Areas} areas @param {Selection} shown @param {number} width
     *  @param {number} height */
    draw(context, areas, shown, width, height) {
        const { column, pictures } = this;
        const { meta } = column;
        const found = this.cosines(shown);
        const nearest = this.nearest(shown);
        const { all } = pictures;
        if (!found.length) return coming(context, width, "The other pictures are on their way.");
        const titles = all.map(({ title }) => title);
        const first = this.places(width, height, LINE);
        const under = heightOf(context, titles, first.wide);
        const { size, wide, place } = under === LINE ? first : this.places(width, height, under);
        for (const at of titles.keys()) {
            const picture = pictures.at(at);
            const { first, second, below } = place(at);
            const box = inSquare(picture, first[0], first[1], size);
            const alike = found[at];
            const { patch, cosine, sign } = nearest[at];
            const known = !Number.isNaN(cosine);
            if (known) drawShaded(context, picture, alike.values, endsOf(shown.scale, alike), meta, box);
            else if (picture) context.drawImage(picture, ...box);
            const pointed = this.pointed?.picture === at ? this.pointed.patch : patch;
            if (known) outlineToken(context, meta, meta.prefix.length + pointed, box, NEAREST);
            if (known && picture && second) closeUp(context, picture, meta, pointed, second, size);
            const number = known ? `${sign}${small(cosine)}` : "";
            writeUnder(context, [titles[at], number], below[0], below[1], wide, under, { name: false, number: true });
            const spot = (/** @type {number} */ across, /** @type {number} */ down) =>
                tokenAt(meta, across, down) - meta.prefix.length;
            areas.add({
                x: box[0],
                y: box[1],
                width: box[2],
                height: box[3],
                at: (across, down) => {
                    this.pointed = { picture: at, patch: spot(across, down) };
                    return {};
                },
                click: (across, down) => pictures.follow(at, spot(across, down)),
            });
        }
    }

    /** In words: the nearest of all, or the one that the pointer is on. @param {Selection} shown */
    readout(shown) {
        const { pointed, pictures } = this;
        const titles = pictures.all.map(({ title }) => title);
        if (pointed) {
            const alike = this.cosines(shown)[pointed.picture];
            if (!alike) return "";
            const value = `${signOf(alike)}${small(alike.values[pointed.patch])}`;
            return ` · ${titles[pointed.picture]}, patch ${pointed.patch + 1}: ${value}`;
        }
        const nearest = this.nearest(shown);
        if (!nearest.length) return "";
        const best = strongest(nearest.map(({ cosine }) => cosine));
        const { patch, cosine, sign } = nearest[best];
        return ` · nearest in ${titles[best]}, patch ${patch + 1}: ${sign}${small(cosine)}`;
    }
}
