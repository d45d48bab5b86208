/** @import { Component } from "./types.js" */

import { messages } from "./state/inbox.js";

/** A component that carries bytes from Python to the explorer. @param {Component<Uint8Array>} component */
export default function message({ data }) {
    messages.push(data);
}
