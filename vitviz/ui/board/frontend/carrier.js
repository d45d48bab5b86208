// Carries what Python says, words and parcels of numbers, to the board, which may not be there yet.

import { inbox } from "./state/inbox.js";

/** @import { Component, Data } from "./types.js" */

/** @param {Component<Uint8Array | [Data]>} component */
export default function carrier({ data }) {
    inbox().push(data instanceof Uint8Array ? data : data[0]);
}
