// Written by `make schema` from what Python declares.
/** @type {Record<string, import("./types.js").Wording>} */
export const WORDING = {
    h: { says: "{run} of layer {layer} {done}", done: { mean: "at the mean of 64 scenes, token by token", "mean.all": "at the mean of 64 scenes, over all tokens", "0": "off", "#": "times {number}" }, runs: ["Head", "Heads"], together: "# heads" },
    a: { says: "Attention of layer {layer} {done}", done: "h", together: "Attention of # layers" },
    m: { says: "MLP of layer {layer} {done}", done: "h", together: "MLPs of # layers" },
    b: { says: "Layer {layer} {done}", done: { "0": "off", "#": "times {number}" }, together: "# layers" },
    t: { says: "Temperature {done} {where}", done: { "#": "{number}" } },
    s: { says: "Scores {where} {done}", done: { sqrt: "divided by √dₕ", dh: "divided by dₕ", none: "not divided" } },
    k: { says: "Only the {done} of a row {where}", done: { "1": "largest score", "#": "{number} largest scores" } },
    w: { says: "Patches see no further than {done} patches {where}", done: "t" },
    c: { says: "{done} mask {where}", done: { "": "Causal", full: "No causal" } },
    p: { says: "{run} {done}", done: { "": "hidden: masked as keys", removed: "hidden: removed as tokens", grey: "painted grey", blur: "painted with their mean colour", paste: "pasted from the second picture" }, runs: ["Patch", "Patches"], together: "# patches" },
    i: { says: "Pixels of {done}", done: { shuffled: "all patches shuffled (seed {seed})", "#": "patches {first} and {number} swapped" } },
    e: { says: "Positions of {done}", done: { off: "all patches off", shuffled: "all patches shuffled (seed {seed})", "#": "patches {first} and {number} swapped" } },
    o: { says: "Position of {run} moved to the right by {done}", done: { "1": "1 column", "#": "{number} columns" }, runs: ["patch", "patches"], together: "Positions of # patches moved to the right by" },
    d: { says: "Dropout {done} (seed {seed}; attention maps show the weights before it)", done: "t" },
    l: { says: "Drop path {done} (seed {seed})", done: "t" },
    r: { says: "{run} of the second picture put in before layer {layer}", done: {  }, runs: ["Patch", "Patches"] },
};
