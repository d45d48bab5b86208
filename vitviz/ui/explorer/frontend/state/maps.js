// The attention maps of one model and picture: one byte per weight, decoded when somebody looks.

/** @import { Exact, Opening, Shows } from "../types.js" */

const ROWS_KEPT = 8; // settled queries whose rows in all layers are remembered
const BYTES_KEPT = 96e6; // of layers that came on demand
export const TIMES_UNIFORM = 8; // the shared scale ends at this many times the weight of uniform attention

/** Reciprocal of Σ u² for each row of `code`, in double precision: rows must sum to 1. */
function reciprocals(/** @type {Uint8Array} */ code, /** @type {number} */ length) {
    const shares = new Float64Array(code.length / length);
    for (let row = 0, at = 0; row < shares.length; row++) {
        let sum = 0;
        for (const end = at + length; at < end; at++) sum += code[at] * code[at];
        shares[row] = 1 / sum;
    }
    return shares;
}

export class Maps {
    /** @param {Opening} message the picture, the sizes, and the rows of the special tokens */
    constructor({ header, parts }) {
        this.meta = header;
        /** The weight that gets the last colour on the shared scale. */
        this.shared = Math.min(1, TIMES_UNIFORM / header.tokens);
        /** How often something arrived. */
        this.arrivals = 0;
        this.picture = new Blob([/** @type {BlobPart} */ (parts.picture)], { type: "image/png" });
        /** @type {({code: Uint8Array, shares: Float64Array} | undefined)[]} [head][query][key] of each layer */
        this.layers = new Array(this.meta.depth);
        /** @type {Map<number, {code: Uint8Array, shares: Float64Array}>} [layer][head][key] of some queries */
        this.rows = new Map();
        /** @type {Float32Array[]} [query][key] after each layer */
        this.rollouts = [];
        /** @type {Exact | null} */
        this.exact = null;
        const size = this.meta.depth * this.meta.heads * this.meta.tokens;
        for (let i = 0; i < this.meta.specials.length; i++) {
            this.addRows(i, parts.rows.subarray(i * size, (i + 1) * size));
        }
    }

    /** @param {number} layer @param {Uint8Array} code */
    addLayer(layer, code) {
        this.arrivals++;
        this.layers[layer] = { code, shares: reciprocals(code, this.meta.tokens) };
        const held = this.layers.flatMap((it, i) => (it && i !== layer ? [i] : []));
        const most = Math.max(3, Math.floor(BYTES_KEPT / code.length));
        held.sort((a, b) => Math.abs(b - layer) - Math.abs(a - layer));
        for (const far of held.slice(0, Math.max(0, held.length + 1 - most))) this.layers[far] = undefined;
    }

    /** @param {number} query @param {Uint8Array} code */
    addRows(query, code) {
        this.arrivals++;
        this.rows.delete(query);
        this.rows.set(query, { code, shares: reciprocals(code, this.meta.tokens) });
        const settled = [...this.rows.keys()].filter((it) => it >= this.meta.specials.length);
        if (settled.length > ROWS_KEPT) this.rows.delete(settled[0]);
    }

    /** @param {Exact} exact */
    addExact(exact) {
        this.arrivals++;
        this.exact = exact;
    }

    /**
     * Weights of `query` in one head, or in the mean or rollout of all where `head` is their number, written to `out`.
     * @param {number} layer @param {number} head @param {number} query @param {Shows} shows @param {Float32Array} out
     * @returns {boolean} false where the browser does not hold them
     */
    weights(layer, head, query, shows, out) {
        const { heads } = this.meta;
        if (shows === "rollout" && head === heads) return this.rollout(layer, query, out);
        out.fill(0);
        if (head < heads) return this.add(layer, head, query, shows, 1, out);
        for (let each = 0; each < heads; each++) {
            if (!this.add(layer, each, query, shows, 1 / heads, out)) return false;
        }
        return true;
    }

    /** @param {number} layer @param {number} head @param {number} query @param {Shows} shows @param {number} factor
     *  @param {Float32Array} out */
    add(layer, head, query, shows, factor, out) {
        const t = this.meta.tokens;
        const whole = this.layers[layer];
        const rows = this.rows.get(query);
        if (shows !== "column" && (whole || rows)) {
            const row = whole ? head * t + query : layer * this.meta.heads + head;
            const { code, shares } = whole ?? /** @type {{code: Uint8Array, shares: Float64Array}} */ (rows);
            const scale = shares[row] * factor;
            for (let key = 0, at = row * t; key < t; key++, at++) out[key] += code[at] * code[at] * scale;
            return true;
        }
        if (!whole) {
            const exact = this.exactly(layer, head, query, shows);
            if (exact) for (let i = 0; i < t; i++) out[i] += exact[i] * factor;
            return Boolean(exact);
        }
        for (let row = head * t, at = row * t + query, i = 0; i < t; i++, row++, at += t) {
            out[i] += whole.code[at] * whole.code[at] * whole.shares[row] * factor;
        }
        return true;
    }

    /** What reached `query` through all layers up to this one, written to `out`.
     *  @param {number} layer @param {number} query @param {Float32Array} out */
    rollout(layer, query, out) {
        const t = this.meta.tokens;
        const after = this.rolloutAfter(layer);
        if (after) out.set(after.subarray(query * t, (query + 1) * t));
        const exact = this.exact;
        if (after || !exact?.rollout || exact.layer !== layer || exact.query !== query) return Boolean(after);
        out.set(exact.rollout);
        return true;
    }

    /** Rollout [query][key] after a layer: head mean, half attention and half identity, multiplied up.
     *  @param {number} layer @returns {Float32Array | null} null where a layer on the way is missing */
    rolloutAfter(layer) {
        if (this.rollouts[layer]) return this.rollouts[layer];
        const before = layer > 0 ? this.rolloutAfter(layer - 1) : null;
        const mean = layer > 0 && !before ? null : this.matrix(layer, this.meta.heads, "row");
        if (!mean) return null;
        const t = this.meta.tokens;
        for (let i = 0; i < mean.length; i++) mean[i] /= 2;
        for (let i = 0; i < mean.length; i += t + 1) mean[i] += 0.5;
        this.rollouts[layer] = before ? product(mean, before, t) : mean;
        return this.rollouts[layer];
    }

    /** The whole matrix [query][key] of one head, of the mean, or of the rollout; null where it is not held.
     *  @param {number} layer @param {number} head @param {Shows} shows @returns {Float32Array | null} */
    matrix(layer, head, shows) {
        if (shows === "rollout") return this.rolloutAfter(layer);
        if (!this.layers[layer]) return null;
        const t = this.meta.tokens;
        const out = new Float32Array(t * t);
        for (let query = 0; query < t; query++) {
            this.weights(layer, head, query, "row", out.subarray(query * t, (query + 1) * t));
        }
        return out;
    }

    /** The uncoded weights of what is on screen, or null as long as Python has not sent them.
     *  @param {number} layer @param {number} head @param {number} query @param {Shows} shows */
    exactly(layer, head, query, shows) {
        const { exact, meta } = this;
        if (!exact || exact.layer !== layer || exact.query !== query) return null;
        if (shows === "rollout" && head === meta.heads) return exact.rollout;
        const all = shows === "column" ? exact.column : exact.row;
        if (head < meta.heads) return all.subarray(head * meta.tokens, (head + 1) * meta.tokens);
        return Float32Array.from({ length: meta.tokens }, (_, i) => {
            let sum = 0;
            for (let at = i; at < all.length; at += meta.tokens) sum += all[at];
            return sum / meta.heads;
        });
    }

    /** "[class]", or "patch 38 (row 4, column 2)". */
    name(/** @type {number} */ token) {
        const { specials, columns } = this.meta;
        if (token < specials.length) return `[${specials[token]}]`;
        const place = token - specials.length;
        return `patch ${place + 1} (row ${Math.floor(place / columns) + 1}, column ${(place % columns) + 1})`;
    }
}

/** @param {Float32Array} a @param {Float32Array} b @param {number} t */
function product(a, b, t) {
    const out = new Float32Array(t * t);
    const sum = new Float64Array(t);
    for (let i = 0; i < t; i++) {
        sum.fill(0);
        for (let k = 0; k < t; k++) {
            const factor = a[i * t + k];
            for (let j = 0, at = k * t; j < t; j++, at++) sum[j] += factor * b[at];
        }
        out.set(sum, i * t);
    }
    return out;
}
