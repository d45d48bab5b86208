// What differs between two models or pictures: which patches are alike, and how long tokens are.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Place } from "#frontend/state/patches.js" */

import { fillScale, minus } from "#frontend/columns/maps.js";
import { samePlace } from "#frontend/columns/place.js";
import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { onCanvas, outlineToken, tokenAt } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { drawMap, largestSize } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { Cosines, nameOf, placeOf, placeOfRow, rowOf } from "#frontend/state/patches.js";

const NAME = 20; // pixels for the name of a map
const GAP = 24;
const NOT = /** @type {Record<string, string>} */ ({
    elsewhere: "Each column looks for its own patch in other pictures.",
    colours: "Each model has principal components of its own: a colour of one means nothing in the other.",
});

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const scale = element("span", { class: "diverging" });
    const words = element("p", { "aria-live": "polite" });
    root.append(element("div", { class: "both" }, canvas, element("div", { class: "words" }, words, scale)));
    const areas = new Areas(canvas, first);
    const [cosines, others] = [new Cosines(first), new Cosines(second)];

    /** Numbers of the patches of a column. @param {Column} board @param {Cosines} its @param {Selection} shown */
    const valuesOf = (board, its, shown) => {
        if (shown.moment === "alike") {
            const patch = board.patchOf(shown);
            const exact = its.exactly(placeOf(shown), patch);
            const alike = exact ?? its.nearly(placeOf(shown), patch);
            return alike && { values: alike.values, sign: exact ? "" : "≈ " };
        }
        const { tokens, prefix } = board.meta;
        const row = rowOf(shown);
        const all = board.array("lengths", "before")?.data;
        return all && { values: all.subarray(row * tokens + prefix.length, (row + 1) * tokens), sign: "" };
    };

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const { prefix, patches } = first.meta;
            const not = NOT[a.moment];
            const [own, there] = [valuesOf(first, cosines, a), valuesOf(second, others, b)];
            const known = own && there && ![...own.values, ...there.values].some(Number.isNaN);
            canvas.hidden = scale.hidden = Boolean(not) || !known;
            words.textContent =
                not ?? (own && there ? "Not all of these are numbers (NaN)." : "The numbers of both are on their way.");
            if (not || !known) return;
            const over = Float64Array.from({ length: patches }, (_, at) => {
                const token = samePlace(prefix.length + at, first.meta, second.meta);
                return there.values[token - second.meta.prefix.length];
            });
            const differs = minus(over, own.values);
            const limit = largestSize(differs) || 1;
            const end = a.moment === "alike" ? 1 : Math.max(largestSize(own.values), largestSize(over)) || 1;
            const patch = first.patchOf(a);
            const size = (/** @type {number} */ it) =>
                a.moment === "alike" && it === patch ? -1 : Math.abs(differs[it]);
            const most = differs.reduce((best, _, it) => (size(it) > size(best) ? it : best), 0);
            const at = a.key >= prefix.length ? a.key - prefix.length : most;
            areas.clear();
            onCanvas(canvas, (context, width, height) => {
                const side = Math.min(height - NAME, (width - 2 * GAP) / 3);
                const low = a.moment === "alike" ? "−1" : "0";
                const shown = /** @type {[string, ArrayLike<number>, number][]} */ ([
                    [`A, ${low} to ${small(end)}`, own.values, end],
                    [`B, ${low} to ${small(end)}`, over, end],
                    ["B − A", differs, limit],
                ]);
                for (const [place, [name, values, end]] of shown.entries()) {
                    const x = place * (side + GAP);
                    write(context, name, x, 14, { as: "cell", bold: place === 2 });
                    drawMap(context, values, first.meta, end, x, NAME, side);
                    for (const [which, colour] of /** @type {[number, string][]} */ ([
                        [at, first.data.palette.key],
                        [patch, first.data.palette.chosen],
                    ]))
                        outlineToken(context, first.meta, prefix.length + which, [x, NAME, side, side], colour);
                    const means = (/** @type {number} */ x, /** @type {number} */ y) => ({
                        key: tokenAt(first.meta, x, y),
                    });
                    areas.add({ x, y: NAME, width: side, height: side, at: means });
                }
            });
            fillScale(scale, limit);
            const numbers = [own.values[at], over[at], differs[at]].map(small);
            const signs = [own.sign, there.sign, own.sign || there.sign];
            const [one, two, three] = numbers.map((it, which) => signs[which] + it);
            const what = a.moment === "alike" ? "cosine with the chosen patch" : "length before the last norm";
            words.textContent =
                `${tokenName(first.meta, prefix.length + at)}, ${what}, A ${placeName(a)}, B ${placeName(b)}: ` +
                `A ${one}, B ${two}, B − A ${three}.`;
            canvas.ariaLabel = words.textContent;
        },
    };
}

/** Where a column is looked at. @param {Selection} shown */
function placeName(shown) {
    /** @type {Place} */
    const place = shown.moment === "alike" ? placeOf(shown) : placeOfRow(rowOf(shown));
    return nameOf(place);
}
