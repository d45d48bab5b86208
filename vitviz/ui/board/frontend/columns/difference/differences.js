// What differs between the columns, by the address of the page.

/** @import { Board } from "../../state/board.js" */
/** @import { Second } from "../second.js" */

import { headsDifference } from "./heads.js";

/** @type {Record<string, (root: HTMLElement, first: Board, second: Second) => { draw(): void }>} */
export const DIFFERENCES = {
    heads: headsDifference,
};
