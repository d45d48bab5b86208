// Written by `make schema` from what Python declares.
/** @type {string} */
export const LEADS = "lecturer";
/** @type {string} */
export const TEACHES = "lecture";
/** @type {string} */
export const HOME = "home";
