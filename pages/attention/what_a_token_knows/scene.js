// What a token knows: which patches are like the chosen one.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene } from "#frontend/types/board.js" */

import { element } from "#frontend/draw/elements.js";
import { divergingCss, onCanvas } from "#frontend/draw/surface.js";
import { coming } from "#frontend/draw/words.js";

/** @param {HTMLElement} root @param {Column} board @returns {Scene} */
export function whatATokenKnows(root, board) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    return {
        draw(shown) {
            const { columns, rows, patches } = board.meta;
            const its = board.array(`alike-${shown.of}`, "coordinates");
            const layer = its && its.shape[0] > 1 ? shown.layer : 0;
            onCanvas(canvas, (context, width, height) => {
                if (!its) return coming(context, width);
                const k = its.shape[2];
                const of = (/** @type {number} */ patch) => (layer * patches + patch) * k;
                const side = Math.min(width / columns, height / rows);
                for (let patch = 0; patch < patches; patch++) {
                    let cosine = 0;
                    for (let at = 0; at < k; at++)
                        cosine += its.data[of(patch) + at] * its.data[of(board.patchOf(shown)) + at];
                    context.fillStyle = divergingCss(cosine, 1);
                    context.fillRect((patch % columns) * side, Math.floor(patch / columns) * side, side, side);
                }
            });
        },
    };
}
