// Edits as a person would say them, in the words of vitviz/edits.py.

/** @import { Meta } from "../types/board.js" */
/** @import { Edit } from "./edits.js" */

const SCENES = 64; // over which means are taken
const HIDDEN = /** @type {Record<string, string>} */ ({
    "": "hidden: masked as keys",
    "=removed": "hidden: removed as tokens",
    "=grey": "painted grey",
    "=blur": "painted with their mean colour",
    "=paste": "pasted from the second picture",
});
const DIVIDED = /** @type {Record<string, string>} */ ({
    "=sqrt": "divided by √dₕ",
    "=dh": "divided by dₕ",
    "=none": "not divided",
});

/** "Head 1 of layer 3 off". @param {Edit} edit @param {Meta} meta */
export function inWords(edit, meta) {
    const { letter, layer, first, what } = edit;
    const number = what.slice(1);
    const where = layer < 0 ? "in all layers" : `in layer ${layer + 1}`;
    const places = letter === "i" ? "Pixels" : "Positions";
    switch (letter) {
        case "h":
            return `${run(edit, "Head", "Heads")} of layer ${layer + 1} ${done(what)}`;
        case "a":
            return `Attention of layer ${layer + 1} ${done(what)}`;
        case "m":
            return `MLP of layer ${layer + 1} ${done(what)}`;
        case "b":
            return `Layer ${layer + 1} ${done(what)}`;
        case "t":
            return `Temperature ${number} ${where}`;
        case "s":
            return `Scores ${where} ${DIVIDED[what]}`;
        case "k":
            return `Only the ${number === "1" ? "largest score" : `${number} largest scores`} of a row ${where}`;
        case "w":
            return `Patches see no further than ${number} patches ${where}`;
        case "c":
            return `${what ? "No causal" : "Causal"} mask ${where}`;
        case "p":
            return `${run(edit, "Patch", "Patches")} ${HIDDEN[what]}`;
        case "i":
        case "e":
            if (first >= 0) return `${places} of patches ${first + 1} and ${number} swapped`;
            return `${places} of all patches ${what === "=off" ? "off" : `shuffled (seed ${seed(what)})`}`;
        case "d":
            return `Dropout ${number.replace(/@.*/, "")} (seed ${seed(what)}; attention maps show the weights before it)`;
        case "l":
            return `Drop path ${number.replace(/@.*/, "")} (seed ${seed(what)})`;
        default:
            return `${tokens(edit, meta)} of the second picture put in before layer ${layer + 1}`;
    }
}

const MANY = /** @type {Record<string, string>} */ ({
    h: "# heads",
    a: "Attention of # layers",
    m: "MLPs of # layers",
    b: "# layers",
    p: "# patches",
});

/** What several edits do, in words: patches that are hidden alike are one change, and what is done alike is said once.
 *  @param {Edit[]} edits @param {Meta} meta */
export function allInWords(edits, meta) {
    const [{ letter, what }] = edits;
    if (edits.length === 1) return inWords(edits[0], meta);
    if (letter in MANY && edits.every((it) => it.letter === letter && it.what === what)) {
        const many = edits.reduce((sum, { first, last }) => sum + last - first + 1, 0);
        return `${MANY[letter].replace("#", String(many))} ${letter === "p" ? HIDDEN[what] : done(what)}`;
    }
    return `${new Set(edits.map((it) => (it.letter === "p" ? it.what : it))).size} changes`;
}

const seed = (/** @type {string} */ what) => what.split("@")[1] ?? "0";

/** @param {string} what */
function done(what) {
    if (what.startsWith("=mean"))
        return `at the mean of ${SCENES} scenes, ${what === "=mean" ? "token by token" : "over all tokens"}`;
    return what === "*0" ? "off" : `times ${what.slice(1)}`;
}

/** @param {Edit} edit @param {string} one @param {string} many */
const run = ({ first, last }, one, many) =>
    last > first ? `${many} ${first + 1} to ${last + 1}` : `${one} ${first + 1}`;

/** @param {Edit} edit @param {Meta} meta */
function tokens(edit, { prefix }) {
    if (!edit.prefix) return run(edit, "Patch", "Patches");
    return prefix
        .slice(edit.first, edit.last + 1)
        .map((name) => `[${name}]`)
        .join(", ");
}
