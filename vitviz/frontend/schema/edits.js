// Written by `make schema` from what Python declares.
/** @type {Record<string, import("./types.js").Grammar>} */
export const KINDS = {
    h: { layer: "one", places: "heads", runs: true, words: ["mean", "mean.all"], most: 2, sign: "*" },
    a: { layer: "one", words: ["mean", "mean.all"], most: 2, sign: "*" },
    m: { layer: "one", words: ["mean", "mean.all"], most: 2, sign: "*" },
    b: { layer: "one", most: 2, sign: "*" },
    t: { layer: "any", neutral: "=1", least: 0.01, most: 100 },
    s: { layer: "any", neutral: "=sqrt", words: ["sqrt", "dh", "none"] },
    k: { layer: "any", least: 1, most: "tokens", whole: true },
    w: { layer: "any", most: "furthest", whole: true },
    c: { layer: "any", usual: "causal", neutral: "=full", words: ["causal", "full"] },
    p: { places: "patches", usual: "masked", runs: true, words: ["masked", "removed", "grey", "blur", "paste"], does: { masked: "hides", removed: "hides", grey: "paints", blur: "paints", paste: "paints second" } },
    i: { places: "patch", words: ["shuffled"], does: { "": "paints" }, seeded: "shuffled" },
    e: { places: "patch", words: ["off", "shuffled"], seeded: "shuffled" },
    o: { places: "patches", neutral: "=0", runs: true, most: 32 },
    d: { neutral: "=0", most: 0.9, seeded: "" },
    l: { neutral: "=0", does: { "": "waits" }, most: 0.9, seeded: "" },
    r: { layer: "one", places: "tokens", runs: true, does: { "": "second" } },
};
