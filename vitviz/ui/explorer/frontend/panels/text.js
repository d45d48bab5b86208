// What is on screen, in words and numbers.

/** @import { Maps } from "../state/maps.js" */
/** @import { AttentionMap } from "./paint.js" */
/** @import { Meta, Place, Scale, Selection, Shows } from "../types.js" */

import { TIMES_UNIFORM } from "../state/maps.js";

/** What the query does. @type {Record<Shows, string>} */
export const VERBS = { row: "looks at", column: "is looked at by", rollout: "draws on" };

const FLAT = 2; // times uniform: up to here the shared scale shows a map in one colour

/** What a row of the wall is called.
 *  @param {Meta} meta @param {number} row @param {Selection} selection */
export function rowName({ heads }, row, { shows }) {
    if (row < heads) return `head ${row + 1}`;
    return shows === "rollout" ? "rollout" : "head mean";
}

/** Which map the readout is about.
 *  @param {Maps} maps @param {Place} place @param {Selection} selection */
export function sentence(maps, { layer, row }, selection) {
    const { query, shows } = selection;
    return `Layer ${layer + 1} · ${rowName(maps.meta, row, selection)} · ${maps.name(query)} ${VERBS[shows]} …`;
}

/** Weight, rank and share of uniform of one token, or of the one with the largest weight.
 *  @param {Maps} maps @param {Place} place @param {Selection} selection @param {AttentionMap} map
 *  @param {number | undefined} key */
export function value(maps, { layer, row }, { query, shows }, map, key) {
    if (!map.held) return "";
    const { tokens } = maps.meta;
    const exact = maps.exactly(layer, row, query, shows);
    const weights = exact ?? map.weights;
    const token = key ?? weights.indexOf(max(weights));
    const weight = weights[token];
    const rank = 1 + weights.reduce((above, other) => above + Number(other > weight), 0);
    const said = `${key === undefined ? "most: " : ""}${maps.name(token)}, weight ${exact ? "" : "≈ "}${small(weight)}`;
    return `${said} · rank ${whole(rank)} of ${whole(tokens)} · ${small(weight * tokens)} × the uniform ${small(1 / tokens)}`;
}

/** What the colours mean.
 *  @param {Scale} scale @param {number} shared @param {number} top */
export function scaleText(scale, shared, top) {
    if (scale === "own") return `0 to ≈ ${small(top)}, ${small(shared / top)} × as bright as shared`;
    return `0 to ${small(shared)}${shared < 1 ? ` and above: ${TIMES_UNIFORM} × uniform` : ""}`;
}

/** Why a map looks flat on the shared scale; "" where it does not.
 *  @param {AttentionMap} map @param {Scale} scale */
export function flatness({ held, weights, largest, maps }, scale) {
    const times = (/** @type {number} */ weight) => weight * maps.meta.tokens;
    if (!held || scale !== "shared" || maps.shared === 1 || times(largest) > FLAT) return "";
    const most = times(max(weights));
    if (most <= FLAT) return `Near-uniform attention: the largest weight is ${small(most)} × uniform.`;
    return `Little attention on the patches: the largest weight there is ${small(times(largest))} × uniform.`;
}

const max = (/** @type {Float32Array} */ weights) => weights.reduce((a, b) => Math.max(a, b));

/** Why there is nothing to see yet.
 *  @param {Meta} meta @param {number} layer */
export function awaited({ sendable }, layer) {
    if (!sendable) return "Too large to send whole: a query's maps come when the hand rests.";
    return `Layer ${layer + 1} is on its way.`;
}

/** A number as Python's vitviz.numbers.small writes it: 0.013, 12.3, 1.3·10⁻⁵. @param {number} number */
export function small(number) {
    if (number === 0) return "0";
    const exponent = Number(number.toExponential(2).split("e")[1]);
    if (exponent < -4) {
        const [mantissa, power] = number.toExponential(1).split("e");
        return `${mantissa}·10${[...power.replace("-", "⁻")].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c).join("")}`;
    }
    const decimals = exponent < 0 ? Math.max(3, 1 - exponent) : Math.max(0, 2 - exponent);
    return number.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A whole number with all its digits: 1,370. @param {number} number */
export const whole = (number) => number.toLocaleString("en-GB");
