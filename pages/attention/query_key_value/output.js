// Fourth and fifth moment: the weighted sum of the values, and what all heads together add to the residual stream.

/** @import { Moment } from "./steps.js" */

import { frame } from "#board/canvas/surface.js";
import { drawStrips, reach } from "#board/canvas/vectors.js";
import { products, softmax, weightedSum } from "#board/draw/attention.js";
import { small, tokenName, whole } from "#board/draw/text.js";
import { ending, now } from "#board/state/edited.js";
import { read, saysOff, whatAt, written } from "#board/state/edits.js";
import { ownScores } from "./steps.js";

const LARGEST = 4; // values that are drawn one by one

/** @param {Moment} moment */
export function drawSum({ context, width, height, share, board, areas, it, shown }) {
    const factor = scaleOf(board, shown.layer, shown.head);
    const edited = factor === 1 ? "" : `, edited: times ${written(factor)}`;
    const order = Array.from(it.weights, (_, at) => at).sort((a, b) => it.weights[b] - it.weights[a]);
    const first = order.slice(0, LARGEST);
    const strongest = first.includes(it.chosen) ? first : [...first.slice(0, -1), it.chosen];
    const parts = strongest.map((key) => ({
        name: `${small(it.weights[key])} · v of ${tokenName(board.meta, key)}`,
        values: Float64Array.from(it.one(it.values, key), (value) => value * it.weights[key]),
    }));
    const z = weightedSum(it.weights, it.values, board.meta.head_dim);
    const rest = Float64Array.from(z, (value, at) => value - parts.reduce((all, part) => all + part.values[at], 0));
    const others = it.weights.length - parts.length;
    const every = [
        ...parts,
        { name: `all ${whole(others)} others together`, values: rest },
        { name: `z: the sum, the output of the head${edited}`, values: z.map((value) => value * share * factor) },
    ];
    const limit = reach([...every, { name: "", values: z }]);
    const boxes = drawStrips(context, every, { width, height, limit });
    for (const [at, key] of strongest.entries()) {
        areas.add({ ...boxes[at], at: () => ({ key }) });
        const { x, y, height: tall } = boxes[at];
        if (key === it.chosen) frame(context, x + 1.5, y - 1.5, width - 3, tall + 3, board.data.palette.key, 3);
    }
}

/** What edits multiply the output of a head with. @param {Moment["board"]} board @param {number} layer @param {number} head */
function scaleOf(board, layer, head) {
    const what = (ending(board) && whatAt(read(board.chosen.edits, board.meta), "h", layer, head)) || "*1";
    return what.startsWith("*") ? Number(what.slice(1)) : 1;
}

/** @param {Moment} moment */
export function drawOutput({ context, width, height, board, areas, it, shown }) {
    const { heads, head_dim: dh, tokens, dim } = board.meta;
    const { layer, head, query } = shown;
    const side = new Float64Array(heads * dh);
    const told = ownScores(board, layer, query);
    for (let each = 0; each < heads; each++) {
        const dots = products(it.one(it.ofHead("q", each), query), it.ofHead("k", each), tokens, dh);
        const scores = told instanceof Float32Array ? told.subarray(each * tokens, (each + 1) * tokens) : null;
        const weights = softmax(scores ?? dots.map((dot) => dot / Math.sqrt(dh)));
        const factor = scaleOf(board, layer, each);
        const z = weightedSum(weights, it.ofHead("v", each), dh);
        side.set(factor === 1 ? z : z.map((value) => value * factor), each * dh);
    }
    const outputs = heads > 1 ? `the outputs of ${heads} heads side by side` : "the output of the one head";
    const strips = [{ name: `${outputs}: ${heads} · ${dh} = ${whole(heads * dh)}`, values: side }];
    const [box] = drawStrips(context, strips, { width, height: height * 0.22 });
    frame(context, (head * width) / heads, box.y - 1, width / heads, box.height + 2, board.data.palette.chosen, 3);
    areas.add({ ...box, at: (x) => ({ head: Math.floor(x * heads) }) });
    const name = tokenName(board.meta, query);
    const own = now(board, `shares-${layer}-${query}`, "shares")?.data.subarray(head * dim, (head + 1) * dim);
    const off = saysOff(read(shown.edits, board.meta), board.meta, layer, head);
    const below = [
        { name: `· Wₒ: what attention adds to ${name}`, values: it.row("added", query) },
        ...(own && heads > 1 ? [{ name: `share of head ${head + 1}${off}`, values: own }] : []),
        { name: "x: the residual stream that it is added to", values: it.row("stream", query) },
    ];
    drawStrips(context, below, { y: height * 0.26, width, height: (height * 0.74 * below.length) / 3 });
}
