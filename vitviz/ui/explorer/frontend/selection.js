/** @import { Component, Echo } from "./types.js" */

import { echoes } from "./state/inbox.js";

/** A component that carries the selection between Python and the explorer. @param {Component<Echo>} component */
export default function selection({ data, setStateValue }) {
    echoes.push([data, (message) => setStateValue("selection", message)]);
}
