// A sum: what the logit is made of, bar by bar, each opened into heads, and those into patches.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Sum } from "./reasons.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { wrapped } from "#frontend/draw/lines.js";
import { plotOn, ticksAt } from "#frontend/draw/plot.js";
import { divergingCss, frame, outline } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { largestSize } from "#frontend/draw/vectors.js";
import { coming, widthOf, write } from "#frontend/draw/words.js";
import { sumOf } from "./reasons.js";

const LEFT = 56; // pixels for numbers
const TOP = 30; // and for the title
const LINE = 20; // and for another line of it
const AXIS = 46; // between the bars and the heads under them
const FOOT = 24;
const MOST = 24; // pixels of a head at most
const FREE = 0.16; // of the room of a bar that stays free at each side
const BARS = "heads, MLP"; // of a layer
const STRONG = 0.5; // of full colour, from which on words on it are white
/** What is held fixed, so that what is read is a sum. */
export const FROZEN = "norms and attention are frozen as in this run";
const THIN = { thick: 1, alpha: 0.5 };

/** A number with its sign. @param {number} value */
export const signed = (value) => (value > 0 ? `+${small(value)}` : small(value));

/** Through what the numbers on the photo came. @param {Column} column @param {Selection} shown */
export function through({ meta }, { opened, layer, head }) {
    if (opened === "head") return `layer ${layer + 1}, head ${Math.min(head, meta.heads - 1) + 1}`;
    return opened === "layer" ? `all heads of layer ${layer + 1}` : "the embedding and all heads";
}

/** What stands beside each other, from left to right: a name, which is shorter where it has less room, and what is added
 *  there. @param {Sum} sum @returns {{ names: string[], values: number[] }[]} */
const roomsOf = ({ embedding, attention, mlps, pooling, constants }) => [
    { names: ["embedding", "emb."], values: [embedding] },
    ...attention.map((value, layer) => ({
        names: [`layer ${layer + 1}`, `${layer + 1}`],
        values: [value, mlps[layer]],
    })),
    ...(pooling ? [{ names: ["pooling", "pool"], values: [pooling] }] : []),
    { names: ["constants", "const."], values: [constants] },
];

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Areas} areas @param {Selection} shown
 *  @param {number} width @param {number} height */
export function drawSum(context, column, areas, shown, width, height) {
    const sum = sumOf(column, shown);
    if (!sum) return coming(context, width, "The sum is on its way.");
    const { depth, heads, classes } = column.meta;
    const { chosen, head: colour } = column.data.palette;
    const what = classes ? "logit" : "result";
    if (!Number.isFinite(sum.logit))
        return wrapped(context, `The ${what} of ${sum.says} is no number, so there is no sum to open.`, 0, 24, width);
    const title = `${what}, ${sum.says}: ${small(sum.logit)}`;
    write(context, title, 0, 18, { as: "title", width });
    const after = widthOf(context, title, { as: "title" }) + 14;
    const beside = after + widthOf(context, FROZEN, { as: "tick" }) < width;
    const top = beside ? TOP : TOP + LINE;
    write(context, FROZEN, beside ? after : 0, beside ? 18 : 18 + LINE, { as: "tick", width });
    const cell = Math.min(MOST, Math.max(3, (height * 0.36) / heads));
    const under = height - FOOT - heads * cell;
    const box = { x: LEFT, y: top, width: width - LEFT - 8, height: under - AXIS - top };
    const rooms = roomsOf(sum);
    const slots = rooms.length + 1;
    const slot = box.width / slots;
    let total = 0;
    const reached = [0, ...rooms.flatMap(({ values }) => Array.from(values, (value) => (total += value)))];
    const [low, high] = [Math.min(...reached), Math.max(...reached)];
    const room = (high - low || 1) * 0.08;
    const down = { low: low - room, high: high + room, ticks: ticksAt([sum.logit, 0, high, low], small) };
    const plot = plotOn(context, box, { low: 0, high: slots }, down);
    plot.axes();
    plot.level(0);
    let [from, last] = [0, 0];
    for (const [at, { names, values }] of [...rooms, { names: [what, "="], values: [] }].entries()) {
        const fits = names.find((it) => widthOf(context, it, { as: "tick" }) < slot - 2) ?? "";
        const middle = plot.x(at + 0.5);
        write(context, fits, middle, box.y + box.height + 18, { as: "tick", align: "center" });
        if (values.length > 1 && widthOf(context, BARS, { as: "cell" }) < slot)
            write(context, BARS, middle, box.y + box.height + 36, {
                as: "cell",
                align: "center",
                width: slot - 4,
            });
        for (const [part, value] of values.entries()) {
            const [left, right] = [part, part + 1].map((it) => at + FREE + ((1 - 2 * FREE) * it) / values.length);
            plot.line(
                [
                    [last, from],
                    [right, from],
                ],
                THIN,
            );
            const [start, end] = [plot.y(from), plot.y(from + value)];
            context.fillStyle = divergingCss(Math.sign(value), 1);
            const tall = Math.max(1, Math.abs(end - start));
            context.fillRect(plot.x(left) + 1, Math.min(start, end), plot.x(right) - plot.x(left) - 2, tall);
            [from, last] = [from + value, left];
        }
    }
    plot.line(
        [
            [last, from],
            [slots, from],
        ],
        THIN,
    );
    plot.bar(slots - 1 + FREE, slots - FREE, sum.logit, colour);
    if (shown.opened !== "all")
        outline(context, plot.x(shown.layer + 1) + 2, box.y + 2, slot - 4, box.height - 4, chosen);
    areas.add({
        x: box.x,
        y: box.y,
        width: box.width,
        height: under - box.y - 2,
        at(share) {
            const layer = Math.floor(share * slots) - 1;
            return layer < 0 || layer >= depth ? { opened: "all" } : { opened: "layer", layer };
        },
    });
    drawHeads(context, column, areas, sum, shown, { x: box.x + slot, slot, under, cell });
}

/** A cell for each head, under the bar of its layer. @param {CanvasRenderingContext2D} context @param {Column} column
 *  @param {Areas} areas @param {Sum} sum @param {Selection} shown
 *  @param {{ x: number, slot: number, under: number, cell: number }} where */
function drawHeads(context, column, areas, sum, shown, { x: left, slot, under, cell }) {
    const { depth, heads } = column.meta;
    const limit = Math.max(...sum.heads.map(largestSize)) || 1;
    write(context, "heads", left - 8, under + 15, { as: "tick", align: "right" });
    for (const [layer, values] of sum.heads.entries())
        for (const [head, value] of values.entries()) {
            const [at, top] = [left + layer * slot, under + head * cell];
            context.fillStyle = divergingCss(value, limit);
            context.fillRect(at + 1, top, slot - 2, cell - 1);
            if (cell > 6) frame(context, at + 1.5, top + 0.5, slot - 3, cell - 2);
            if (cell > 16 && slot > 52)
                write(context, signed(value), at + slot / 2, top + cell / 2 + 5, {
                    as: 13,
                    colour: Math.abs(value) > STRONG * limit ? "#fff" : undefined,
                    align: "center",
                    width: slot - 6,
                });
        }
    const { layer, head, opened } = shown;
    if (opened === "head") {
        const which = Math.min(head, heads - 1);
        outline(context, left + layer * slot + 1, under + which * cell, slot - 2, cell - 1, column.data.palette.chosen);
    }
    const most = largestSize(sum.tokens(shown).subarray(column.meta.prefix.length));
    const onPhoto = Number.isFinite(most) ? `, on the photo ±${small(most)}` : "";
    const scale = `red adds, blue takes away; full at ±${small(limit)}${onPhoto}`;
    write(context, scale, left, under + heads * cell + 17, { as: "cell", width: (depth + 2) * slot });
    areas.add({
        x: left,
        y: under,
        width: depth * slot,
        height: heads * cell,
        at: (across, down) => ({ opened: "head", layer: Math.floor(across * depth), head: Math.floor(down * heads) }),
    });
}

/** What stands under the photo. @param {Column} column @param {Selection} shown @param {ReadonlySet<number>} taken patches
 *  that the hand takes together */
export function readSum(column, shown, taken) {
    const sum = sumOf(column, shown);
    if (!sum) return "The sum is on its way.";
    const { prefix } = column.meta;
    const values = sum.tokens(shown);
    const patch = column.patchOf(shown);
    const ways = through(column, shown);
    const layer = shown.layer;
    const mlp = shown.opened === "layer" ? ` · its MLP ${signed(sum.mlps[layer])}` : "";
    const all = values.reduce((a, b) => a + b, 0);
    if (!Number.isFinite(all)) return "No numbers: NaN.";
    if (taken.size > 1) {
        const together = [...taken].reduce((a, it) => a + values[prefix.length + it], 0);
        return `{chosen} ${taken.size} patches together ${signed(together)} of ${small(all)} through ${ways}${mlp}`;
    }
    const token = shown.query < prefix.length ? shown.query : prefix.length + patch;
    return `{chosen} ${tokenName(column.meta, token)}: ${signed(values[token])} of ${small(all)} through ${ways}${mlp}`;
}
