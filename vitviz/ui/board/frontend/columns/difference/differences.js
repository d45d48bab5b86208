// What differs between the columns, by the address of the page.

/** @import { Board } from "../../state/board.js" */
/** @import { Second } from "../second.js" */

import { answersDifference } from "./answers.js";
import { costsDifference } from "./costs.js";
import { curvesDifference } from "./curves.js";
import { headsDifference } from "./heads.js";
import { positionsDifference } from "./positions.js";

/** @type {Record<string, (root: HTMLElement, first: Board, second: Second) => { draw(): void }>} */
export const DIFFERENCES = {
    "": costsDifference,
    position_embedding: positionsDifference,
    heads: headsDifference,
    depth: curvesDifference,
    class_head: answersDifference,
};
