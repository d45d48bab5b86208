// Written by `make schema` from what Python declares.
/** @type {string[]} */
export const OF_A_VISIT = ["take", "lesson", "step", "room", "record"];
/** @type {string[]} */
export const HERE_ALONE = ["open", "moment", "take", "chapter", "cell"];
