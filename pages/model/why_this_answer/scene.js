// Why this answer: a logit as a sum of what each layer adds.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene } from "#frontend/types/board.js" */

import { element } from "#frontend/draw/elements.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { coming, write } from "#frontend/draw/words.js";

/** @param {HTMLElement} root @param {Column} board @returns {Scene} */
export function whyThisAnswer(root, board) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const parcel = (/** @type {{ answer: number, against: number, component: number }} */ shown) =>
        board.meta.classes ? `sum-${shown.answer}-${shown.against}` : `sum-${shown.component}--1`;
    return {
        draw(shown) {
            const { depth, heads } = board.meta;
            onCanvas(canvas, (context, width) => {
                const layers = board.array(parcel(shown), "layers")?.data;
                if (!layers) return void coming(context, width);
                const row = heads + 2;
                for (let layer = 0; layer < depth; layer++) {
                    const added = Array.from(layers.subarray(layer * row, (layer + 1) * row)).reduce(
                        (a, b) => a + b,
                        0,
                    );
                    write(context, `layer ${layer + 1}: ${small(added)}`, 0, 30 + 24 * layer, { width });
                }
            });
            canvas.ariaLabel = "What every layer adds";
        },
        needs: (chosen) => (chosen.moment === "sum" ? [parcel(chosen)] : []),
    };
}
