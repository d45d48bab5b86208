// Carries bytes from Python to the board, which may not be there yet.

import { inbox } from "./state/parcels.js";

/** @import { Component } from "./types.js" */

/** @param {Component<Uint8Array>} component */
export default function parcel({ data }) {
    inbox().push(data);
}
