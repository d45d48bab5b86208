// What differs between two models' attention maps: the second's minus the first's, per patch, on one scale.

/** @import { Board } from "../../state/board.js" */
/** @import { Map_, Shows } from "../../state/maps.js" */
/** @import { Selection } from "../../types.js" */
/** @import { Second } from "../second.js" */

import { Areas } from "../../draw/areas.js";
import { element } from "../../draw/elements.js";
import { font, onCanvas, outline } from "../../draw/surface.js";
import { small, tokenName } from "../../draw/text.js";
import { exactWeights, weights } from "../../state/maps.js";
import { spread } from "../place.js";
import { drawMap, fillScale, largest, minus } from "./maps.js";

const NAME = 20; // pixels for the name of a map
const GAP = 10;

/** @param {HTMLElement} root @param {Board} first @param {Second} second */
export function headsDifference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const scale = element("span", { class: "diverging" });
    const words = element("p", { "aria-live": "polite" });
    root.append(canvas, element("div", { class: "words" }, words, scale));
    const areas = new Areas(canvas, first);

    /** Weights of one query on the patches, exact where they are here. @param {Board} board @param {Map_} what */
    const patches = (board, what) => {
        const { tokens, prefix } = board.meta;
        const exact = exactWeights(board, what);
        const row = exact ?? new Float32Array(tokens);
        const held = exact || weights(board, what, /** @type {Float32Array} */ (row));
        return held ? { values: row.subarray(prefix.length), exact: Boolean(exact) } : null;
    };

    /** @param {Board} board @param {Selection} shown @param {number} row a head of the first column, or their number */
    const mapOf = (board, shown, row) => {
        const { heads } = board.meta;
        const head = row >= first.meta.heads ? heads : Math.min(row, heads - 1);
        return patches(board, {
            layer: shown.layer,
            head,
            query: shown.query,
            shows: /** @type {Shows} */ (shown.shows),
        });
    };

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const { heads, rows, columns, prefix } = first.meta;
            const chosen = a.mean === "1" || a.shows === "rollout" ? heads : Math.min(a.head, heads - 1);
            const found = Array.from({ length: heads + 1 }, (_, row) => {
                const [own, other] = [mapOf(first, a, row), mapOf(second, b, row)];
                if (!own || !other) return null;
                const values = spread(other.values, second.meta, first.meta);
                return {
                    own: own.values,
                    other: values,
                    differs: minus(values, own.values),
                    exact: own.exact && other.exact,
                };
            });
            const limit = Math.max(...found.map((it) => (it ? largest(it.differs) : 0))) || 1;
            areas.clear();
            onCanvas(canvas, (context, width, height) => {
                const size = Math.min(height - NAME, (width - heads * GAP) / (heads + 1));
                const colour = getComputedStyle(canvas).color;
                for (const [row, it] of found.entries()) {
                    const x = row * (size + GAP);
                    context.fillStyle = colour;
                    context.textAlign = "left";
                    font(context, 14, row === chosen ? 700 : 400);
                    const name = row < heads ? `head ${row + 1}` : a.shows === "rollout" ? "rollout" : "mean";
                    context.fillText(name, x, 14, size);
                    if (!it) continue;
                    drawMap(context, it.differs, first.meta, limit, x, NAME, size);
                    if (row === chosen)
                        outline(context, x + 1, NAME + 1, size - 2, size - 2, first.data.palette.chosen);
                    areas.add({
                        x,
                        y: NAME,
                        width: size,
                        height: size,
                        at: (across, down) => ({
                            key: prefix.length + Math.floor(down * rows) * columns + Math.floor(across * columns),
                        }),
                        click: () => first.choose(row < heads ? { head: row, mean: "0" } : { mean: "1" }),
                    });
                }
            });
            const it = found[chosen];
            fillScale(scale, limit);
            words.textContent = it ? said(it, a) : "The maps of both are on their way.";
            canvas.setAttribute("aria-label", `B minus A on every patch: ${words.textContent}`);
        },
    };

    /** @param {{ own: ArrayLike<number>, other: ArrayLike<number>, differs: Float64Array, exact: boolean }} it
     *  @param {Selection} shown */
    function said({ own, other, differs, exact }, { key }) {
        const { prefix } = first.meta;
        let at = key - prefix.length;
        if (at < 0)
            at = differs.reduce((best, value, patch) => (Math.abs(value) > Math.abs(differs[best]) ? patch : best), 0);
        const moved = differs.reduce((sum, value) => sum + Math.abs(value), 0) / 2;
        const sign = exact ? "" : "≈ ";
        const name = tokenName(first.meta, prefix.length + at);
        return (
            `${name}: A ${sign}${small(own[at])}, B ${sign}${small(other[at])}, B − A ${sign}${small(differs[at])}. ` +
            `Half the sum of all sizes: ${sign}${small(moved)}.`
        );
    }
}
