// Written by `make schema` from what Python declares.
/** @type {number} */
export const BINS = 20;
/** @type {number} */
export const FULL = 65535;
