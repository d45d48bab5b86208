// What a patch is on its way, from its pixels to its state after the last layer, and how alike two patches are there.

/** @import { Selection } from "../types/board.js" */
/** @import { Column } from "./column.js" */

const MOST = 96; // maps that are held: those of a few patches at all places

/** What is `of` a patch, in which layer: one place on its way; "token" and "pixels" stand before the first layer.
 *  @typedef {{ of: Selection["of"], layer: number }} Place */

/** What is `of` a patch inside a block. @param {string} of */
const within = (of) => of.length === 1;

/** What is `of` a patch before the first block. @param {string} of */
export const before = (of) => ["pixels", "token"].includes(of);

/** Where a patch is looked at. @param {Selection} shown @returns {Place} */
export const placeOf = ({ of, layer }) => ({ of, layer: before(of) ? 0 : layer });

/** All places beside which that one stands, in the order in which a patch comes by. @param {Column} column
 *  @param {Selection["of"]} of @returns {Place[]} */
export function wayOf({ meta }, of) {
    /** @type {Selection["of"]} */
    const kind = within(of) ? of : "state";
    const layers = Array.from({ length: meta.depth }, (_, layer) => ({ of: kind, layer }));
    return within(of) ? layers : [{ of: "pixels", layer: 0 }, { of: "token", layer: 0 }, ...layers];
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

/** Cosines of one patch with many, and what of them is not with itself.
 *  @typedef {{ values: Float32Array, least: number, most: number, mean: number }} Alike */

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

/** @param {Float32Array} values @param {number} [itself] whose own cosine, 1, does not count @returns {Alike} */
export function summed(values, itself = -1) {
    let [least, most, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (let at = 0; at < values.length; at++) {
        if (at === itself) continue;
        least = Math.min(least, values[at]);
        most = Math.max(most, values[at]);
        sum += values[at];
    }
    return { values, least, most, mean: sum / (values.length - Number(itself >= 0)) };
}

/** How alike a patch is to all at every place, from numbers that lie here. */
export class Cosines {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        /** By place and patch. @type {Map<string, Alike>} */
        this.held = new Map();
    }

    /** Nearly, from few directions; null where they are not here. @param {Place} place @param {number} patch
     *  @returns {Alike | null} */
    nearly({ of, layer }, patch) {
        const all = this.column.array(`alike-${of}`, "coordinates");
        if (!all) return null;
        const key = `${of} ${layer} ${patch}`;
        const found = this.held.get(key);
        if (found) return found;
        const [, many, k] = all.shape;
        const row = all.data.subarray(layer * many * k, (layer + 1) * many * k);
        const made = summed(products(row, k, row, patch * k), patch);
        if (this.held.size >= MOST) this.held.clear();
        this.held.set(key, made);
        return made;
    }

    /** As they are, of the patch that is chosen. @param {Place} place @param {number} patch @returns {Alike | null} */
    exactly({ of, layer }, patch) {
        const values = this.column.array(exactName({ of, layer }, patch), "cosines")?.data;
        return values ? summed(/** @type {Float32Array} */ (values), patch) : null;
    }
}

/** Their name among the numbers of the page. @param {Place} place @param {number} patch */
export const exactName = ({ of, layer }, patch) => `alike-exact-${of}-${layer}-${patch}`;

/** Where a scale begins and ends: one for all maps, or that of one. @param {string} scale @param {Alike} alike
 *  @returns {[number, number]} */
export const endsOf = (scale, { least, most }) => (scale === "own" ? [least, most] : [0, 1]);

/** From 0, dark, to 1, light. @param {number} value @param {[number, number]} ends */
export const lightOf = (value, [low, high]) => Math.max(0, Math.min(1, high > low ? (value - low) / (high - low) : 1));
