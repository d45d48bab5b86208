// What is on the photo, in words and numbers.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { QueryMaps } from "./query_maps.js" */

import { strongest } from "#frontend/draw/attention.js";
import { blended } from "#frontend/draw/surface.js";
import { small, tokenName, tokenPlace, whole } from "#frontend/draw/text.js";
import { read } from "#frontend/edits/edits.js";
import { saysMean, saysOff } from "#frontend/edits/effects.js";

const FLAT = 2; // times uniform: up to here the shared scale shows a map in one shade
const VERBS = /** @type {Record<string, string>} */ ({
    row: "looks most at",
    column: "is looked at most by",
    rollout: "has gathered most from",
});

/** @param {Column} column @param {QueryMaps} maps @param {Selection} shown */
export function readout(column, maps, shown) {
    const { meta } = column;
    const row = maps.row(shown);
    const at = maps.at(shown.layer, row);
    const exact = maps.exact(shown, row);
    const start = `{query} ${tokenName(meta, shown.query)} · layer ${shown.layer + 1} · ${maps.name(row, shown)}`;
    if (!maps.held[at] && !exact) return `${start} · on its way.`;
    const values = exact ?? maps.maps[at];
    const sign = exact ? "" : "≈ ";
    const best = strongest(values);
    let words =
        `${start} ${VERBS[String(shown.shows)]} ${tokenName(meta, best)}: ${sign}${small(values[best])}, ` +
        `${small(values[best] * meta.tokens)} times uniform attention`;
    if (shown.key >= 0) {
        const weight = values[shown.key];
        const rank = 1 + values.reduce((sum, value) => sum + Number(value > weight), 0);
        words += ` · {key} ${tokenName(meta, shown.key)}: ${sign}${small(weight)}, rank ${rank} of ${whole(meta.tokens)}`;
    }
    const edits = read(shown.edits, meta);
    if (row < meta.heads) return words + saysOff(edits, meta, shown.layer, row);
    return shown.shows === "rollout" ? words : words + saysMean(edits, meta, shown.layer);
}

/** A weight of the matrix, whose it is and where both stand. @param {Column} column @param {QueryMaps} maps
 *  @param {Selection} shown */
export function pairInWords({ meta }, maps, shown) {
    const row = maps.row(shown);
    const exact = maps.exact(shown, row);
    const at = maps.at(shown.layer, row);
    const says =
        exact || maps.held[at] ? `${exact ? "" : "≈ "}${small((exact ?? maps.maps[at])[shown.key])}` : "on its way";
    const [query, key] = shown.shows === "column" ? [shown.key, shown.query] : [shown.query, shown.key];
    const [asks, answers] = [query, key].map((token) => {
        const place = tokenPlace(meta, token);
        return tokenName(meta, token) + (place && ` (${place})`);
    });
    return `query ${asks}, key ${answers}: ${says}`;
}

/** What to say of a map that the shared scale shows in one shade, or "". @param {Column} column @param {QueryMaps} maps
 *  @param {Selection} shown */
export function flat(column, maps, shown) {
    const at = maps.at(shown.layer, maps.row(shown));
    const times = maps.largest[at] * column.meta.tokens;
    if (shown.scale === "own" || !maps.held[at] || times > FLAT) return "";
    return `Near-uniform attention: the largest weight is ${small(times)} times uniform attention.`;
}

/** Where the scale of the maps ends, beside its colours. @param {HTMLElement} target @param {number[]} colours
 *  @param {Selection} shown @param {number} limit */
export function fillScale(target, colours, { drawn, scale }, limit) {
    const ends = scale === "own" ? "the largest of this map" : "8 times uniform attention";
    const stops = [0, 64, 128, 192, 255].map((at) => `rgb(${colours.slice(3 * at, 3 * at + 3).join(" ")})`);
    target.textContent = `${drawn === "light" ? "brightest from" : "0 to"} ${small(limit)}, ${ends}`;
    target.style.setProperty("--colours", drawn === "light" ? "none" : blended(stops));
}
