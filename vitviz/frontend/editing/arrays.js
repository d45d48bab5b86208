// What Python would send of a run, made of a run in this browser: the same names, the same numbers.

/** @import { Made } from "../schema/types.js" */
/** @import { Array_, Meta } from "../types/board.js" */
/** @import { Edit } from "../edits/edits.js" */
/** @import { Pass } from "./runs.js" */

import { ALL, doing, read, takeSecond, whatAt } from "../edits/edits.js";

const LARGEST = 255;

/** What makes a parcel of a run, by what stands in its name before numbers, and of these.
 *  @type {Record<Exclude<Made, "lens">, (run: Pass, meta: Meta, ...at: number[]) => Record<string, Float32Array | Uint8Array>>} */
const MAKERS = {
    maps: ({ layers }, { tokens }, layer) => ({ code: coded(/** @type {Float32Array} */ (layers.get(layer)), tokens) }),
    exact: ({ layers }, meta, layer, at) => exact(/** @type {Float32Array} */ (layers.get(layer)), meta, at),
    rows: (pass, meta, query) => ({ code: coded(rows(pass, meta, query), meta.tokens) }),
    alone: (pass, meta, query) => ({ rows: alone(pass, meta, query) }),
    rollout: (pass, meta, query) => ({ rows: rollout(steps(pass, meta), meta.tokens, [query]) }),
    rollouts: (pass, meta) => ({ rows: rollout(steps(pass, meta), meta.tokens) }),
    "by-layer": byLayer,
};

/** Which parcels can be made here of a run with these edits: of drop path Python alone says what is left out, and there is
 *  no second picture. @param {string} edits @param {Meta} meta @returns {(name: string) => boolean} */
export function makes(edits, meta) {
    const here = !takeSecond(edits, meta) && !read(edits, meta).some(doing("waits"));
    return (name) => here && (name === "lens" || makerOf(name) in MAKERS);
}

/** @param {string} name */
const makerOf = (name) => /** @type {Exclude<Made, "lens">} */ (name.replace(/(-\d+)+$/, ""));

/** The arrays of a parcel. @param {string} name @param {Pass} pass the attention of every layer in it @param {Meta} meta
 *  @returns {Record<string, Array_>} */
export function arraysOf(name, pass, meta) {
    if (name === "lens") return pass.arrays;
    const arrays = Object.entries(MAKERS[makerOf(name)](pass, meta, ...(name.match(/\d+/g) ?? []).map(Number)));
    return Object.fromEntries(arrays.map(([key, data]) => [key, { shape: [data.length], data }]));
}

/** One byte per weight, as vitviz/measures/quantised.py: the root of its share of the row's largest.
 *  @param {Float32Array} weights @param {number} tokens */
function coded(weights, tokens) {
    const code = new Uint8Array(weights.length);
    for (let row = 0; row < weights.length; row += tokens) {
        let most = 0;
        for (let at = row; at < row + tokens; at++) if (weights[at] > most) most = weights[at];
        for (let at = row; at < row + tokens; at++) code[at] = LARGEST * Math.sqrt(weights[at] / most) + 0.5;
    }
    return code;
}

/** What a token looks at, and who looks at it, in all heads: `head t` each. @param {Float32Array} weights @param {Meta} meta
 *  @param {number} at */
function exact(weights, { heads, tokens: t }, at) {
    const [row, column] = [new Float32Array(heads * t), new Float32Array(heads * t)];
    for (let head = 0; head < heads; head++) {
        const from = head * t * t;
        row.set(weights.subarray(from + at * t, from + (at + 1) * t), head * t);
        for (let query = 0; query < t; query++) column[head * t + query] = weights[from + query * t + at];
    }
    return { row, column };
}

/** What a token looks at in every layer and head: `layer head t`. @param {Pass} pass @param {Meta} meta
 *  @param {number} query */
function rows({ layers }, meta, query) {
    const size = meta.heads * meta.tokens;
    const out = new Float32Array(meta.depth * size);
    for (let layer = 0; layer < meta.depth; layer++)
        out.set(exact(/** @type {Float32Array} */ (layers.get(layer)), meta, query).row, layer * size);
    return out;
}

/** What a token looks at in every layer, mean of the heads: `layer t`. @param {Pass} pass @param {Meta} meta
 *  @param {number} query */
function alone(pass, meta, query) {
    const { depth, heads, tokens: t } = meta;
    const rows = new Float32Array(depth * t);
    for (let layer = 0; layer < depth; layer++) {
        const { row } = exact(/** @type {Float32Array} */ (pass.layers.get(layer)), meta, query);
        for (const [at, weight] of row.entries()) rows[layer * t + (at % t)] += weight / heads;
    }
    return rows;
}

/** Half the mean of the heads as far as they pass their attention on, half identity, of every layer: `q k` each; rows sum
 *  to 1. @param {Pass} pass @param {Meta} meta */
function steps({ edits, layers }, meta) {
    const { depth, heads, tokens: t } = meta;
    const plan = read(edits, meta);
    return Array.from({ length: depth }, (_, layer) => {
        const weights = /** @type {Float32Array} */ (layers.get(layer));
        const shares = passedOn(plan, meta, layer).map((it) => it / heads);
        const whole = 1 + shares.reduce((a, b) => a + b, 0);
        const step = new Float32Array(t * t);
        for (const [at, weight] of weights.entries())
            step[at % (t * t)] += (weight * shares[Math.floor(at / (t * t))]) / whole;
        for (let token = 0; token < t; token++) step[token * (t + 1)] += 1 / whole;
        return step;
    });
}

/** What the attention of each head is multiplied with before it enters the stream, as vitviz/edits/applied.py: 0 where the
 *  head, or what it is in, is off or at its mean. @param {Edit[]} edits @param {Meta} meta @param {number} layer */
function passedOn(edits, { heads }, layer) {
    const factor = (/** @type {string} */ letter, place = ALL) => {
        const what = whatAt(edits, letter, layer, place) ?? "*1";
        return what.startsWith("*") ? Number(what.slice(1)) : 0;
    };
    return Array.from({ length: heads }, (_, head) => factor("h", head) * factor("a") * factor("b"));
}

/** Attention rollout after every layer, of some queries or all: `layer query k`. @param {Float32Array[]} steps
 *  @param {number} t tokens @param {number[]} [queries] */
function rollout(steps, t, queries = Array.from({ length: t }, (_, at) => at)) {
    const rows = new Float32Array(steps.length * queries.length * t);
    const whole = queries.length === t;
    for (const layer of steps.keys())
        for (const [place, query] of queries.entries()) {
            // Of all queries the layer before is known; of one, its row goes back through all of them.
            let row = Float64Array.from(steps[layer].subarray(query * t, (query + 1) * t));
            const before =
                whole && layer ? [rows.subarray((layer - 1) * t * t, layer * t * t)] : steps.slice(0, layer).reverse();
            for (const matrix of before) row = times(row, matrix, t);
            rows.set(row, (layer * queries.length + place) * t);
        }
    return rows;
}

/** @param {Float64Array} row @param {Float32Array} matrix @param {number} t */
function times(row, matrix, t) {
    const out = new Float64Array(t);
    for (let k = 0, at = 0; k < t; k++) for (let i = 0; i < t; i++, at++) out[i] += row[k] * matrix[at];
    return out;
}

/** How far the patches look, and how evenly all tokens, as vitviz/measures/attention.py: `layer head` each.
 *  @param {Pass} pass @param {Meta} meta */
function byLayer({ layers }, { depth, heads, tokens: t, prefix, rows, columns }) {
    const first = prefix.length;
    const [distance, entropy] = [new Float32Array(depth * heads), new Float32Array(depth * heads)];
    const apart = new Float64Array((t - first) ** 2);
    for (let at = 0; at < apart.length; at++) {
        const [q, k] = [Math.floor(at / (t - first)), at % (t - first)];
        apart[at] = Math.hypot((q % columns) - (k % columns), Math.floor(q / columns) - Math.floor(k / columns));
    }
    for (let layer = 0; layer < depth; layer++) {
        const weights = /** @type {Float32Array} */ (layers.get(layer));
        for (let head = 0; head < heads; head++) {
            let [far, nats] = [0, 0];
            for (let query = 0, at = head * t * t; query < t; query++) {
                let [sum, way] = [0, 0];
                for (let key = 0; key < t; key++, at++) {
                    const weight = weights[at];
                    if (weight > 0) nats -= weight * Math.log(weight);
                    if (query < first || key < first) continue;
                    sum += weight;
                    way += weight * apart[(query - first) * (t - first) + key - first];
                }
                if (sum > 0) far += way / sum;
            }
            distance[layer * heads + head] = far / (rows * columns);
            entropy[layer * heads + head] = nats / t;
        }
    }
    return { distance, entropy, uniform: Float32Array.of(apart.reduce((a, b) => a + b, 0) / apart.length) };
}
