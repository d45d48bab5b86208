// One token in the residual stream: as it enters, what is added, as it leaves; and around a layer norm.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { small } from "#frontend/draw/text.js";
import { drawStrips, frameComponent, largestSize } from "#frontend/draw/vectors.js";

/** What a moment is drawn with. `share` runs from 0 to 1 while a movement lasts.
 *  @typedef {{ context: CanvasRenderingContext2D, width: number, height: number, share: number,
 *    column: Column, areas: Areas, shown: Selection }} Moment */

const STREAM = [
    ["stream", "x: the token as it enters"],
    ["attention", "+ attention adds"],
    ["middle", "= in the middle"],
    ["mlp", "+ the MLP adds"],
    ["leaving", "= as it leaves"],
];
const NORMS = [
    ["stream", "normed1", "before attention"],
    ["middle", "normed2", "before the MLP"],
];
const POST_NORMS = [
    ["sum1", "middle", "with attention's result"],
    ["sum2", "leaving", "with the MLP's result"],
];

/** What is read and made by the norms of this model, and where. @param {Column} column */
const normsOf = (column) => (column.data.facts.post ? POST_NORMS : NORMS);

/** Mean, variance and length. @param {ArrayLike<number>} values */
function figures(values) {
    let [sum, squares] = [0, 0];
    for (let at = 0; at < values.length; at++) [sum, squares] = [sum + values[at], squares + values[at] ** 2];
    const mean = sum / values.length;
    let apart = 0;
    for (let at = 0; at < values.length; at++) apart += (values[at] - mean) ** 2;
    return { mean, variance: apart / values.length, length: Math.sqrt(squares) };
}

/** One token of a `t d` array of the layer, where it is here. @param {Column} column @param {Selection} shown
 *  @param {string} name */
export function rowOf(column, { layer, query }, name) {
    const { dim } = column.meta;
    const all = /** @type {Float32Array | undefined} */ (column.array(`block-${layer}`, name)?.data);
    return all?.subarray(query * dim, (query + 1) * dim);
}

/** What the component that is looked at is in the vectors of this moment. @param {Column} column @param {Selection} shown */
export function inWords(column, shown) {
    const at = shown.component;
    const value = (/** @type {string} */ name) => rowOf(column, shown, name)?.[at] ?? Number.NaN;
    if (Number.isNaN(value("stream"))) return "";
    const signed = (/** @type {number} */ it) => (it < 0 ? `− ${small(-it)}` : `+ ${small(it)}`);
    if (shown.moment === "stream" && column.data.facts.post)
        return ` · component ${at + 1}: ${small(value("sum1"))} → ${small(value("middle"))}, ${small(value("sum2"))} → ${small(value("leaving"))}`;
    if (shown.moment === "stream")
        return ` · component ${at + 1}: ${small(value("stream"))} ${signed(value("attention"))} ${signed(value("mlp"))} = ${small(value("leaving"))}`;
    if (shown.moment !== "norm") return "";
    const pairs = normsOf(column).map(([from, to]) => `${small(value(from))} → ${small(value(to))}`);
    return ` · component ${at + 1}: ${pairs.join(", ")}`;
}

/** The strips as they are pointed at. @param {Moment} moment @param {ReturnType<typeof drawStrips>} boxes */
const pointed = ({ context, column, areas, shown }, boxes) =>
    frameComponent(
        context,
        areas,
        boxes,
        column.meta.dim,
        shown.component,
        column.data.palette.chosen,
        (component) => ({
            component,
        }),
    );

/** @param {Moment} moment */
export function drawStream(moment) {
    const { context, width, height, share, column, shown } = moment;
    const values = STREAM.map(([name]) => rowOf(column, shown, name));
    if (values.some((it) => !it)) return false;
    const strips = values.map((it, at) => {
        const vector = /** @type {Float32Array} */ (it);
        const grown = at % 2 ? Float64Array.from(vector, (value) => value * share) : vector;
        const made = at === 2 || at === 4 ? (column.data.facts.post ? ", normalised" : "") : "";
        const { length } = figures(vector);
        const says = length || at % 2 === 0 ? `length ${small(length)}` : "off: adds nothing";
        return { name: `${STREAM[at][1]}${made} · ${says}`, values: grown };
    });
    const limit = Math.max(...values.map((it) => largestSize(/** @type {Float32Array} */ (it))));
    pointed(moment, drawStrips(context, strips, { width, height, limit }));
    return true;
}

/** @param {Moment} moment */
export function drawNorms(moment) {
    const { context, width, height, column, shown } = moment;
    for (const [place, [from, to, where]] of normsOf(column).entries()) {
        const [before, after] = [rowOf(column, shown, from), rowOf(column, shown, to)];
        if (!before || !after) return false;
        const [a, b] = [figures(before), figures(after)];
        const narrow = width < 560;
        const [says, then] = narrow
            ? [where, "after the norm"]
            : [`the token ${where}`, `after ${column.data.facts.norm}, scaled and shifted`];
        const strips = [
            { name: `${says}: mean ${small(a.mean)}, variance ${small(a.variance)}`, values: before },
            { name: `${then}: mean ${small(b.mean)}, variance ${small(b.variance)}`, values: after },
        ];
        pointed(moment, drawStrips(context, strips, { y: (place * height) / 2, width, height: height / 2 - 6 }));
    }
    return true;
}
