// On trial: patches vanish in the order of each map, or appear in it, and the answer is read again each time.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { PROBABILITY, ticksAt } from "#frontend/draw/plot.js";
import { small } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";
import { drawCurves } from "./curves.js";
import {
    arrivedOf,
    factsOf,
    inWords,
    isBegun,
    mapOf,
    namesOf,
    pointOf,
    titleOf,
    trialOf,
    triedOf,
    triesHere,
} from "./reasons.js";

const WINNER = "One picture names no winner.";
const ALONE = `Area: under the curve, over the share of patches. ${WINNER}`;
const SAYS = `${ALONE} Mean: of {scenes} held-out scenes.`;
const FOOT = 60; // pixels that these sentences take below the list
const NARROW = 100; // and where they have the width of a phone
const LINE = 22; // and the last of them
const BETTER = " Vanishing, lower is better; appearing, higher is.";

/** The photo as the model sees it there. @param {Photo} photo @param {Column} column @param {Selection} shown
 *  @param {CanvasImageSource | null} filled */
export function fillPhoto(photo, column, shown, filled) {
    const { counts } = factsOf(column);
    const order = trialOf(column, shown, shown.map)?.order.data;
    if (!order || !filled) return;
    const many = counts[pointOf(counts, shown)];
    const { columns, rows, image_sides: sides } = column.meta;
    const gone = shown.sees === "kept" ? order.subarray(many) : order.subarray(0, many);
    photo.over = (context, width) => {
        const { width: across, height: down } = /** @type {ImageBitmap} */ (filled);
        const [w, h] = [across / columns, down / rows];
        const [wide, tall] = [width / columns, (width * sides[0]) / sides[1] / rows];
        context.imageSmoothingEnabled = false;
        for (const patch of gone) {
            const [x, y] = [patch % columns, Math.floor(patch / columns)];
            const [left, top] = [Math.round(x * wide), Math.round(y * tall)];
            const [right, end] = [Math.round((x + 1) * wide), Math.round((y + 1) * tall)];
            context.drawImage(filled, x * w, y * h, w, h, left, top, right - left, end - top);
        }
        context.imageSmoothingEnabled = true;
    };
}

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Areas} areas @param {Selection} shown
 *  @param {number} width @param {number} height */
export function drawTrial(context, column, areas, shown, width, height) {
    const { counts } = factsOf(column);
    const { meta } = column;
    const tried = triedOf(column, shown);
    const begun = triesHere(column) || isBegun(column, shown);
    const held = tried.map((map) => trialOf(column, shown, map)).filter((it) => it !== undefined);
    if (held.length === tried.length && !held.some(({ removed }) => Array.from(removed.data).some(Number.isFinite)))
        return wrapped(context, "The answer is no number, so there is no curve to draw.", 0, 24, width);
    const sees = shown.sees === "kept" ? "kept" : "removed";
    const curve = (/** @type {string} */ map) => trialOf(column, shown, map)?.[sees].data;
    const lines = Object.fromEntries(namesOf(column).map((map) => [map, curve(map)]));
    const asked = meta.classes ? "the answer" : inWords(column, [shown.component]);
    const whose = inWords(column, held[0]?.classes?.data) || asked;
    const what = `${meta.classes ? "probability of " : ""}${whose}`;
    const does = sees === "kept" ? "appear" : "vanish";
    write(context, `${what}; most wanted are the first patches to ${does}`, 0, 17, { as: "tick", bold: true, width });
    const at = pointOf(counts, shown);
    const side = sees === "kept" ? 1 : 0;
    const scenes = shown.answer < 0 && column.data.facts.scenes; // whose means are of the answered class
    const told = Object.fromEntries(
        namesOf(column).map((map) => {
            const held = trialOf(column, shown, map);
            if (!held) return [map, [awaited(column, shown, map)]];
            const own = [held[sees].data[at], held.area.data[side]].map((it) => (Number.isNaN(it) ? "…" : small(it)));
            const mean = column.array(`trial-means-${shown.fill}`, `${map}-area`)?.data[side];
            return [map, scenes && mean !== undefined ? [...own, small(mean)] : own];
        }),
    );
    const ticks = ticksAt([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * meta.patches)));
    const title = `patches that are ${sees === "kept" ? "there" : "gone"}`;
    const all = Object.values(lines).flatMap((it) => Array.from(it ?? []).filter(Number.isFinite));
    const [low, high] = all.length ? [Math.min(...all), Math.max(...all)] : [0, 1];
    const down = meta.classes
        ? PROBABILITY
        : { low, high: high > low ? high : low + 1, ticks: ticksAt([low, high], small) };
    const heads = ["here", "area", ...(scenes ? ["mean"] : [])];
    const across = { low: 0, high: meta.patches, ticks, title };
    const it = {
        lines,
        places: counts,
        at,
        across,
        down,
        chosen: shown.map,
        heads,
        told,
        foot: NARROW,
        last: LINE,
        means: (/** @type {number} */ point) => ({ removed: counts[point] }),
    };
    const { plot, under, left } = drawCurves(context, column, areas, it, width, height);
    if (!all.length && !begun) {
        const says = `The maps are not put to trial unasked: that takes ${factsOf(column).prices.trial}.`;
        wrapped(context, says, plot.x(0) + 16, 60, plot.x(meta.patches) - plot.x(0) - 32);
    }
    const says = scenes ? SAYS.replace("{scenes}", String(scenes)) : ALONE;
    const room = width - left - 4;
    if (height - under > FOOT)
        wrapped(context, says + (meta.classes ? BETTER : ""), left, under + 14, room, { as: "cell" }, 17);
    else write(context, WINNER, left, height - 5, { as: "cell", width: room });
}

/** What a map waits for. @param {Column} column @param {Selection} shown @param {Selection["map"]} map */
function awaited(column, shown, map) {
    if (!triedOf(column, shown).includes(map)) return triesHere(column) ? "takes long" : "when it is chosen";
    if (!triesHere(column) && !isBegun(column, shown)) return "not begun";
    const known = !triesHere(column) || mapOf(column, `${shown.answer}--1`, map);
    return known ? "waits its turn" : "waits for its map";
}

/** What stands under the photo. @param {Column} column @param {Selection} shown */
export function readTrial(column, shown) {
    const { counts } = factsOf(column);
    const it = trialOf(column, shown, shown.map);
    const title = titleOf(column, shown.map);
    if (!it) return `${title}: ${awaited(column, shown, shown.map)}.`;
    const at = pointOf(counts, shown);
    const sees = shown.sees === "kept" ? "kept" : "removed";
    const does = sees === "kept" ? "there" : "gone";
    const value = it[sees].data[at];
    const { meta } = column;
    const what = inWords(column, it.classes?.data);
    const patch = shown.query - meta.prefix.length;
    const order = it.order.data;
    const place = order.indexOf(patch) + 1;
    const goes = patch < 0 ? "" : ` · {chosen} patch ${patch + 1} is number ${place} of its order`;
    const says = Number.isNaN(value) ? (arrivedOf(it[sees].data) ? "is on its way" : "is no number") : small(value);
    // What says the same of every patch, or no number of any, leaves them in the order in which they stand.
    const flat = order.length > 1 && order.every((patch, at) => patch === at);
    if (flat) return `${title} tells no patch from another, so they go as they stand: ${what} ${says}`;
    return `${title}: ${counts[at]} of ${meta.patches} patches are ${does} · ${what} ${says}${goes}`;
}
