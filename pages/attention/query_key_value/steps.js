// What one query, head and layer lead to: scores, weights, and the key that is looked at.

/** @import { Board } from "#board/state/board.js" */
/** @import { Selection } from "#board/types.js" */

import { frameComponent } from "#board/canvas/vectors.js";
import { products, softmax, strongest } from "#board/draw/attention.js";
import { ending, now } from "#board/state/edited.js";

export const DIVISORS = ["one", "root", "all"];

/** What a moment is drawn with. `share` runs from 0 to 1 while a movement lasts.
 *  @typedef {{ context: CanvasRenderingContext2D, width: number, height: number, share: number,
 *    board: Board, areas: import("#board/canvas/areas.js").Areas, it: Steps, shown: Selection }} Moment */

/** @typedef {NonNullable<ReturnType<typeof stepsOf>>} Steps */

/** Null where the numbers are on their way. @param {Board} board @param {Selection} shown */
export function stepsOf(board, { layer, head, query, key, divide }) {
    const { tokens, head_dim: width, dim } = board.meta;
    const at = (/** @type {string} */ name) =>
        /** @type {Float32Array | undefined} */ (now(board, `values-${layer}`, name)?.data);
    const [qs, ks, vs] = [at("q"), at("k"), at("v")];
    if (!qs || !ks || !vs) return null;
    const size = tokens * width;
    const own = (/** @type {Float32Array} */ all, each = head) => all.subarray(each * size, (each + 1) * size);
    const one = (/** @type {Float32Array} */ all, /** @type {number} */ token) =>
        all.subarray(token * width, (token + 1) * width);
    const keys = own(ks);
    const q = one(own(qs), query);
    const dots = products(q, keys, tokens, width);
    const by = /** @type {Record<string, number>} */ ({ one: 1, root: Math.sqrt(width), all: width });
    const told = ownScores(board, layer, query);
    if (told === "coming") return null;
    const divided = (/** @type {string} */ divisor) =>
        told && divisor === "root"
            ? Float64Array.from(told.subarray(head * tokens, (head + 1) * tokens))
            : Float64Array.from(dots, (dot) => dot / by[divisor]);
    const scores = divided(String(divide));
    const weights = softmax(scores);
    const chosen = key >= 0 ? key : strongest(softmax(divided("root")));
    return {
        q,
        keys,
        values: own(vs),
        dots,
        scores,
        weights,
        chosen,
        by,
        /** The scores with another divisor; with the usual one those of the model. */
        divided,
        /** A head's array of the layer. @param {"q" | "k" | "v"} name @param {number} each */
        ofHead: (name, each) => own(/** @type {Float32Array} */ (at(name)), each),
        /** One token of a head's array. */
        one,
        /** One token of a `t d` array of the layer. @param {string} name @param {number} token */
        row: (name, token) => at(name)?.subarray(token * dim, (token + 1) * dim) ?? new Float32Array(dim),
    };
}

/** The scores of a query in all heads, `head k`, where they are more than q·k / √dh: null where they are not.
 *  @param {Board} board @param {number} layer @param {number} query @returns {Float32Array | "coming" | null} */
export function ownScores(board, layer, query) {
    if (!board.data.facts.own_scores && !scored(board)) return null;
    return /** @type {Float32Array | undefined} */ (now(board, `scores-${layer}-${query}`, "scores")?.data) ?? "coming";
}

/** Whether edits change how scores are made of q and k. @param {Board} board */
const scored = (board) => Boolean(ending(board)) && /(^| )[tskwcp]/.test(board.chosen.edits);

/** The component that is looked at, counted within the head, or -1 where it is another head's.
 *  @param {Board} board @param {Selection} shown */
export function within(board, { component, head }) {
    const { head_dim: width } = board.meta;
    return Math.floor(component / width) === head ? component % width : -1;
}

/** Strips of the head as they are pointed at. @param {Moment} moment @param {import("#board/canvas/vectors.js").Box[]} boxes */
export function pointed({ context, board, areas, shown }, boxes) {
    const { head_dim: many } = board.meta;
    const means = (/** @type {number} */ at) => ({ component: shown.head * many + at });
    frameComponent(context, areas, boxes, many, within(board, shown), board.data.palette.chosen, means);
}
