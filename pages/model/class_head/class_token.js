// The class token of two pictures: before the first layer the same, and then what each has gathered.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { plotOn, ticksAt } from "#frontend/draw/plot.js";
import { small } from "#frontend/draw/text.js";
import { drawStrips } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { now } from "#frontend/state/edited.js";
import { place } from "#frontend/state/lens.js";

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Areas} areas @param {Selection} shown
 *  @param {number} width @param {number} height */
export function drawClassToken(context, column, areas, { after }, width, height) {
    const { dim, depth } = column.meta;
    const [own, other] = ["own", "other"].map((name) => now(column, "class-token", name)?.data);
    if (!own || !other) return;
    const at = (/** @type {ArrayLike<number>} */ all, /** @type {number} */ layer) =>
        /** @type {Float32Array} */ (all).subarray(layer * dim, (layer + 1) * dim);
    const apart = (/** @type {number} */ layer) => {
        let most = 0;
        for (let i = layer * dim; i < (layer + 1) * dim; i++) most = Math.max(most, Math.abs(own[i] - other[i]));
        return most;
    };
    const differences = Array.from({ length: depth + 1 }, (_, layer) => apart(layer));
    const [mine, others] = [at(own, after), at(other, after)];
    const same = differences[after] === 0 ? "none, to the last bit" : small(differences[after]);
    const strips = [
        { name: `class token ${place(after)}, of this picture`, values: mine },
        { name: `of another picture: ${column.data.facts.other}`, values: others },
        { name: `largest difference: ${same}`, values: Float64Array.from(mine, (value, i) => value - others[i]) },
    ];
    drawStrips(context, strips, { width, height: height * 0.64 });

    const cell = width / (depth + 1);
    const [top, tall] = [height * 0.7, height * 0.3 - 34];
    const box = { x: 0, y: top + 40, width, height: tall - 40 };
    const ticks = ticksAt([...Array(depth + 1).keys()], (layer) => (layer || cell <= 70 ? `${layer}` : "before 1"));
    const across = { low: -0.5, high: depth + 0.5, ticks };
    const plot = plotOn(context, box, across, { low: 0, high: Math.max(...differences, 1e-12) });
    write(context, "largest difference, by layer", 0, top + 14);
    plot.names();
    const { chosen, "class token": token } = column.data.palette;
    for (const [layer, value] of differences.entries()) {
        plot.bar(layer - 0.5, layer + 0.5, value, layer === after ? chosen : token, 4, 2);
        if (cell > 44) write(context, small(value), plot.x(layer), plot.y(value) - 6, { as: "tick", align: "center" });
        areas.add({ x: layer * cell, y: top, width: cell, height: tall + 34, at: () => ({ after: layer }) });
    }
}
