// What differs between two answers: what each part adds, one map patch by patch, or the curves of one map.

/** @import { Column } from "#frontend/state/column.js" */

import { fillScale, minus } from "#frontend/columns/maps.js";
import { samePlace } from "#frontend/columns/place.js";
import { element } from "#frontend/draw/elements.js";
import { DASH, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { divergingCss, onCanvas } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { drawMap, largestSize, nothingIn } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { askedOf, factsOf, mapOf, pointOf, randomOf, sumOf, titleOf, trialOf } from "./reasons.js";

const LEFT = 52; // pixels for numbers
const TOP = 24;
const UNDER = 0.36; // of the height for the difference
const GAP = 24;

/** Two curves, point by point, and the point that is chosen. @typedef {{ says: string, ticks: string[], a: number[], b: number[], at: number }} Curves */

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const words = element("p", { class: "words", "aria-live": "polite" });
    const scale = element("span", { class: "diverging" });
    root.append(canvas, element("div", { class: "words" }, words, scale));
    return {
        draw() {
            const maps = first.shown.moment === "maps";
            scale.hidden = !maps;
            words.textContent = "The numbers of both are on their way.";
            const drawn = maps ? mapsOf() : curves();
            onCanvas(canvas, (context, width, height) => drawn?.(context, width, height));
            canvas.ariaLabel = words.textContent;
        },
    };

    /** One map of both, and their difference. */
    function mapsOf() {
        const [a, b] = [first.shown, second.shown];
        const { prefix } = first.meta;
        const [own, there] = [mapOf(first, askedOf(first, a), a.map), mapOf(second, askedOf(second, b), b.map)];
        if (!own || !there) return null;
        const place = (/** @type {number} */ at) =>
            samePlace(prefix.length + at, first.meta, second.meta) - second.meta.prefix.length;
        const other = Float64Array.from(own, (_, at) => there[place(at)]);
        const nothing = [own, other]
            .map(nothingIn)
            .map((why, at) => why && `${"AB"[at]} is ${why}`)
            .filter(Boolean);
        scale.hidden = nothing.length > 0;
        if (nothing.length) {
            words.textContent = `${titleOf(first, a.map)}: ${nothing.join(", ")}, so there is nothing to compare.`;
            return null;
        }
        const differs = minus(other, own);
        const [both, limit] = [Math.max(largestSize(own), largestSize(other)) || 1, largestSize(differs) || 1];
        fillScale(scale, limit);
        words.textContent = `${titleOf(first, a.map)}: A and B on one scale, ±${small(both)}; largest difference ${small(limit)}.`;
        return (
            /** @type {CanvasRenderingContext2D} */ context,
            /** @type {number} */ width,
            /** @type {number} */ height,
        ) => {
            const side = Math.min(height - TOP, (width - 2 * GAP) / 3);
            const shown = /** @type {[string, ArrayLike<number>, number][]} */ ([
                ["A", own, both],
                ["B", other, both],
                ["B − A", differs, limit],
            ]);
            for (const [at, [name, values, end]] of shown.entries()) {
                write(context, name, at * (side + GAP), 15, { as: "cell", bold: at === 2 });
                drawMap(context, values, first.meta, end, at * (side + GAP), TOP, side);
            }
        };
    }

    /** Both curves on one axis, and their difference below. */
    function curves() {
        const found = first.shown.moment === "sum" ? parts() : first.shown.moment === "trial" ? trials() : randoms();
        if (!found) return null;
        const { says, ticks, a, b, at } = found;
        const none = ["A", "B"].filter((_, it) => ![a, b][it].some(Number.isFinite));
        if (none.length) {
            words.textContent = `${says}: ${none.join(" and ")} came to no number, so there is no difference to draw.`;
            return null;
        }
        const there = at < b.length ? `A ${small(a[at])}, B ${small(b[at])}, B − A ${small(b[at] - a[at])}` : "";
        words.textContent = `${says}, ${ticks[at]}: ${there || "B has no such part"}.`;
        return (
            /** @type {CanvasRenderingContext2D} */ context,
            /** @type {number} */ width,
            /** @type {number} */ height,
        ) => {
            const tall = height * (1 - UNDER) - TOP;
            write(context, `${says}: A dashed, B solid`, 0, 15, { as: "tick", width });
            const across = { low: -0.5, high: Math.max(a.length, b.length) - 0.5 };
            const known = [...a, ...b].filter(Number.isFinite);
            const [low, high] = [Math.min(0, ...known), Math.max(0, ...known) || 1];
            const box = { x: LEFT, y: TOP, width: width - LEFT - 8, height: tall };
            const plot = plotOn(context, box, across, { low, high, ticks: ticksAt([0, high, low], small) });
            plot.axes();
            plot.upright(at, { colour: first.data.palette.chosen, thick: 3 });
            plot.line(a.entries(), { dash: DASH, thick: 2.5 });
            plot.line(b.entries(), { thick: 2.5 });
            const differs = a.slice(0, b.length).map((value, it) => b[it] - value);
            const limit = largestSize(differs.filter(Number.isFinite)) || 1;
            const under = { ...box, y: TOP + tall + 4, height: height - TOP - tall - 8 };
            const down = { low: -limit, high: limit, ticks: ticksAt([0], () => `±${small(limit)}`) };
            const bars = plotOn(context, under, across, down);
            for (const [it, value] of differs.entries())
                bars.bar(it - 0.4, it + 0.4, value, divergingCss(value, limit));
            bars.level(0);
            bars.names();
        };
    }

    /** What each part of the sum adds: layers with their heads and MLP. @returns {Curves | null} */
    function parts() {
        const [a, b] = [sumOf(first, first.shown), sumOf(second, second.shown)];
        if (!a || !b) return null;
        const of = (/** @type {typeof a} */ sum) => sum.attention.map((value, layer) => value + sum.mlps[layer]);
        const ticks = a.attention.map((_, layer) => `layer ${layer + 1}`);
        return {
            says: `what each layer adds to ${a.says} (A) and ${b.says} (B)`,
            ticks,
            a: of(a),
            b: of(b),
            at: first.shown.layer,
        };
    }

    /** @returns {Curves | null} */
    function trials() {
        const [a, b] = [first, second].map((column) => trialOf(column, column.shown, column.shown.map));
        const { counts } = factsOf(first);
        if (!a || !b) return null;
        const { sees } = first.shown;
        const ticks = counts.map((many) => `${many} patches`);
        const says = `${titleOf(first, first.shown.map)}, ${sees === "kept" ? "patches appear" : "patches vanish"}`;
        const [own, other] = [a, b].map((it) => Array.from(it[sees].data));
        return { says, ticks, a: own, b: other, at: pointOf(counts, first.shown) };
    }

    /** @returns {Curves | null} */
    function randoms() {
        const { map } = first.shown;
        const [a, b] = [randomOf(first, first.shown), randomOf(second, second.shown)];
        if (!a?.names.includes(map) || !b?.names.includes(map)) return null;
        const ticks = Array.from({ length: a.steps }, (_, it) => a.part(it));
        const says = `${titleOf(first, map)}, alike with that of the model as it is`;
        return { says, ticks, a: Array.from(a.alike(map)), b: Array.from(b.alike(map)), at: a.at };
    }
}
