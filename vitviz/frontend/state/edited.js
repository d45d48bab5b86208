// Which numbers are shown of a page that holds the plain run and the one with edits: those of edits have them at the end
// of their parcels' names, behind a space.

/** @import { Column } from "./column.js" */
/** @import { Array_ } from "../types/board.js" */

import { doing, read, textOf } from "../edits/edits.js";
import { runOf } from "../transport/parcels.js";

const MOST = 2; // edits whose numbers stay while those of the next come

/** The end of the names of what the run with these edits left. @param {Column} column */
export function ending({ data, chosen, meta }, edits = chosen.edits) {
    return data.facts.folded && meta && edits !== meta.edits ? ` ${edits}` : "";
}

/** Whether the numbers of a parcel are here, with these edits. @param {Column} column @param {string} name */
export const has = (column, name, edits = column.chosen.edits) =>
    Boolean(column.parcels.get(name + ending(column, edits)));

/** Of several parcels, each of which would do, the first that is here: with the edits, else with those before, so that
 *  what is on screen stays until its successor has come, else without.
 *  @param {Column} column @param {string[]} names @returns {{ name: string, arrays: Record<string, Array_> } | null} */
export function found(column, names) {
    for (const end of new Set([ending(column), ...(ending(column) ? column.parcels.endings : []), ""]))
        for (const name of names) {
            const arrays = column.parcels.get(name + end);
            if (arrays) return { name, arrays };
        }
    return null;
}

/** The numbers called `array` of a parcel, of the run that is shown. @param {Column} column @param {string} parcel
 *  @param {string} array */
export const now = (column, parcel, array) => found(column, [parcel])?.arrays[array];

/** Numbers of edits have come: those of the edits before the last are let go.
 *  @param {Pick<Column, "parcels" | "data">} column @param {string} name */
export function came({ parcels, data }, name) {
    const end = runOf(name);
    if (!data.facts.folded || !end) return;
    if (parcels.endings[0] === end) return;
    const ends = [end, ...parcels.endings.filter((it) => it !== end)];
    parcels.endings = ends.slice(0, MOST);
    for (const old of ends.slice(MOST)) parcels.drop((it) => runOf(it) === old);
}

/** Of edits those that change pixels. @param {Pick<Column, "chosen" | "meta">} column */
export const painting = ({ chosen, meta }) => read(chosen.edits, meta).filter(doing("paints")).map(textOf).join(" ");
