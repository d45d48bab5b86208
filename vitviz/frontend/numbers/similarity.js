// Which patches are alike, in one picture and from one to others, and how long tokens are, as vitviz/measures/similarity.py.

/** @import { Arrays_ } from "../types/numbers.js" */
/** @import { Trace } from "./trace.js" */

import { array, dot, quantile } from "./arrays.js";
import { eigen, products } from "./components.js";

/** Vectors of length 1 in float64, and how many numbers each has. @typedef {{ rows: Float64Array, size: number }} Units */

const FEWEST = 8; // directions that coordinates have at least, where vectors have as many
const [FAR, TWICE] = [8, 2]; // of an outlier: so many deviations over the median, and so many times the median
const INSIDE = ["q", "k", "v"]; // what a patch has inside a block

/** The places that a patch comes by, each a kind and a layer. @param {string} of @param {number} depth
 *  @returns {[string, number][]} */
export function wayOf(of, depth) {
    const layers = Array.from({ length: depth }, (_, layer) => layer);
    if (INSIDE.includes(of)) return layers.map((layer) => [of, layer]);
    return [["pixels", 0], ["token", 0], ...layers.map((layer) => /** @type {[string, number]} */ (["state", layer]))];
}

/** What each patch has in a layer: its "state" after it, or its "q", "k" or "v" in it, heads side by side; its "token" is
 *  what enters the first layer, its "pixels" those that the model reads. @param {Trace} trace @param {string} of
 *  @param {number} layer @returns {{ rows: Float32Array, size: number }} `n d` */
export function patchVectors(trace, of, layer) {
    const { prefix, tokens, heads, head_dim: dh, dim, patch_values, patches } = trace.config;
    if (of === "pixels") return { rows: trace.patches, size: patch_values };
    if (of === "token") return { rows: trace.streams[0].subarray(prefix * dim), size: dim };
    if (of === "state") return { rows: trace.streams[layer + 1].subarray(prefix * dim), size: dim };
    const its = trace.inside(layer)[`attn.${of}`];
    const rows = new Float32Array(patches * dim);
    for (let head = 0; head < heads; head++)
        for (let n = 0; n < patches; n++) {
            const from = (head * tokens + prefix + n) * dh;
            rows.set(its.subarray(from, from + dh), n * dim + head * dh);
        }
    return { rows, size: dim };
}

/** Vectors scaled to length 1; one of 0 stays. @param {{ rows: Float32Array, size: number }} vectors @returns {Units} */
export function units({ rows, size }) {
    const out = Float64Array.from(rows);
    for (let at = 0; at < out.length; at += size) {
        const length = Math.sqrt(dot(out, out, size, at, at)) || 1;
        for (let c = at; c < at + size; c++) out[c] /= length;
    }
    return { rows: out, size };
}

/** The cosine of one vector with each of several. @param {Units} several @param {Units} one @param {number} at its place */
export function cosinesWith({ rows, size }, one, at) {
    return Float32Array.from({ length: rows.length / size }, (_, n) => dot(rows, one.rows, size, n * size, at * size));
}

/** As near as 16 bits can say it. @param {number} value */
export function half(value) {
    const size = Math.abs(value);
    const step = 2 ** (Math.max(Math.floor(Math.log2(size || 1)), -14) - 10);
    const places = value / step;
    const whole = Math.round(places);
    return (Math.abs(places % 1) === 0.5 && whole % 2 ? whole - 1 : whole) * step;
}

/** The cosines of all patches with all, each pair once, in 16 bits, at every place on the way: `row (n (n + 1) / 2)`, and the
 *  largest error of each. @param {Trace} trace @param {string} of @returns {Arrays_} */
export function allPairs(trace, of) {
    const { patches: n, depth } = trace.config;
    const way = wayOf(of, depth);
    const many = (n * (n + 1)) / 2;
    const [pairs, error] = [new Float32Array(way.length * many), new Float32Array(way.length)];
    for (const [row, [each, layer]] of way.entries()) {
        const all = products(units(patchVectors(trace, each, layer)).rows, n);
        for (let i = 0, at = row * many; i < n; i++)
            for (let j = 0; j <= i; j++, at++) {
                pairs[at] = half(all[i * n + j]);
                error[row] = Math.max(error[row], Math.abs(pairs[at] - all[i * n + j]));
            }
    }
    return { pairs: array([way.length, many], pairs), error: array([way.length], error) };
}

/** Vectors `n d` in the `most` directions that hold most of them, `n k`: their products are nearly theirs.
 *  @param {Units} vectors @param {number} most @returns {Units} */
export function inFewDirections({ rows, size }, most) {
    const many = rows.length / size;
    const k = Math.min(most, many, size);
    const out = new Float64Array(many * k);
    if (many < size) {
        const { values, vectors } = eigen(products(rows, many), many);
        for (let at = 0; at < out.length; at++) {
            const from = many - 1 - (at % k);
            out[at] = vectors[from * many + Math.floor(at / k)] * Math.sqrt(Math.max(values[from], 0));
        }
        return { rows: out, size: k };
    }
    const across = new Float64Array(rows.length);
    for (let r = 0; r < many; r++) for (let c = 0; c < size; c++) across[c * many + r] = rows[r * size + c];
    const { vectors } = eigen(products(across, size), size);
    for (let at = 0; at < out.length; at++)
        out[at] = dot(rows, vectors, size, Math.floor(at / k) * size, (size - 1 - (at % k)) * size);
    return { rows: out, size: k };
}

/** Coordinates in one byte each, and by what they are to be multiplied. @param {Units} coordinates */
export function inBytes({ rows, size }) {
    const steps = new Float64Array(size);
    for (const [at, value] of rows.entries()) steps[at % size] = Math.max(steps[at % size], Math.abs(value));
    for (let c = 0; c < size; c++) steps[c] /= 127;
    const whole = Int8Array.from(rows, (value, at) => Math.round(value / (steps[at % size] || 1)));
    return { whole, steps: Float32Array.from(steps) };
}

/** What cosines from one picture's patches to those of others are made of, in `most` bytes at most: one set of directions.
 *  @param {number} most @param {{ rows: Float32Array, size: number }[]} vectors those here, then there @returns {Arrays_} */
export function across(most, [here, ...there]) {
    const { size } = here;
    const many = here.rows.length / size;
    const rows = new Float32Array((1 + there.length) * here.rows.length);
    for (const [at, it] of [here, ...there].entries()) rows.set(it.rows, at * here.rows.length);
    const unit = units({ rows, size });
    const all = rows.length / size;
    const { whole, steps } = inBytes(inFewDirections(unit, Math.max(FEWEST, Math.floor(most / all))));
    const k = steps.length;
    const read = Float32Array.from(whole, (value, at) => value * steps[at % k]);
    let error = 0;
    for (let i = 0; i < many; i++)
        for (let j = many; j < all; j++) {
            const lost = dot(unit.rows, unit.rows, size, i * size, j * size) - dot(read, read, k, i * k, j * k);
            error = Math.max(error, Math.abs(lost));
        }
    return {
        here: array([many, k], whole.slice(0, many * k)),
        there: array([there.length, many, k], whole.slice(many * k)),
        steps: array([k], steps),
        error: array([1], Float32Array.of(error)),
    };
}

/** In other pictures the patch whose vector has the largest cosine with that of a patch here.
 *  @param {number} patch @param {{ rows: Float32Array, size: number }[]} vectors those here, then there @returns {Arrays_} */
export function nearest(patch, [here, ...there]) {
    const one = units(here);
    const found = there.map((it) => cosinesWith(units(it), one, patch));
    const best = found.map((row) => row.indexOf(Math.max(...row)));
    return {
        patches: array([there.length], Int32Array.from(best)),
        cosines: array(
            [there.length],
            Float32Array.from(found, (row, at) => row[best[at]]),
        ),
    };
}

const CANDIDATES = 4; // patches among which one is guessed

/** The patches nearest to one after the first layer, after the last and by pixels, and others up to four: the one beside it,
 *  the farthest by pixels, and what is next nearest after the last layer. @param {Trace} trace @param {number} patch
 *  @returns {Arrays_} */
export function candidates(trace, patch) {
    const { depth, columns } = trace.config;
    const [first, last, pixels] = [
        ["state", 0],
        ["state", depth - 1],
        ["pixels", 0],
    ].map(([of, layer]) => {
        const unit = units(patchVectors(trace, String(of), Number(layer)));
        return cosinesWith(unit, unit, patch);
    });
    const from = (/** @type {Float32Array} */ row) => [...row.keys()].sort((a, b) => row[b] - row[a]);
    const beside = (patch + 1) % columns ? patch + 1 : patch - 1;
    const others = [from(first), from(last), from(pixels), from(pixels).reverse()];
    const best = others.flatMap((order) => order.filter((it) => it !== patch).slice(0, 1));
    const wanted = [
        ...best.slice(0, 3),
        ...(beside >= 0 && columns > 1 ? [beside] : []),
        ...best.slice(3),
        ...from(last),
    ];
    const found = [...new Set(wanted)].filter((it) => it !== patch).slice(0, CANDIDATES);
    found.sort((a, b) => a - b);
    return {
        patches: array([found.length], Int32Array.from(found)),
        cosines: array(
            [2, found.length],
            Float32Array.from([...found.map((it) => first[it]), ...found.map((it) => last[it])]),
        ),
    };
}

/** How long tokens are before the first layer and after each, before the last norm and after it: `row t`; and which patches are
 *  far longer than others after the middle or the last layer (Darcet et al. 2023). @param {Trace} trace */
export function lengths(trace) {
    const { dim, tokens, prefix, depth } = trace.config;
    const of = (/** @type {Float32Array[]} */ streams) =>
        Float32Array.from({ length: streams.length * tokens }, (_, at) => {
            const [stream, from] = [streams[Math.floor(at / tokens)], (at % tokens) * dim];
            return Math.sqrt(dot(stream, stream, dim, from, from));
        });
    const [before, after] = [of(trace.streams), of(trace.streams.map((it) => trace.normalised(it)))];
    const patchesAfter = (/** @type {number} */ row) => before.subarray(row * tokens + prefix, (row + 1) * tokens);
    const out = [(depth + 1) >> 1, depth].flatMap((row) => farOut(patchesAfter(row)));
    return { before, after, outliers: [...new Set(out)].sort((a, b) => a - b) };
}

/** @param {Float32Array} lengths @returns {number[]} which are over their median by so many deviations */
function farOut(lengths) {
    const median = quantile(lengths, 0.5);
    const deviation = quantile(
        lengths.map((it) => Math.abs(it - median)),
        0.5,
    );
    const limit = Math.max(median + FAR * deviation, TWICE * median);
    return [...lengths.keys()].filter((at) => lengths[at] > limit);
}
