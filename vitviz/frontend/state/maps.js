// Attention weights of one byte each: a = u² / Σ u² over a row. Decoded when somebody looks.

/** @import { Column } from "./column.js" */

import { ending, found, now } from "./edited.js";

/** @typedef {{ code: Uint8Array, shares: Float64Array }} Code */
/** @typedef {"row" | "column" | "rollout"} Shows */
/** Layer, head (their number stands for the mean or the rollout of all), query, and what of it.
 *  @typedef {{ layer: number, head: number, query: number, shows: Shows }} Map_ */

/** @type {WeakMap<Uint8Array, Code>} */
const prepared = new WeakMap();

/** Reciprocal of Σ u² for each row of `code`, in double precision: rows must sum to 1.
 *  @param {Uint8Array} code @param {number} length @returns {Code} */
function prepare(code, length) {
    const known = prepared.get(code);
    if (known) return known;
    const shares = new Float64Array(code.length / length);
    for (let row = 0, at = 0; row < shares.length; row++) {
        let sum = 0;
        for (const end = at + length; at < end; at++) sum += code[at] * code[at];
        shares[row] = 1 / sum;
    }
    const map = { code, shares };
    prepared.set(code, map);
    return map;
}

/** The code of a layer, or of a query in all layers: of the first of these parcels that is here.
 *  @param {Column} column @param {string[]} parcels @returns {{ name: string, held: Code } | null} */
function codeOf(column, parcels) {
    const it = found(column, parcels);
    const code = /** @type {Uint8Array | undefined} */ (it?.arrays.code?.data);
    return it && code ? { name: it.name, held: prepare(code, column.meta.tokens) } : null;
}

/** Weights of one query, written to `out`.
 *  @param {Column} column @param {Map_} what @param {Float32Array} out @returns {boolean} false where they are not here */
export function weights(column, what, out) {
    const { heads } = column.meta;
    if (what.shows === "rollout" && what.head === heads) {
        const row = rolled(column, what.layer, what.query);
        if (row) out.set(row);
        return Boolean(row);
    }
    out.fill(0);
    if (what.head < heads) return add(column, what, 1, out);
    for (let head = 0; head < heads; head++) if (!add(column, { ...what, head }, 1 / heads, out)) return false;
    return true;
}

/** What has reached a query through all layers up to this one, exactly, or null where it is not here.
 *  @param {Column} column @param {number} layer @param {number} query */
export function rolled(column, layer, query) {
    const { tokens: t } = column.meta;
    const it = found(column, ["rollouts", `rollout-${query}`]);
    const rows = /** @type {Float32Array | undefined} */ (it?.arrays.rows?.data);
    const at = it?.name === "rollouts" ? layer * t + query : layer;
    return rows?.subarray(at * t, (at + 1) * t) ?? null;
}

/** @param {Column} column @param {Map_} what @param {number} factor @param {Float32Array} out */
function add(column, { layer, head, query, shows }, factor, out) {
    const { heads, tokens: t } = column.meta;
    const whole = `maps-${layer}`;
    const coded = codeOf(column, shows === "column" ? [whole] : [whole, `rows-${query}`]);
    if (!coded) return false;
    const { name, held } = coded;
    if (shows === "column") {
        for (let row = head * t, at = row * t + query, i = 0; i < t; i++, row++, at += t) {
            out[i] += held.code[at] * held.code[at] * held.shares[row] * factor;
        }
        return true;
    }
    const row = name === whole ? head * t + query : layer * heads + head;
    const scale = held.shares[row] * factor;
    for (let key = 0, at = row * t; key < t; key++, at++) out[key] += held.code[at] * held.code[at] * scale;
    return true;
}

/** The whole matrix [query][key] of one head, or of all; null where it is not here.
 *  @param {Column} column @param {Omit<Map_, "query">} what @returns {Float32Array | null} */
export function matrix(column, { layer, head, shows }) {
    const t = column.meta.tokens;
    if (shows === "rollout" && head === column.meta.heads) {
        const all = now(column, "rollouts", "rows")?.data;
        return all ? /** @type {Float32Array} */ (all).subarray(layer * t * t, (layer + 1) * t * t) : null;
    }
    if (!codeOf(column, [`maps-${layer}`])) return null;
    const out = new Float32Array(t * t);
    for (let query = 0; query < t; query++) {
        weights(column, { layer, head, query, shows: "row" }, out.subarray(query * t, (query + 1) * t));
    }
    return out;
}

/** The uncoded weights of one query, or null as long as they have not come.
 *  @param {Column} column @param {Map_} what @returns {Float32Array | null} */
export function exactWeights(column, { layer, head, query, shows }) {
    const { heads, tokens } = column.meta;
    if (shows === "rollout" && head === heads) return rolled(column, layer, query);
    const parcel = `exact-${layer}-${query}${ending(column)}`; // no other run's: these are read as numbers
    const array = column.array(parcel, shows === "column" ? "column" : "row");
    if (!array) return null;
    const all = /** @type {Float32Array} */ (array.data);
    if (head < heads) return all.subarray(head * tokens, (head + 1) * tokens);
    return Float32Array.from({ length: tokens }, (_, at) => {
        let sum = 0;
        for (let from = at; from < all.length; from += tokens) sum += all[from];
        return sum / heads;
    });
}
