// The same place in another model, by the table of words: what that has fewer of ends earlier, grids lie over each other.

/** @import { Column } from "../state/column.js" */
/** @import { Meta, Selection, Stage } from "../types/board.js" */

import { WORDS } from "../schema/words.js";
import { placeOf } from "../state/moments.js";
import { isNumber, mostOf } from "../state/start.js";

/** A selection, or some fields of it, as they are in another model.
 *  @param {Partial<Selection>} fields @param {Meta} from @param {Meta} to @returns {Partial<Selection>} */
export function placed(fields, from, to) {
    /** @type {Partial<Selection>} */
    const found = { ...fields };
    for (const [name, at] of Object.entries(fields)) {
        const word = WORDS[name] ?? "";
        if (word === "token" && Number(at) >= 0) found[name] = samePlace(Number(at), from, to);
        if (!isNumber(word)) continue;
        const [most, other] = [from, to].map((meta) => mostOf(word, meta) - (word.before ?? 1));
        found[name] = word.usual === null && at === most ? other : Math.min(Number(at), other);
    }
    return found;
}

/** Whether class numbers mean the same in both. @param {Column} first @param {Column} second */
export function sameClasses(first, second) {
    if (first.meta.classes !== second.meta.classes) return false;
    first.label(0);
    second.label(0);
    return first.labels.join("\n") === second.labels.join("\n");
}

/** The token that lies where another model's does, or bears its name; else the first one.
 *  @param {number} token @param {Meta} from @param {Meta} to */
export function samePlace(token, from, to) {
    if (token < from.prefix.length) return Math.max(0, to.prefix.indexOf(from.prefix[token]));
    const patch = token - from.prefix.length;
    const [row, column] = [Math.floor(patch / from.columns), patch % from.columns];
    const down = Math.floor(((2 * row + 1) * to.rows) / (2 * from.rows));
    const across = Math.floor(((2 * column + 1) * to.columns) / (2 * from.columns));
    return to.prefix.length + down * to.columns + across;
}

/** What is another place in the second model than asked for, in sentences.
 *  @param {Selection} shown @param {Meta} first @param {Meta} second */
export function differs(shown, first, second) {
    const parts = [];
    const other = /** @type {Selection} */ (placed(shown, first, second));
    for (const [name, many, one] of /** @type {const} */ ([
        ["layer", "depth", "layer"],
        ["head", "heads", "head"],
    ]))
        if (other[name] !== shown[name])
            parts.push(
                `B has ${second[many]} ${one}${second[many] > 1 ? "s" : ""}: ${one} ${other[name] + 1} of ${second[many]} ` +
                    `beside ${one} ${shown[name] + 1} of ${first[many]}.`,
            );
    const [a, b] = [first, second].map(({ rows, columns }) => `${rows} × ${columns}`);
    if (a !== b) parts.push(`${a} patches beside ${b}: the patch that lies at the same place.`);
    const named = first.prefix[shown.query];
    if (named && !second.prefix.includes(named)) parts.push(`B has no [${named}] token: its first token instead.`);
    return parts;
}

/** Numbers per patch spread over another grid by area: what they sum to stays.
 *  @param {ArrayLike<number>} values @param {Pick<Meta, "rows" | "columns">} from @param {Pick<Meta, "rows" | "columns">} to */
export function spread(values, from, to) {
    const out = new Float64Array(to.rows * to.columns);
    const [down, across] = [shares(from.rows, to.rows), shares(from.columns, to.columns)];
    for (const [row, y, tall] of down)
        for (const [column, x, wide] of across)
            out[y * to.columns + x] += values[row * from.columns + column] * tall * wide;
    return out;
}

/** Which share of each of `from` cells lies in each of `to`: cell, other cell, share. @param {number} from
 *  @param {number} to @returns {[number, number, number][]} */
function shares(from, to) {
    /** @type {[number, number, number][]} */
    const found = [];
    for (let cell = 0; cell < from; cell++)
        for (let other = Math.floor((cell * to) / from); other * from < (cell + 1) * to; other++) {
            const [start, end] = [Math.max(cell * to, other * from), Math.min((cell + 1) * to, (other + 1) * from)];
            if (end > start) found.push([cell, other, (end - start) / to]);
        }
    return found;
}

/** The moment of a page with another model: of the same name, or where there is none, in the same place.
 *  `same_moment` of a page says the same.
 *  @param {string} name @param {Stage | undefined} from @param {Stage | undefined} to */
export function sameMoment(name, from, to) {
    if (!to || to.moments.some((it) => it.name === name)) return name;
    return to.moments[Math.min(placeOf(from?.moments ?? [], name), to.moments.length - 1)].name;
}
