// What differs between two models' positions: the similarity of the chosen place with all others, and the answers without.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { Changes } from "#frontend/columns/changes.js";
import { Maps } from "#frontend/columns/maps.js";
import { element } from "#frontend/draw/elements.js";
import { tokenName } from "#frontend/draw/text.js";

/** What its moments of training are told of. */
export const LEARNED = "similarity";

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const maps = new Maps(root, first, second);
    const answers = element("div", { class: "both" });
    const changes = new Changes(answers, first, second);
    root.append(answers);

    /** The similarity of a patch with all. @param {Column} column @param {Selection} shown */
    const mapOf = (column, shown) => {
        const { patches } = column.meta;
        const patch = column.patchOf(shown);
        const all = column.array("position-maps", "maps")?.data;
        return (
            all?.subarray(patch * patches, (patch + 1) * patches) ?? column.array(`position-map-${patch}`, "map")?.data
        );
    };

    /** @param {Column} column @param {Selection} shown */
    const answer = (column, { placed }) => {
        const data = column.array("positions-answers", String(placed))?.data;
        return data && new Map(Array.from(data, (value, at) => [at, value]));
    };

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const answering = a.moment === "answers";
            maps.root.hidden = answering;
            answers.hidden = !answering;
            if (answering) {
                const how = { learned: "positions as learned", off: "positions off", shuffled: "positions shuffled" };
                changes.fill(answer(first, a), answer(second, b), how[/** @type {"off"} */ (a.placed)], a.answer);
                return;
            }
            const [own, there] = [mapOf(first, a), mapOf(second, b)];
            if (!own || !there) return maps.lack("The similarities of both are on their way.");
            const chosen = tokenName(first.meta, first.meta.prefix.length + first.patchOf(a));
            const says = (/** @type {number} */ token) =>
                `Similarity of positions, ${chosen} with ${tokenName(first.meta, token)}`;
            maps.draw({ own, there, cosines: true }, says);
        },
    };
}
