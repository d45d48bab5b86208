// Where what Python says meets the board, whichever is there first.

/** @import { Data } from "../types.js" */

/** What Python sends waits here until the board's code is there to read it.
 *  @returns {{ push(sent: Uint8Array | Data): unknown } | (Uint8Array | Data)[]} */
export function inbox() {
    globalThis.__vitviz_inbox ??= [];
    return globalThis.__vitviz_inbox;
}

/** Read what has come, and from now on what comes. @param {(sent: Uint8Array | Data) => void} read
 *  @returns {() => void} what lets it wait again */
export function attend(read) {
    const waiting = inbox();
    globalThis.__vitviz_inbox = { push: read };
    if (Array.isArray(waiting)) waiting.forEach(read);
    return () => {
        globalThis.__vitviz_inbox = undefined;
    };
}
