// What is chosen where nobody has chosen.

/** @import { Meta, Selection } from "../types.js" */

import { SWITCHES } from "../scenes/switches.js";

/** The key that nobody has chosen: the one with the largest weight. */
export const STRONGEST = -1;

/** Neither a class nor a moment of training. */
export const NONE = -1;

/** The selection that a model starts with: the address leaves out what is as here. @param {Meta | null} meta
 *  @returns {Selection} */
export function startOf(meta) {
    const usual = Object.fromEntries(Object.entries(SWITCHES).map(([name, values]) => [name, values[0]]));
    return {
        ...usual,
        page: "",
        moment: 0,
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
