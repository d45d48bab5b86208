// The moments of a page: by their names, and by the numbers that old links call them.

/** @import { Moment, Stage } from "../types/board.js" */

/** The place of a moment among others, from 0: that of the first where none has its name.
 *  @param {Moment[]} moments @param {string} name */
export const placeOf = (moments, name) =>
    Math.max(
        0,
        moments.findIndex((it) => it.name === name),
    );

/** The moment that an address says, by its name or its old number; the first where it says none, "" on a page without.
 *  `moment_said` in vitviz/addresses/old.py says the same. @param {Stage | undefined} stage @param {string} [text] */
export function momentSaid(stage, text = "") {
    if (!stage) return "";
    const { moments, numbered = moments.map(({ name }) => name) } = stage;
    if (/^0{0,5}[1-9]$/.test(text)) return numbered[Math.min(Number(text), numbered.length) - 1];
    return moments[placeOf(moments, text)].name;
}
