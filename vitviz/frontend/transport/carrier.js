// Carries what Python says to the board, which may not be there yet.

import { inbox } from "./inbox.js";

/** @import { Component, Data } from "../types/board.js" */

/** @param {Component<[Data]>} component */
export default function carrier({ data: [said] }) {
    inbox().push(said);
}
