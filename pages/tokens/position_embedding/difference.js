// What differs between two models' positions: the similarity of the chosen place with all others, and the answers without.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { Changes } from "#frontend/columns/changes.js";
import { fillScale, minus } from "#frontend/columns/maps.js";
import { samePlace } from "#frontend/columns/place.js";
import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { onCanvas, outlineToken, tokenAt } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { drawMap, largestSize } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";

const NAME = 20; // pixels for the name of a map
const GAP = 24;

/** What its moments of training are told of. */
export const LEARNED = "similarity";

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const scale = element("span", { class: "diverging" });
    const words = element("p", { "aria-live": "polite" });
    const maps = element("div", { class: "both" }, canvas, element("div", { class: "words" }, words, scale));
    const answers = element("div", { class: "both" });
    const changes = new Changes(answers, first, second);
    const areas = new Areas(canvas, first);
    root.append(maps, answers);

    /** The similarity of a patch with all. @param {Column} board @param {Selection} shown */
    const mapOf = (board, shown) => {
        const { patches } = board.meta;
        const patch = board.patchOf(shown);
        const all = board.array("position-maps", "maps")?.data;
        return (
            all?.subarray(patch * patches, (patch + 1) * patches) ?? board.array(`position-map-${patch}`, "map")?.data
        );
    };

    /** @param {Column} board @param {Selection} shown */
    const answer = (board, { placed }) => {
        const data = board.array("positions-answers", String(placed))?.data;
        return data && new Map(Array.from(data, (value, at) => [at, value]));
    };

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const answering = a.moment === "answers";
            maps.hidden = answering;
            answers.hidden = !answering;
            if (answering) {
                const how = { learned: "positions as learned", off: "positions off", shuffled: "positions shuffled" };
                changes.fill(answer(first, a), answer(second, b), how[/** @type {"off"} */ (a.placed)], a.answer);
                return;
            }
            const { prefix } = first.meta;
            const patch = first.patchOf(a);
            const [own, there] = [mapOf(first, a), mapOf(second, b)];
            words.textContent = "The similarities of both are on their way.";
            if (!own || !there) return;
            const other = Float64Array.from(
                own,
                (_, at) => there[samePlace(prefix.length + at, first.meta, second.meta) - second.meta.prefix.length],
            );
            const differs = minus(other, own);
            const limit = largestSize(differs) || 1;
            const size = (/** @type {number} */ it) => (it === patch ? -1 : Math.abs(differs[it]));
            const most = differs.reduce((best, _, it) => (size(it) > size(best) ? it : best), 0);
            const at = a.key >= prefix.length ? a.key - prefix.length : most;
            areas.clear();
            onCanvas(canvas, (context, width, height) => {
                const side = Math.min(height - NAME, (width - 2 * GAP) / 3);
                const shown = /** @type {[string, ArrayLike<number>, number][]} */ ([
                    ["A, −1 to 1", own, 1],
                    ["B, −1 to 1", other, 1],
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
                    areas.add({
                        x,
                        y: NAME,
                        width: side,
                        height: side,
                        at: (across, down) => ({ key: tokenAt(first.meta, across, down) }),
                    });
                }
            });
            fillScale(scale, limit);
            const [one, two] = [patch, at].map((it) => tokenName(first.meta, prefix.length + it));
            words.textContent = `${one} with ${two}: A ${small(own[at])}, B ${small(other[at])}, B − A ${small(differs[at])}.`;
            canvas.ariaLabel = `Similarity of positions: ${words.textContent}`;
        },
    };
}
