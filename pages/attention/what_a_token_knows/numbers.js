// What a token knows: cosines of all patches, or what makes these, so that what is pointed at is compared at once.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { alone, array } from "#frontend/numbers/arrays.js";
import { pictureOf } from "#frontend/numbers/pixels.js";
import { componentsOfRow, whatPatchesHold } from "#frontend/numbers/shared_components.js";
import {
    across,
    allPairs,
    candidates,
    cosinesWith,
    half,
    lengths,
    nearest,
    patchVectors,
    units,
} from "#frontend/numbers/similarity.js";

const ACROSS_BYTES = 500_000; // of coordinates of one layer in all pictures
const ONCE = ["pixels", "token"]; // what a patch is before the first layer
const INSIDE = ["q", "k", "v"];

/** @type {Make_} */
export function* parcels(trace, { of, patch, moment, covered, ...address }) {
    const { told, config } = trace;
    const layer = ONCE.includes(of) ? 0 : address.layer;
    const row = ONCE.includes(of) ? 0 : address.layer + 1;
    const beside = Boolean(told.others.length);
    const all = async () => [trace, ...(await others(trace))];
    const kind = INSIDE.includes(of) ? of : "state";
    if (moment === "alike") {
        yield [`alike-${kind}`, () => allPairs(trace, kind)];
        yield [`alike-exact-${of}-${layer}-${patch}`, () => exact(trace, of, layer, patch)];
        if (covered === "yes" && config.patches > 2) yield [`guess-${patch}`, () => candidates(trace, patch)];
    }
    if (moment === "colours") yield ["colours-here", () => colours([trace])];
    if (beside && (moment === "elsewhere" || moment === "colours")) yield ["others", () => pictures(trace)];
    if (beside && moment === "elsewhere") {
        const vectors = async () => (await all()).map((it) => patchVectors(it, of, layer));
        yield [`others-${of}-${layer}`, async () => across(ACROSS_BYTES, await vectors())];
        yield [`nearest-exact-${of}-${layer}-${patch}`, async () => nearest(patch, await vectors())];
        yield [`alike-${kind}`, () => allPairs(trace, kind)];
    }
    if (moment === "colours") {
        yield ["colours", async () => colours(await all())];
        yield [`colours-exact-${row}`, async () => coordinates(await all(), row)];
    }
    if (moment === "length") {
        yield ["lengths", () => lengthsOf(trace)];
        if (told.meta.prefix.some(isRegister)) yield ["registers", () => registers(trace)];
        if (beside) yield ["held", async () => whatPatchesHold(await all(), lengths(trace).outliers)];
    }
}

/** The same model on the other pictures. @param {Trace} trace */
async function others({ told }) {
    const found = [];
    for (const link of told.others) found.push(await told.traceOf(link));
    return found;
}

/** @param {Trace} trace @param {string} of @param {number} layer @param {number} patch */
function exact(trace, of, layer, patch) {
    const unit = units(patchVectors(trace, of, layer));
    return alone("cosines", [trace.config.patches], cosinesWith(unit, unit, patch));
}

/** What the model sees of them. @param {Trace} trace */
async function pictures(trace) {
    const files = await Promise.all((await others(trace)).map((it) => pictureOf(it.patches, it.told)));
    return Object.fromEntries(files.map((file, at) => [`picture-${at}`, array([file.length], file)]));
}

/** Patches of several pictures on three components of all of them, in every row; whatever their size, two bytes hold them.
 *  @param {Trace[]} traces */
function colours(traces) {
    const { depth, patches } = traces[0].config;
    const rows = Array.from({ length: depth + 1 }, (_, row) => componentsOfRow(traces, row));
    const size = traces.length * patches * 3;
    const scaled = new Float32Array(rows.length * size);
    for (const [row, { coordinates, reach }] of rows.entries())
        for (const [at, value] of coordinates.entries())
            scaled[row * size + at] = half(Math.fround(Math.fround(value) / Math.fround(reach[at % 3] || 1)));
    return {
        scaled: array([rows.length, traces.length, patches, 3], scaled),
        share: array([rows.length, 3], Float32Array.from(rows.flatMap(({ share }) => share))),
        reach: array([rows.length, 3], Float32Array.from(rows.flatMap(({ reach }) => reach))),
    };
}

/** @param {Trace[]} traces @param {number} row */
function coordinates(traces, row) {
    const found = componentsOfRow(traces, row).coordinates;
    return alone("coordinates", [traces.length, traces[0].config.patches, 3], Float32Array.from(found));
}

/** @param {Trace} trace */
function lengthsOf(trace) {
    const { tokens, prefix } = trace.config;
    const { before, after, outliers } = lengths(trace);
    const shape = [trace.streams.length, tokens];
    const far = Int32Array.from(outliers, (patch) => prefix + patch);
    return { before: array(shape, before), after: array(shape, after), outliers: array([far.length], far) };
}

/** @param {string} name of a token */
const isRegister = (name) => name.startsWith("register");

/** What patches give to all registers together, mean over heads, layer by layer; and what they would get if every token got as
 *  much. @param {Trace} trace */
function registers(trace) {
    const { depth, heads, tokens: t, prefix } = trace.config;
    const its = trace.told.meta.prefix.flatMap((name, at) => (isRegister(name) ? [at] : []));
    const attention = Float32Array.from({ length: depth }, (_, layer) => {
        const weights = trace.weights(layer);
        let sum = 0;
        for (let row = 0; row < heads * t; row++)
            if (row % t >= prefix) for (const at of its) sum += weights[row * t + at];
        return sum / heads / (t - prefix);
    });
    return { attention: array([depth], attention), even: array([1], Float32Array.of(its.length / t)) };
}
