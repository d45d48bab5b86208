// Where what Python says meets the board, whichever is there first.

/** @import { Sent } from "../types/board.js" */

/** What Python sends waits here until the board's code is there to read it.
 *  @returns {{ push(sent: Sent): unknown } | Sent[]} */
export function inbox() {
    globalThis.__vitviz_inbox ??= [];
    return globalThis.__vitviz_inbox;
}

/** Let the board go to an address, and Python read it, from any script on the page. @param {string} to
 *  @param {boolean} entry whether it is a new one of the browser's history */
export const visit = (to, entry) => inbox().push({ visit: to, entry });

/** Read what has come, and from now on what comes. @param {(sent: Sent) => void} read */
export function attend(read) {
    const waiting = inbox();
    globalThis.__vitviz_inbox = { push: read };
    if (Array.isArray(waiting)) waiting.forEach(read);
}
