// Written by `make schema` from what Python declares.
/** @type {string[]} */
export const LECTURES = ["lesson", "room", "record"];
/** @type {string[]} */
export const OF_A_VISIT = ["lesson", "room", "record", "step", "take"];
