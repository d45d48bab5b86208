// Written by `make schema` from what Python declares.
/** @type {string} */
export const FIRST = "overview";
/** @type {string[]} */
export const HERE_ALONE = ["open", "moment", "take", "begun", "chapter", "cell"];
