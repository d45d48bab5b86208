// Class head: the logit lens as lines over depth, logits and probabilities, the class token of two pictures.

/** @import { Photo } from "../../frame/photo.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Scene, Selection } from "../../types.js" */

import { Areas } from "../../draw/areas.js";
import { ranking } from "../../draw/bars.js";
import { element } from "../../draw/elements.js";
import { onCanvas } from "../../draw/surface.js";
import { small, whole } from "../../draw/text.js";
import { drawStrips, reach } from "../../draw/vectors.js";
import { drawClassToken } from "./class_token.js";
import { drawLens, lensOf, place } from "./lens.js";
import { drawSpeaks, Scores } from "./scores.js";

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function classHead(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const scores = new Scores(board);
    root.replaceChildren(scores.table, canvas);
    const areas = new Areas(canvas, board);

    /** What of the head a moment shows. @param {Selection} shown */
    const kind = ({ moment }) => {
        const { classes, prefix } = board.meta;
        if (classes) return ["lens", "scores", "token"][Math.min(moment, 2)];
        return prefix.includes("class") && moment === 0 ? "token" : "result";
    };

    return {
        draw(shown) {
            const { depth } = board.meta;
            const what = kind(shown);
            const lens = lensOf(board);
            areas.clear();
            scores.table.hidden = what !== "scores";
            root.classList.toggle("tall", what !== "result");
            photo.chooses = null;
            if (what !== "result")
                photo.steps = [
                    {
                        says: "after layer",
                        text: `${shown.after} of ${depth}`,
                        at: shown.after,
                        many: depth + 1,
                        to: (after) => ({ after }),
                    },
                ];
            if (what === "scores") scores.fill(lens, shown);
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                if (what === "lens" && lens) drawLens(context, board, areas, lens, shown, width, height, colour);
                if (what === "scores" && lens) drawSpeaks(context, board, lens, shown, width, height, colour);
                if (what === "token") drawClassToken(context, board, areas, shown, width, height, colour);
                const vector = board.array("result", "vector")?.data;
                if (what === "result" && vector) {
                    const strips = [{ name: `the result: ${whole(vector.length)} components`, values: vector }];
                    drawStrips(context, strips, {
                        x: 0,
                        y: 0,
                        width,
                        height: height * 0.4,
                        limit: reach(strips),
                        colour,
                    });
                }
            });
            canvas.setAttribute("aria-label", `The answer ${place(shown.after)}`);
        },
        readout(shown) {
            if (kind(shown) === "result") return "No head, no classes: the result is a vector.";
            const where = `${place(shown.after)[0].toUpperCase()}${place(shown.after).slice(1)}`;
            const lens = lensOf(board);
            if (!lens) return board.meta.classes ? "The answer is on its way." : where;
            const here = lens.probabilities(shown.after);
            const best = ranking(here, 1)[0];
            const leads = `${where}: ${lens.label(best)}, ${small(here[best])}`;
            if (shown.answer < 0) return leads;
            const at = lens.place(shown.answer);
            if (at < 0) return `${leads} · ${board.label(shown.answer)} is not among the classes that were sent`;
            return at === best ? leads : `${leads} · {chosen} ${lens.label(at)}, ${small(here[at])}`;
        },
        keys: {
            l: () => board.choose({ after: (board.chosen.after + 1) % (board.meta.depth + 1) }),
            L: () => board.choose({ after: (board.chosen.after + board.meta.depth) % (board.meta.depth + 1) }),
        },
        play: ({ after }) => (after < board.meta.depth ? { after: after + 1 } : null),
    };
}
