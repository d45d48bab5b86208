// What a patch is on its way, from its pixels to its state after the last layer, and how alike two patches are there.

/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Column } from "#frontend/state/column.js" */

import { INSIDE, ONCE } from "#frontend/schema/patches.js";

const MOST = 96; // maps that are held: those of a few patches at all places

/** What is `of` a patch, in which layer: one place on its way; "token" and "pixels" stand before the first layer.
 *  @typedef {{ of: Selection["of"], layer: number }} Place */

/** What is `of` a patch inside a block. @param {string} of */
const within = (of) => INSIDE.includes(of);

/** What is `of` a patch before the first block. @param {string} of */
export const before = (of) => ONCE.includes(of);

/** Where a patch is looked at. @param {Selection} shown @returns {Place} */
export const placeOf = ({ of, layer }) => ({ of, layer: before(of) ? 0 : layer });

/** All places beside which that one stands, in the order in which a patch comes by. @param {Column} column
 *  @param {Selection["of"]} of @returns {Place[]} */
export function wayOf({ meta }, of) {
    /** @type {Selection["of"]} */
    const kind = within(of) ? of : "state";
    const layers = Array.from({ length: meta.depth }, (_, layer) => ({ of: kind, layer }));
    if (within(of)) return layers;
    return [...ONCE.map((once) => /** @type {Place} */ ({ of: once, layer: 0 })), ...layers];
}

/** What choosing a place means: the layer stays where a patch has none. @param {Place} place @returns {Partial<Selection>} */
export const means = ({ of, layer }) => (before(of) ? { of } : { of, layer });

/** A place in words. @param {Place} place */
export function nameOf({ of, layer }) {
    if (before(of)) return of;
    return within(of) ? `${of}, layer ${layer + 1}` : `after layer ${layer + 1}`;
}

/** @param {Place[]} way @param {Place} at */
export const indexOf = (way, at) => way.findIndex(({ of, layer }) => of === at.of && layer === at.layer);

/** Of states before the first layer and after each the one that is shown, counted from 0; what else is `of` a patch stands
 *  beside the state that it is made of, or that it makes. @param {Selection} shown */
export const rowOf = ({ of, layer }) => (before(of) ? 0 : layer + 1);

/** The same as a place, and back. @param {number} row @returns {Place} */
export const placeOfRow = (row) => (row ? { of: "state", layer: row - 1 } : { of: "token", layer: 0 });

/** Cosines of one patch with many, what of them is not with itself, and by how much one may be wrong.
 *  @typedef {{ values: Float32Array, least: number, most: number, mean: number, error: number }} Alike */

/** Products of one vector with many. @param {ArrayLike<number>} vectors `n k` @param {number} k
 *  @param {ArrayLike<number>} one @param {number} from where its numbers begin */
export function products(vectors, k, one, from) {
    const out = new Float32Array(vectors.length / k);
    for (let row = 0, at = 0; row < out.length; row++) {
        let sum = 0;
        for (let i = 0; i < k; i++, at++) sum += vectors[at] * one[from + i];
        out[row] = sum;
    }
    return out;
}

/** A vector in whole steps, to be multiplied with others: its numbers in steps twice. @param {ArrayLike<number>} vectors
 *  `n k` @param {number} patch @param {ArrayLike<number>} steps @param {number} k @param {number} [from] of the steps */
export const weighed = (vectors, patch, steps, k, from = 0) =>
    Float32Array.from({ length: k }, (_, at) => vectors[patch * k + at] * steps[from + at] ** 2);

/** Of all pairs of patches, each once, those of one patch. @param {ArrayLike<number>} pairs @param {number} many
 *  @param {number} patch @param {number} from where they begin */
export function pairsOf(pairs, many, patch, from) {
    const start = (/** @type {number} */ at) => (at * (at + 1)) / 2;
    return Float32Array.from(
        { length: many },
        (_, at) => pairs[from + start(Math.max(at, patch)) + Math.min(at, patch)],
    );
}

/** @param {Float32Array} values @param {number} [itself] whose own cosine, 1, does not count @param {number} [error]
 *  @returns {Alike} */
export function summed(values, itself = -1, error = 0) {
    let [least, most, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (let at = 0; at < values.length; at++) {
        if (at === itself) continue;
        least = Math.min(least, values[at]);
        most = Math.max(most, values[at]);
        sum += values[at];
    }
    return { values, least, most, mean: sum / (values.length - Number(itself >= 0)), error };
}

/** How alike a patch is to all at every place, from numbers that lie here. */
export class Cosines {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        /** By place and patch. @type {Map<string, Alike>} */
        this.held = new Map();
    }

    /** What those at a place are made of: numbers of its own, else those of all places; null where neither is here.
     *  @param {Place} place */
    source(place) {
        const { column } = this;
        const [all, own] = namesOf(place);
        for (const [name, row] of /** @type {[string, number][]} */ ([
            [own, 0],
            [all, indexOf(wayOf(column, place.of), place)],
        ])) {
            const error = column.array(name, "error")?.data[row];
            if (error !== undefined) return { name, row, error };
        }
        return null;
    }

    /** From numbers that lie here; null where they do not. @param {Place} place @param {number} patch
     *  @returns {Alike | null} */
    nearly(place, patch) {
        const source = this.source(place);
        if (!source) return null;
        const key = `${source.name} ${source.row} ${patch}`;
        const found = this.held.get(key);
        if (found) return found;
        const made = summed(this.values(source.name, source.row, patch), patch, source.error);
        if (this.held.size >= MOST) this.held.clear();
        this.held.set(key, made);
        return made;
    }

    /** @param {string} name @param {number} row @param {number} patch */
    values(name, row, patch) {
        const [pairs, coordinates, steps] = ["pairs", "coordinates", "steps"].map((it) => this.column.array(name, it));
        if (pairs) return pairsOf(pairs.data, this.column.meta.patches, patch, row * pairs.shape[1]);
        if (!coordinates || !steps) return new Float32Array();
        const [, many, k] = coordinates.shape;
        const its = coordinates.data.subarray(row * many * k, (row + 1) * many * k);
        return products(its, k, weighed(its, patch, steps.data, k, row * k), 0);
    }

    /** As they are, of the patch that is chosen. @param {Place} place @param {number} patch @returns {Alike | null} */
    exactly({ of, layer }, patch) {
        const values = this.column.array(exactName({ of, layer }, patch), "cosines")?.data;
        return values ? summed(/** @type {Float32Array} */ (values), patch) : null;
    }
}

/** What differs by less is rounded. */
const FLAT = 1e-5;

/** Beyond it a cosine is said to be nearly so. */
const FINE = 1e-3;

/** What stands before a cosine that may be wrong by as much. @param {{ error: number }} alike */
export const signOf = ({ error }) => (error > FINE ? "≈ " : "");

/** Whether every patch is as near as the next. @param {Alike} alike */
export const flat = ({ least, most }) => most - least < FLAT;

/** The names of numbers that cosines at a place are made of: of all places, and of this alone. @param {Place} place */
const namesOf = ({ of, layer }) => [`alike-${within(of) ? of : "state"}`, `alike-${of}-${layer}`];

/** Those that a place needs: of many patches its own come before those of all places. @param {Column} column
 *  @param {Place} place */
export function needsOf({ data }, place) {
    const [all, own] = namesOf(place);
    return data.facts.together ? [all] : [own, all];
}

/** Their name among the numbers of the page. @param {Place} place @param {number} patch */
export const exactName = ({ of, layer }, patch) => `alike-exact-${of}-${layer}-${patch}`;

/** Where a scale begins and ends: one for all maps, or that of one. @param {string} scale @param {Alike} alike
 *  @returns {[number, number]} */
export const endsOf = (scale, { least, most }) => (scale === "own" ? [least, most] : [0, 1]);

/** From 0, dark, to 1, light. @param {number} value @param {[number, number]} ends */
export const lightOf = (value, [low, high]) => Math.max(0, Math.min(1, high > low ? (value - low) / (high - low) : 1));
