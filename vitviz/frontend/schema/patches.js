// Written by `make schema` from what Python declares.
/** @type {string[]} */
export const INSIDE = ["q", "k", "v"];
/** @type {string[]} */
export const ONCE = ["pixels", "token"];
