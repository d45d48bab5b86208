// What differs between two answers after a layer: the change of the probability of each class.

/** @import { Shares } from "#frontend/columns/changes.js" */
/** @import { Column } from "#frontend/state/column.js" */

import { Changes } from "#frontend/columns/changes.js";
import { lensNow, place } from "#frontend/state/lens.js";

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const changes = new Changes(root, first, second);
    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const found = /** @type {const} */ ([first, second]).map((column, at) =>
                answerOf(column, at ? b.after : a.after),
            );
            changes.fill(found[0], found[1], `A ${place(a.after)}, B ${place(b.after)}`, a.answer);
        },
    };
}

/** What the head would say there, as far as it was sent. @param {Column} column @param {number} after @returns {Shares | null} */
function answerOf(column, after) {
    const lens = lensNow(column);
    if (!lens) return null;
    return new Map(Array.from(lens.probabilities(after), (value, at) => [lens.number(at), value]));
}
