// Written by `make schema` from what Python declares.
/** @type {Record<string, import("./types.js").Numbered | import("./types.js").Read | string[]>} */
export const WORDS = {
    layer: { most: "depth" },
    head: { most: "heads" },
    beside: { most: "heads", usual: 2 },
    component: { most: "dim" },
    answer: { most: "classes", usual: 0 },
    against: { most: "classes", usual: 0 },
    query: "token",
    key: "token",
    removed: { most: 16777216, least: 0, usual: 0, before: 0 },
    randomised: { most: 1025, least: 0, usual: 0, before: 0 },
    after: { most: "depth", least: 0, usual: null, before: 0 },
    through: { most: "depth", before: 0 },
    learned: { most: 999999, least: 0, usual: -1, before: 0 },
    crop: "crop",
    edits: "edits",
    donor: "donor",
    begun: ["nothing", "maps", "trial", "randomised"],
    covered: ["no", "yes"],
    divide: ["root", "one", "all"],
    drawn: ["light", "colours"],
    fill: ["grey", "blur", "mean"],
    hides: ["grey", "masked"],
    map: ["sum", "attention", "rollout", "gradient_attention", "gradient_input", "occlusion", "chance"],
    mean: ["0", "1"],
    measured: ["no", "yes"],
    of: ["state", "q", "k", "v", "token", "pixels"],
    opened: ["all", "layer", "head"],
    placed: ["learned", "off", "shuffled"],
    principal: ["all", "1", "2", "3"],
    runs: ["here", "server", "fetching"],
    scale: ["shared", "own"],
    sees: ["removed", "kept"],
    shows: ["row", "column", "rollout"],
    switches: ["folded", "open"],
    taken: ["off", "mean"],
    threshold: ["none", "-100", "-95", "-90", "-85", "-80", "-75", "-70", "-65", "-60", "-55", "-50", "-45", "-40", "-35", "-30", "-25", "-20", "-15", "-10", "-5", "0", "5", "10", "15", "20", "25", "30", "35", "40", "45", "50", "55", "60", "65", "70", "75", "80", "85", "90", "95", "100"],
    traced: ["no", "enough", "needed"],
    tried: ["own", "32", "16", "8", "4"],
    moment: "moment",
    open: ["", "formula", "code", "details"],
};
/** @type {string[]} */
export const LEAVES = ["begun", "chapter", "cell"];
/** @type {number[]} */
export const SIDES = [20, 1000];
/** @type {string} */
export const SECOND = "b.";
