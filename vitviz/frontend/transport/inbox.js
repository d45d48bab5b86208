// Where what Python says meets the board, whichever is there first.

/** @import { Sent } from "../types/board.js" */

/** What Python sends waits here until the board's code is there to read it.
 *  @returns {{ push(sent: Sent): unknown } | Sent[]} */
export function inbox() {
    globalThis.__vitviz_inbox ??= [];
    return globalThis.__vitviz_inbox;
}

/** The numbers of Python's that stand on the page, by their place: Streamlit hands on nothing twice.
 *  @returns {Map<ShadowRoot, Uint8Array>} */
export function standing() {
    globalThis.__vitviz_standing ??= new Map();
    return globalThis.__vitviz_standing;
}

/** Read what has come, and from now on what comes. @param {(sent: Sent) => void} read */
export function attend(read) {
    const waiting = inbox();
    globalThis.__vitviz_inbox = { push: read };
    if (Array.isArray(waiting)) waiting.forEach(read);
}
