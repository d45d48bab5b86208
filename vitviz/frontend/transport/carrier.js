// Carries what Python says, words and parcels of numbers, to the board, which may not be there yet.

import { inbox, standing } from "./inbox.js";

/** @import { Component, Data } from "../types/board.js" */

/** @param {Component<Uint8Array | [Data]>} component */
export default function carrier({ data, parentElement }) {
    inbox().push(data instanceof Uint8Array ? data : data[0]);
    if (!(data instanceof Uint8Array)) return;
    standing().set(parentElement, data);
    return () => standing().get(parentElement) === data && standing().delete(parentElement);
}
