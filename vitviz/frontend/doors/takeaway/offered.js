// What is offered: the pictures that are seen, and addresses of what is seen.

/** @import { TakeAway } from "../../frame/takeaway.js" */
/** @import { Place } from "../../types/board.js" */

import { HERE_ALONE } from "../../schema/pages.js";
import { withWords, wordsIn } from "../../transport/words.js";
import { WITH_PICTURE } from "./files.js";

/** The pictures that are seen: the board's columns, then what the page has drawn, from the top. @param {TakeAway} takeaway
 *  @returns {Place[]} */
export function placesOf(takeaway) {
    const { board, columns, drawn } = takeaway;
    const { stage } = board.first;
    const shown = columns.flatMap(({ column, button }) => {
        const { meta } = column.data;
        if (!meta?.takes || !stage || !button.checkVisibility()) return [];
        const [key, title] = column === board.first ? ["", ""] : [".b", ", B"];
        const { moment, learned } = column.chosen;
        const learns = learned >= 0 && moment === meta.takes.learns;
        const all = meta.takes.files_at?.[moment] ?? meta.takes.files;
        const files = all.filter((what) => !learns || !WITH_PICTURE.includes(what));
        return [{ ...meta.takes, files, key: meta.takes.key + key, title: stage.title + title, button }];
    });
    const last = new Map(drawn.map((it) => [it.button, it]));
    const seen = [...last.values()].filter(({ button }) => button.checkVisibility());
    takeaway.drawn = [...last.values()].filter(({ button }) => button.isConnected);
    takeaway.columns = columns.filter(({ button }) => button.isConnected);
    const top = (/** @type {Place} */ { button }) => button.getBoundingClientRect().top;
    return [...shown, ...seen.sort((a, b) => top(a) - top(b))];
}

/** The address of all that is seen. @param {TakeAway} takeaway */
export const addressOf = ({ board: { first } }) => new URL(first.stage ? first.address : location.href, location.href);

/** The path of the cell of what is seen, in the notebook. @param {TakeAway} takeaway @param {string} cell where that of
 *  the page is */
export function cellOf(takeaway, cell) {
    const { first, store } = takeaway.board;
    const { pathname, search } = new URL(cell, location.href);
    const others = Object.entries(wordsIn(addressOf(takeaway).search)).filter(([name]) => !HERE_ALONE.includes(name));
    const words = { ...Object.fromEntries(others), ...wordsIn(search) };
    if (first.stage) words.cell += `.${store.chosen.moment}`;
    return withWords(pathname, words);
}
