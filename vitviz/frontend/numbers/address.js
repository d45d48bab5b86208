// What is chosen on the board, as an address says it.

/** @import { Meta, Stage } from "../types/board.js" */
/** @import { Address } from "../types/numbers.js" */

import { momentSaid, read } from "../state/address.js";
import { startOf } from "../state/start.js";
import { wordsIn } from "../transport/words.js";

/** @param {string} words as an address has them, with the page among them @param {Meta} meta @param {Stage[]} stages
 *  @returns {Address} */
export function addressOf(words, meta, stages) {
    const { page = "", moment } = wordsIn(`?${words}`);
    const stage = stages.find(({ stem }) => stem === page);
    const chosen = { ...startOf(meta, stage), ...read(meta, `?${words}`), page, moment: momentSaid(stage, moment) };
    const { prefix, rows, columns } = meta;
    const middle = ((rows - 1) >> 1) * columns + ((columns - 1) >> 1);
    return { ...chosen, patch: chosen.query < prefix.length ? middle : chosen.query - prefix.length };
}
