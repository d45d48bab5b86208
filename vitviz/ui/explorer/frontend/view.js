/** @import { Component, PythonView } from "./types.js" */

import { views } from "./state/inbox.js";

/** A component that carries the view between Python and the explorer. @param {Component<PythonView>} component */
export default function view({ data, setStateValue }) {
    views.push([data, (view) => setStateValue("view", view)]);
}
