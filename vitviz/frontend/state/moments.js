// The moments of a page, by their names.

/** @import { Moment } from "../types/board.js" */

/** The place of a moment among others, from 0: that of the first where none has its name.
 *  @param {Moment[]} moments @param {string} name */
export const placeOf = (moments, name) =>
    Math.max(
        0,
        moments.findIndex((it) => it.name === name),
    );
