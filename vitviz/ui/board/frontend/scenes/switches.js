// Choices of single scenes: their name in the address and their values, the usual one first.

/** @type {Record<string, string[]>} */
export const SWITCHES = {
    covered: ["no", "yes"],
    divide: ["root", "one", "all"],
    drawn: ["light", "colours"],
    mean: ["0", "1"],
    placed: ["learned", "off", "shuffled"],
    scale: ["shared", "own"],
    shows: ["row", "column", "rollout"],
    tried: ["own", "32", "16", "8", "4"],
};
