// What differs between two models or pictures: which patches are alike, and how long tokens are.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { Maps } from "#frontend/columns/maps.js";
import { tokenName } from "#frontend/draw/text.js";
import { Cosines, nameOf, placeOf, placeOfRow, rowOf, signOf } from "./patches.js";

const NOT = /** @type {Record<string, string>} */ ({
    elsewhere: "Each column looks for its own patch in other pictures.",
    colours: "Each model has principal components of its own: a colour of one means nothing in the other.",
});

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const maps = new Maps(root, first, second);
    const [cosines, others] = [new Cosines(first), new Cosines(second)];

    /** Numbers of the patches of a column, with the sign of those that are nearly so. @param {Column} column
     *  @param {Cosines} its @returns {[ArrayLike<number>, string] | null} */
    const valuesOf = (column, its) => {
        const { shown, meta } = column;
        if (shown.moment === "alike") {
            const patch = column.patchOf(shown);
            const alike = its.exactly(placeOf(shown), patch) ?? its.nearly(placeOf(shown), patch);
            return alike && [alike.values, signOf(alike)];
        }
        const { tokens, prefix } = meta;
        const row = rowOf(shown);
        const all = column.array("lengths", "before")?.data;
        return all ? [all.subarray(row * tokens + prefix.length, (row + 1) * tokens), ""] : null;
    };

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            if (a.moment in NOT) return maps.lack(NOT[a.moment]);
            if (a.moment === "alike" && a.covered === "yes") return maps.lack("Guess first.");
            const [here, over] = [valuesOf(first, cosines), valuesOf(second, others)];
            if (!here || !over) return maps.lack("The numbers of both are on their way.");
            const [[own, one], [there, two]] = [here, over];
            const alike = a.moment === "alike";
            const what = alike ? "cosine with the chosen patch" : "length before the last norm";
            maps.draw(
                { own, there, cosines: alike, signs: [one, two] },
                (token) => `${tokenName(first.meta, token)}, ${what}, A ${placeName(a)}, B ${placeName(b)}`,
            );
        },
    };
}

/** Where a column is looked at. @param {Selection} shown */
const placeName = (shown) => nameOf(shown.moment === "alike" ? placeOf(shown) : placeOfRow(rowOf(shown)));
