// What differs between two models' attention maps: the second's minus the first's, per patch, on one scale.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Map_, Shows } from "#frontend/state/maps.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { fillScale, minus } from "#frontend/columns/maps.js";
import { spread } from "#frontend/columns/place.js";
import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { onCanvas, outline, tokenAt } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { drawMap, largestSize } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { exactWeights, weights } from "#frontend/state/maps.js";
import { NONE } from "#frontend/state/start.js";

const NAME = 20; // pixels for the name of a map
const GAP = 10;

/** What its moments of training are told of. */
export const LEARNED = "wall";

/** Two maps on the patches of the first model, and their difference; `exact` where no weight is of one byte.
 *  @typedef {{ own: ArrayLike<number>, other: ArrayLike<number>, differs: Float64Array, exact: boolean }} Pair */
/** A pair by its name, and what a click on it chooses; null as long as a map is on its way.
 *  @typedef {{ name: string, means: Partial<Selection>, pair: Pair | null }} Tile */

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const scale = element("span", { class: "diverging" });
    const words = element("p", { "aria-live": "polite" });
    root.append(canvas, element("div", { class: "words" }, words, scale));
    const areas = new Areas(canvas, first);

    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const { heads } = first.meta;
            const watched = a.moment === "wall" && a.learned !== NONE && b.learned !== NONE;
            const tiles = watched ? scenesThen(first, second, a, b) : headsOf(first, second, a, b);
            const whole = a.mean === "1" || a.shows === "rollout";
            const chosen = watched ? 0 : whole ? heads : Math.min(a.head, heads - 1);
            const limit = Math.max(...tiles.map(({ pair }) => (pair ? largestSize(pair.differs) : 0))) || 1;
            areas.clear();
            onCanvas(canvas, (context, width, height) => {
                const size = Math.min(height - NAME, (width + GAP) / tiles.length - GAP);
                for (const [at, { name, means, pair }] of tiles.entries()) {
                    const x = at * (size + GAP);
                    write(context, name, x, 14, { as: "cell", bold: at === chosen, width: size });
                    if (!pair) continue;
                    drawMap(context, pair.differs, first.meta, limit, x, NAME, size);
                    if (at === chosen) outline(context, x + 1, NAME + 1, size - 2, size - 2, first.data.palette.chosen);
                    const box = { x, y: NAME, width: size, height: size };
                    const at_ = (/** @type {number} */ x, /** @type {number} */ y) => ({
                        key: tokenAt(first.meta, x, y),
                    });
                    areas.add({ ...box, at: at_, click: () => first.choose(means) });
                }
            });
            const { name, pair } = tiles[chosen];
            fillScale(scale, limit);
            words.textContent = pair
                ? `${watched ? `${name}, ` : ""}${said(first, pair, a)}`
                : "The maps of both are on their way.";
            canvas.ariaLabel = `B minus A on every patch: ${words.textContent}`;
        },
    };
}

/** The maps of the query in every head of the layer, and of all heads. @param {Column} first @param {Column} second
 *  @param {Selection} a @param {Selection} b @returns {Tile[]} */
function headsOf(first, second, a, b) {
    const { heads } = first.meta;
    return Array.from({ length: heads + 1 }, (_, row) => {
        const one = row < heads;
        const name = one ? `head ${row + 1}` : a.shows === "rollout" ? "rollout" : "mean";
        const [own, there] = [mapOf(first, a, row, one), mapOf(second, b, row, one)];
        const means = /** @type {Partial<Selection>} */ (one ? { head: row, mean: "0" } : { mean: "1" });
        if (!own || !there) return { name, means, pair: null };
        const other = spread(there.values, second.meta, first.meta);
        const exact = own.exact && there.exact;
        return { name, means, pair: { own: own.values, other, differs: minus(other, own.values), exact } };
    });
}

/** What a query looks at on the patches, exactly where that is here. @param {Column} column @param {Selection} shown
 *  @param {number} row @param {boolean} one whether one head is asked for, or all */
function mapOf(column, { layer, query, shows }, row, one) {
    const { tokens, prefix, heads } = column.meta;
    const head = one ? Math.min(row, heads - 1) : heads;
    /** @type {Map_} */
    const what = { layer, head, query, shows: /** @type {Shows} */ (shows) };
    const exact = exactWeights(column, what);
    const values = exact ?? new Float32Array(tokens);
    if (!exact && !weights(column, what, values)) return null;
    return { values: values.subarray(prefix.length), exact: Boolean(exact) };
}

/** What the class token looked at on the scenes that were watched at two moments of training, mean of the heads.
 *  @param {Column} first @param {Column} second @param {Selection} a @param {Selection} b @returns {Tile[]} */
function scenesThen(first, second, a, b) {
    const titles = /** @type {string[]} */ (first.data.facts.watched ?? []);
    return titles.map((name, scene) => {
        const [own, other] = [mapThen(first, a, scene), mapThen(second, b, scene)];
        const pair = own && other ? { own, other, differs: minus(other, own), exact: true } : null;
        return { name, means: {}, pair };
    });
}

/** @param {Column} column @param {Selection} shown @param {number} scene */
function mapThen(column, { learned, layer }, scene) {
    const maps = column.array("learning", "maps");
    const moments = /** @type {{ step: number }[]} */ (column.data.facts.learning ?? []);
    const at = moments.findIndex(({ step }) => step === learned);
    if (!maps || at < 0) return null;
    const [, many, layers, patches] = maps.shape;
    const start = ((at * many + scene) * layers + layer) * patches;
    return maps.data.subarray(start, start + patches);
}

/** Both numbers and their difference at the chosen key, or where they differ most. @param {Column} column @param {Pair} pair
 *  @param {Selection} shown */
function said({ meta }, { own, other, differs, exact }, { key }) {
    const most = differs.reduce((best, value, at) => (Math.abs(value) > Math.abs(differs[best]) ? at : best), 0);
    const at = key >= meta.prefix.length ? key - meta.prefix.length : most;
    const moved = differs.reduce((sum, value) => sum + Math.abs(value), 0) / 2;
    const number = (/** @type {number} */ value) => `${exact ? "" : "≈ "}${small(value)}`;
    const name = tokenName(meta, meta.prefix.length + at);
    return (
        `${name}: A ${number(own[at])}, B ${number(other[at])}, B − A ${number(differs[at])}. ` +
        `Half the sum of all sizes: ${number(moved)}.`
    );
}
