// Differences per patch: the second minus the first, on maps beside both, in words, and what their colours mean.

/** @import { Column } from "../state/column.js" */

import { Areas } from "../draw/areas.js";
import { element } from "../draw/elements.js";
import { fromTo } from "../draw/key.js";
import { onCanvas, outlineToken, tokenAt } from "../draw/surface.js";
import { small } from "../draw/text.js";
import { drawMap, largestSize } from "../draw/vectors.js";
import { write } from "../draw/words.js";
import { samePlace } from "./place.js";

const NAME = 20; // pixels for the name of a map
const GAP = 24;

/** The second minus the first. @param {ArrayLike<number>} second @param {ArrayLike<number>} first */
export const minus = (second, first) => Float64Array.from(first, (value, at) => second[at] - value);

/** What the colours mean, written on their scale. @param {HTMLElement} target @param {number} limit */
export function fillScale(target, limit) {
    target.textContent = `−${small(limit)} A has more · 0 · B has more +${small(limit)}, one scale`;
    target.style.setProperty("--colours", fromTo(-1));
}

/** Numbers of the patches of both columns: lengths, or, where they are `cosines` with the chosen patch, from −1 to 1; "≈ "
 *  before those that are nearly so. @typedef {{ own: ArrayLike<number>, there: ArrayLike<number>, cosines: boolean,
 *  signs?: [string, string] }} Both */

/** A map of the first column, one of the second at the same places, and one of what differs; a patch of all in words. */
export class Maps {
    /** @param {HTMLElement} root @param {Column} first @param {Column} second */
    constructor(root, first, second) {
        this.first = first;
        this.second = second;
        this.canvas = element("canvas", { class: "maps", role: "img" });
        this.scale = element("span", { class: "diverging" });
        this.words = element("p", { "aria-live": "polite" });
        this.root = element(
            "div",
            { class: "both" },
            this.canvas,
            element("div", { class: "words" }, this.words, this.scale),
        );
        this.areas = new Areas(this.canvas, first);
        root.append(this.root);
    }

    /** A sentence in the place of maps. @param {string} why */
    lack(why) {
        this.canvas.hidden = this.scale.hidden = true;
        this.words.textContent = why;
    }

    /** @param {Both} both @param {(token: number) => string} says what the numbers of a token are, before they are said */
    draw({ own, there, cosines, signs: [a, b] = ["", ""] }, says) {
        const { first, second, words } = this;
        if ([own, there].some((its) => Array.from(its).some(Number.isNaN)))
            return this.lack("Not all of these are numbers (NaN).");
        this.canvas.hidden = this.scale.hidden = false;
        const { meta, shown } = first;
        const prefix = meta.prefix.length;
        const over = Float64Array.from({ length: meta.patches }, (_, at) => {
            return there[samePlace(prefix + at, meta, second.meta) - second.meta.prefix.length];
        });
        const differs = minus(over, own);
        const limit = largestSize(differs) || 1;
        const end = cosines ? 1 : Math.max(largestSize(own), largestSize(over)) || 1;
        const range = cosines ? "−1 to 1" : `0 to ${small(end)}`;
        const patch = first.patchOf(shown);
        const size = (/** @type {number} */ it) => (cosines && it === patch ? -1 : Math.abs(differs[it])); // its own is 1
        const most = differs.reduce((best, _, it) => (size(it) > size(best) ? it : best), 0);
        const at = shown.key >= prefix ? shown.key - prefix : most;
        this.paint(
            [
                [`A, ${range}`, own, end],
                [`B, ${range}`, over, end],
                ["B − A", differs, limit],
            ],
            at,
            patch,
        );
        fillScale(this.scale, limit);
        const [one, two, three] = [own, over, differs].map((it) => small(it[at]));
        words.textContent = `${says(prefix + at)}: A\u00a0${a}${one}, B\u00a0${b}${two}, B − A\u00a0${a || b}${three}.`;
        this.canvas.ariaLabel = words.textContent;
    }

    /** @param {[string, ArrayLike<number>, number][]} maps each with its name and where its scale ends @param {number} at the
     *  patch that is put in words @param {number} patch the chosen one */
    paint(maps, at, patch) {
        const { first, areas } = this;
        const { meta, data } = first;
        const framed = /** @type {[number, string][]} */ ([
            [at, data.palette.key],
            [patch, data.palette.chosen],
        ]);
        areas.clear();
        onCanvas(this.canvas, (context, width, height) => {
            const side = Math.min(height - NAME, (width - 2 * GAP) / 3);
            for (const [place, [name, values, end]] of maps.entries()) {
                const x = place * (side + GAP);
                write(context, name, x, 14, { as: "cell", bold: place === 2 });
                drawMap(context, values, meta, end, x, NAME, side);
                for (const [which, colour] of framed)
                    outlineToken(context, meta, meta.prefix.length + which, [x, NAME, side, side], colour);
                const means = (/** @type {number} */ x, /** @type {number} */ y) => ({ key: tokenAt(meta, x, y) });
                areas.add({ x, y: NAME, width: side, height: side, at: means });
            }
        });
    }
}
