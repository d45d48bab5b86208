// Seen, and still wrong: the model made random from the top down, and the maps that stay what they were.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { ticksAt } from "#frontend/draw/plot.js";
import { frame, outline } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { nothingIn } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { drawCurves } from "./curves.js";
import { atPatch, drawTile } from "./maps.js";
import { factsOf, isBegun, randomOf, titleOf } from "./reasons.js";

const STRIP = 0.3; // of the height for the maps below
const WORDED = 52; // pixels of a map that has room for "block 6" under it
const LEAST = 0.25; // of the correlation that the axis goes below 0 at least

/** How alike two maps are; of one that is the same everywhere nobody can tell. @param {number} value */
const alikeness = (value) => (Number.isFinite(value) ? small(value) : "—");

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Photo} photo @param {Areas} areas
 *  @param {Selection} shown @param {number} width @param {number} height */
export function drawRandomised(context, column, photo, areas, shown, width, height) {
    const random = randomOf(column, shown);
    const { map } = shown;
    const all = factsOf(column).parts.length;
    const at = random?.at ?? 0;
    const alike = random?.names.map((name) => /** @type {const} */ ([name, random.alike(name)])) ?? [];
    const lines = Object.fromEntries(alike);
    const least = Math.min(-LEAST, ...alike.flatMap(([, values]) => Array.from(values).filter(Number.isFinite)));
    const told = Object.fromEntries(alike.map(([name, values]) => [name, [alikeness(values[at])]]));
    const strip = Math.max(70, height * STRIP);
    write(context, "rank correlation with the map of the model as it is", 0, 17, { as: "tick", bold: true, width });
    const curves = {
        lines,
        places: [...Array(all).keys()],
        at,
        across: {
            low: 0,
            high: all - 1,
            ticks: ticksAt([...Array(all).keys()]),
            title: "parts that are random, from the head down",
        },
        down: { low: least, high: 1, ticks: ticksAt([0, 1, least], small) },
        chosen: map,
        heads: ["alike"],
        told,
        means: (/** @type {number} */ place) => ({ randomised: place }),
    };
    const upper = height - strip;
    const { plot } = drawCurves(context, column, areas, curves, width, upper);
    plot.level(0);
    if (!random) {
        const not = `The model is not drawn anew unasked: that takes ${factsOf(column).prices.randomised}.`;
        const says = isBegun(column, shown) ? "Random models are on their way." : not;
        return wrapped(context, says, plot.x(0) + 16, 60, plot.x(all - 1) - plot.x(0) - 32);
    }
    drawStrip(context, column, photo, areas, random, shown, { y: upper + 4, width, height: strip - 4 });
}

/** The chosen map of each of these models. @param {CanvasRenderingContext2D} context @param {Column} column @param {Photo} photo
 *  @param {Areas} areas @param {NonNullable<ReturnType<typeof randomOf>>} random @param {Selection} shown
 *  @param {{ y: number, width: number, height: number }} box */
function drawStrip(
    context,
    column,
    photo,
    areas,
    { names, steps, all, at, part, map: of },
    shown,
    { y, width, height },
) {
    const { map } = shown;
    const wide = width / all;
    const size = Math.min(wide - 6, height - 40);
    const title = titleOf(column, map);
    if (!names.includes(map)) {
        const why = `${title} is not drawn of random models: choose another in the list.`;
        return wrapped(context, why, 0, y + 30, width, { as: "tick" }, 19);
    }
    write(context, `${title} of the model as it is, then random from the head down to`, 0, y + 14, {
        as: "cell",
        width,
    });
    for (let it = 0; it < steps; it++) {
        const [x, top] = [it * wide, y + 20];
        const values = of(map, it);
        const why = nothingIn(values);
        if (!why) drawTile(context, column, photo.picture, values, factsOf(column).signed.includes(map), x, top, size);
        else {
            frame(context, x + 0.5, top + 0.5, size - 1, size - 1);
            wrapped(context, why, x + 3, top + 16, size - 6, { as: 12 }, 14);
        }
        if (it === at) outline(context, x + 2, top + 2, size - 4, size - 4, column.data.palette.chosen);
        write(context, wide > WORDED ? part(it) : part(it).replace("block ", ""), x, top + size + 16, {
            as: "cell",
            width: wide - 6,
        });
        areas.add({ x, y: top, width: wide, height: size + 20, at: () => ({ randomised: it }) });
    }
}

/** What stands under the photo. @param {Column} column @param {Selection} shown */
export function readRandomised(column, shown) {
    const random = randomOf(column, shown);
    const { map } = shown;
    if (!random) return `${titleOf(column, map)}: ${isBegun(column, shown) ? "on its way" : "not begun"}.`;
    if (!random.names.includes(map)) return titleOf(column, map);
    const { at } = random;
    const part = random.part(at);
    const how = at ? `random down to ${part.startsWith("block") ? part : `the ${part}`}` : "the model as it is";
    return `${titleOf(column, map)}, ${how}: alike ${alikeness(random.alike(map)[at])}${atPatch(column, shown, random.map(map, at))}`;
}
