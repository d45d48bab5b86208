// Choices of single scenes: their name in the address and their values, the usual one first.

/** @type {Record<string, string[]>} */
export const SWITCHES = {
    covered: ["no", "yes"],
    divide: ["root", "one", "all"],
    drawn: ["light", "colours"],
    hides: ["grey", "masked"],
    mean: ["0", "1"],
    measured: ["no", "yes"],
    placed: ["learned", "off", "shuffled"],
    runs: ["here", "server", "fetching"],
    scale: ["shared", "own"],
    shows: ["row", "column", "rollout"],
    switches: ["folded", "open"],
    taken: ["off", "mean"],
    traced: ["no", "enough", "needed"],
    tried: ["own", "32", "16", "8", "4"],
};
