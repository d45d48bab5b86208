// What is chosen where nobody has chosen, and the choices of single scenes: name in the address, values, the usual one first.

import { momentSaid } from "./moments.js";

/** @import { Meta, Selection, Stage } from "../types/board.js" */

/** @type {Record<string, string[]>} */
export const SWITCHES = {
    covered: ["no", "yes"],
    divide: ["root", "one", "all"],
    drawn: ["light", "colours"],
    hides: ["grey", "masked"],
    mean: ["0", "1"],
    measured: ["no", "yes"],
    placed: ["learned", "off", "shuffled"],
    runs: ["here", "server", "fetching"],
    scale: ["shared", "own"],
    shows: ["row", "column", "rollout"],
    switches: ["folded", "open"],
    taken: ["off", "mean"],
    traced: ["no", "enough", "needed"],
    tried: ["own", "32", "16", "8", "4"],
};

/** The key that nobody has chosen: the one with the largest weight. */
export const STRONGEST = -1;

/** Neither a class nor a moment of training. */
export const NONE = -1;

/** The selection that a model starts with on a page: the address leaves out what is as here.
 *  @param {Meta | null} meta @param {Stage} [stage] @returns {Selection} */
export function startOf(meta, stage) {
    const usual = Object.fromEntries(Object.entries(SWITCHES).map(([name, values]) => [name, values[0]]));
    return {
        ...usual,
        page: "",
        moment: momentSaid(stage),
        layer: 0,
        head: 0,
        beside: meta && meta.heads > 1 ? 1 : 0,
        query: 0,
        key: STRONGEST,
        component: 0,
        after: meta?.depth ?? 1,
        through: 1,
        answer: NONE,
        learned: NONE,
        crop: "",
        edits: "",
        donor: "",
        open: "",
    };
}
