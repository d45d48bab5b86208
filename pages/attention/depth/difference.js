// What differs between two depths: how far heads look and how evenly, both curves on one axis, and their difference below.

/** @import { Column } from "#frontend/state/column.js" */

import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { DASH, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { divergingCss, frame, onCanvas } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { largestSize } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { now } from "#frontend/state/edited.js";

const LEFT = 52; // pixels for numbers
const UNDER = 0.36; // of the height for the difference

/** A curve: a value for each layer. @typedef {{ says: string, unit: string, a: number[], b: number[] }} Curves */

/** @param {HTMLElement} root @param {Column} first @param {Column} second */
export function difference(root, first, second) {
    const canvas = element("canvas", { class: "maps", role: "img" });
    const words = element("p", { class: "words", "aria-live": "polite" });
    root.append(canvas, words);
    const areas = new Areas(canvas, first);
    return {
        draw() {
            const [a, b] = [first.shown, second.shown];
            const found = [distances(first, second), entropies(first, second)];
            const layer = a.moment === "reach" ? a.layer : a.through - 1;
            const other = a.moment === "reach" ? b.layer : b.through - 1;
            areas.clear();
            onCanvas(canvas, (context, width, height) => {
                const wide = width / found.length;
                for (const [place, curves] of found.entries())
                    if (curves) draw(context, curves, place * wide, wide - 16, height, layer);
            });
            const told = found.flatMap((it) =>
                it
                    ? [
                          `${it.says} A ${small(it.a[layer])}, B ${small(it.b[other])}, ` +
                              `B − A ${small(it.b[other] - it.a[layer])} ${it.unit}`,
                      ]
                    : [],
            );
            const which = layer === other ? `Layer ${layer + 1}` : `Layer ${layer + 1} of A, layer ${other + 1} of B`;
            words.textContent = told.length
                ? `${which}, mean of the heads: ${told.join("; ")}.`
                : "The curves are on their way.";
            canvas.ariaLabel = words.textContent;
        },
    };

    /** @param {CanvasRenderingContext2D} context @param {Curves} curves @param {number} x @param {number} width
     *  @param {number} height @param {number} chosen */
    function draw(context, { says, unit, a, b }, x, width, height, chosen) {
        const many = Math.max(a.length, b.length);
        const [top, tall] = [26, height * (1 - UNDER) - 30];
        const [left, wide] = [x + LEFT, width - LEFT];
        const high = Math.max(...a, ...b) * 1.05 || 1;
        const across = { low: -0.5, high: many - 0.5 };
        write(context, `${says}, ${unit}: A dashed, B solid`, x, 14, { as: "tick", width });
        const over = { x: left, y: top, width: wide, height: tall };
        const curves = plotOn(context, over, across, { low: 0, high, ticks: ticksAt([0, high], small) });
        curves.axes();
        curves.line(a.entries(), { dash: DASH, thick: 2.5 });
        curves.line(b.entries(), { thick: 2.5 });
        const { chosen: colour } = first.data.palette;
        frame(context, curves.x(chosen - 0.5) + 2, top, wide / many - 4, height - top - 1, colour);
        const both = Math.min(a.length, b.length);
        const differs = Array.from({ length: both }, (_, at) => b[at] - a[at]);
        const limit = largestSize(differs) || 1;
        const under = { x: left, y: top + tall + 4, width: wide, height: height - top - tall - 6 };
        const ticks = ticksAt([0], () => `±${small(limit)}`);
        const bars = plotOn(context, under, across, { low: -limit, high: limit, ticks });
        const free = Math.max(2, wide / many - 20);
        for (const [at, value] of differs.entries())
            bars.bar(at - 0.5, at + 0.5, value, divergingCss(value, limit), free);
        bars.level(0);
        bars.names();
        const box = { x: left, y: top, width: wide, height: height - top };
        areas.add({
            ...box,
            at: (share) => {
                const at = Math.min(first.meta.depth - 1, Math.floor(share * many));
                return { layer: at, through: at + 1 };
            },
        });
    }
}

/** The mean over the heads of each layer. @param {Column} column @param {string} name @param {number} unit */
function means(column, name, unit) {
    const values = now(column, "by-layer", name)?.data;
    const { depth, heads } = column.meta;
    if (!values) return null;
    return Array.from({ length: depth }, (_, layer) => {
        let sum = 0;
        for (let head = 0; head < heads; head++) sum += values[layer * heads + head];
        return sum / heads / unit;
    });
}

/** @param {Column} first @param {Column} second @returns {Curves | null} */
function distances(first, second) {
    const same = first.meta.columns === second.meta.columns;
    const [a, b] = [first, second].map((it) => means(it, "distance", same ? 1 : it.meta.columns));
    return a && b && { says: "attention distance", unit: same ? "patches" : "widths of the picture", a, b };
}

/** @param {Column} first @param {Column} second @returns {Curves | null} */
function entropies(first, second) {
    const same = first.meta.tokens === second.meta.tokens;
    const [a, b] = [first, second].map((it) => means(it, "entropy", same ? 1 : Math.log(it.meta.tokens)));
    return a && b && { says: "attention entropy", unit: same ? "nats" : "of its largest", a, b };
}
