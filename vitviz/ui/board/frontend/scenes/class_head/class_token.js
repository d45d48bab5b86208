// The class token of two pictures: before the first layer the same, and then what each has gathered.

/** @import { Areas } from "../../draw/areas.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Selection } from "../../types.js" */

import { small } from "../../draw/text.js";
import { drawStrips } from "../../draw/vectors.js";
import { write } from "../../draw/words.js";
import { now } from "../../state/edited.js";
import { place } from "../../state/lens.js";

/** @param {CanvasRenderingContext2D} context @param {Board} board @param {Areas} areas @param {Selection} shown
 *  @param {number} width @param {number} height */
export function drawClassToken(context, board, areas, { after }, width, height) {
    const { dim, depth } = board.meta;
    const [own, other] = ["own", "other"].map((name) => now(board, "class-token", name)?.data);
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
        { name: `of another picture: ${board.data.facts.other}`, values: others },
        { name: `largest difference: ${same}`, values: Float64Array.from(mine, (value, i) => value - others[i]) },
    ];
    drawStrips(context, strips, { width, height: height * 0.64 });

    const most = Math.max(...differences, 1e-12);
    const cell = width / (depth + 1);
    const [top, tall] = [height * 0.7, height * 0.3 - 34];
    const every = Math.ceil(34 / cell);
    const under = /** @type {const} */ ({ as: "tick", align: "center" });
    write(context, "largest difference, by layer", 0, top + 14);
    for (let layer = 0; layer <= depth; layer++) {
        const x = layer * cell;
        const high = Math.max(2, ((tall - 40) * differences[layer]) / most);
        context.fillStyle = layer === after ? board.data.palette.chosen : board.data.palette["class token"];
        context.fillRect(x + 2, top + tall - high, cell - 4, high);
        if (cell > 44) write(context, small(differences[layer]), x + cell / 2, top + tall - high - 4, under);
        const name = layer ? `${layer}` : cell > 60 ? "before 1" : "0";
        if (layer % every === 0) write(context, name, x + cell / 2, top + tall + 20, under);
        areas.add({ x, y: top, width: cell, height: tall + 34, at: () => ({ after: layer }) });
    }
}
