// What is chosen where nobody has chosen: the address leaves it out.

import { WORDS } from "../schema/words.js";

/** @import { Numbered, Read } from "../schema/types.js" */
/** @import { Meta, Selection, Stage } from "../types/board.js" */

/** The key that nobody has chosen: the one with the largest weight. */
export const STRONGEST = -1;

/** Neither a class nor a moment of training. */
export const NONE = -1;

/** Whether a word of an address is a number of what a model has. @param {Numbered | Read | string[]} word
 *  @returns {word is Numbered} */
export const isNumber = (word) => typeof word === "object" && "most" in word;

/** The largest number of an address, with a model. @param {Numbered} word @param {Meta} meta */
export const mostOf = ({ most }, meta) => (typeof most === "string" ? meta[most] : most);

/** The selection that a model starts with on a page. @param {Meta | null} meta @param {Stage} [stage]
 *  @returns {Selection} */
export function startOf(meta, stage) {
    const usual = Object.entries(WORDS).map(([name, word]) => {
        if (!isNumber(word)) return [name, Array.isArray(word) ? word[0] : ""];
        const [most, { usual = 1, before = 1 }] = [meta ? mostOf(word, meta) : 1, word];
        return [name, Math.min(usual ?? most, most) - before];
    });
    const moment = stage?.moments[0].name ?? "";
    return { ...Object.fromEntries(usual), page: "", moment, query: 0, key: STRONGEST };
}
