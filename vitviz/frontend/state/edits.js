// What is changed in a forward pass, as short text: read, written and changed as vitviz/edits.py does, whose table says
// what each word means. Everything counts from 1 in the text, and from 0 here.

/** @import { Meta } from "../types/board.js" */

/** What is done to one place, or to a run of equal ones: `what` is the end of its word, as in "*0" or "=mean". `layer` is
 *  ALL where there is none, `first` is ALL where there is no place; `prefix`: the places are tokens before the patches.
 *  @typedef {{ letter: string, layer: number, prefix: boolean, first: number, last: number, what: string }} Edit */

export const ALL = -1;

/** Of each letter: whether it has a layer ("one", or "any": one or all), which places it has, what may follow, whether
 *  equal neighbours are written as one, and what a number may be.
 *  @typedef {{ layer: "" | "one" | "any", places: "" | "heads" | "patches" | "patch" | "tokens", whats: RegExp, runs?: boolean,
 *    least?: number, most?: number }} Kind */

const SCALE = /^(\*\d{1,6}(\.\d*)?|=mean|=mean\.all)$/;
const NUMBER = /^=\d{1,6}(\.\d*)?$/;
const WHOLE = /^=\d{1,6}$/;
const SWAP = /^=(\d{1,6}|shuffled(@\d{1,6})?)$/;

/** In the order of the text. @type {Record<string, Kind>} */
export const KINDS = {
    h: { layer: "one", places: "heads", whats: SCALE, runs: true, least: 0, most: 2 },
    a: { layer: "one", places: "", whats: SCALE, least: 0, most: 2 },
    m: { layer: "one", places: "", whats: SCALE, least: 0, most: 2 },
    b: { layer: "one", places: "", whats: /^\*\d{1,6}(\.\d*)?$/, least: 0, most: 2 },
    t: { layer: "any", places: "", whats: NUMBER, least: 0.01, most: 100 },
    s: { layer: "any", places: "", whats: /^=(sqrt|dh|none)$/ },
    k: { layer: "any", places: "", whats: WHOLE, least: 1 },
    w: { layer: "any", places: "", whats: WHOLE, least: 0 },
    c: { layer: "any", places: "", whats: /^(=(causal|full))?$/ },
    p: { layer: "", places: "patches", whats: /^(=(masked|removed|grey|blur|paste))?$/, runs: true },
    i: { layer: "", places: "patch", whats: SWAP },
    e: { layer: "", places: "patch", whats: /^=(\d{1,6}|off|shuffled(@\d{1,6})?)$/ },
    d: { layer: "", places: "", whats: /^=\d{1,6}(\.\d*)?(@\d{1,6})?$/, least: 0, most: 0.9 },
    l: { layer: "", places: "", whats: /^=\d{1,6}(\.\d*)?(@\d{1,6})?$/, least: 0, most: 0.9 },
    r: { layer: "one", places: "tokens", whats: /^$/, runs: true },
};
const LETTERS = Object.keys(KINDS);
const WORD = /^([a-z])([^*=]*)((?:[*=].*)?)$/;
const PLACES = /^(x?)(\d{1,8})(?:-(\d{1,8}))?$/;
const MOST = 1000; // words that are read

/** What of a text this model can have; Python says the rest. @param {string} text @param {Meta} meta @returns {Edit[]} */
export function read(text, meta) {
    const words = text.split(/\s+/).filter(Boolean).slice(0, MOST);
    return words.reduce((edits, word) => wordOf(word, meta).reduce((all, it) => put(all, it, meta), edits), nothing());
}

/** @returns {Edit[]} */
const nothing = () => [];

/** The edits of one word; none where this model cannot have it. @param {string} word @param {Meta} meta @returns {Edit[]} */
function wordOf(word, meta) {
    const found = WORD.exec(word);
    const kind = found && KINDS[found[1]];
    if (!found || !kind) return [];
    const [, letter, where, what] = found;
    if (!kind.whats.test(what)) return [];
    const point = where.indexOf(".");
    const [before, place] = kind.layer
        ? [point < 0 ? where : where.slice(0, point), where.slice(point + 1)]
        : ["", where];
    const layer = before === "" ? ALL : Number(/^\d{1,8}$/.test(before) ? before : 0) - 1;
    if (kind.layer === "one" && layer < 0) return [];
    if (layer < ALL || layer >= meta.depth || (before !== "" && layer < 0)) return [];
    const single = kind.places === "patch" && /^=\d/.test(what);
    const placed = kind.places === "patch" ? single : Boolean(kind.places);
    const base = { letter, layer, prefix: false, first: ALL, last: ALL, what: ended(letter, what, meta) };
    if (!placed) return (kind.layer && point >= 0) || (!kind.layer && place) ? [] : [base];
    if (kind.layer && point < 0) return [];
    if (kind.places === "tokens" && place === "all") {
        const own = { ...base, first: 0, last: meta.patches - 1 };
        return meta.prefix.length ? [{ ...base, prefix: true, first: 0, last: meta.prefix.length - 1 }, own] : [own];
    }
    const run = PLACES.exec(place);
    if (!run || (run[1] && kind.places !== "tokens") || (run[3] && single)) return [];
    const most = run[1] ? meta.prefix.length : kind.places === "heads" ? meta.heads : meta.patches;
    const [first, last] = [Number(run[2]) - 1, Math.min(Number(run[3] ?? run[2]), most) - 1];
    if (first < 0 || first >= most || last < first) return [];
    if (!single) return [{ ...base, prefix: Boolean(run[1]), first, last }];
    const other = Number(what.slice(1)) - 1;
    if (other < 0 || other >= meta.patches) return [];
    const [one, two] = [Math.min(first, other), Math.max(first, other)];
    return [{ ...base, first: one, last: one, what: `=${two + 1}` }];
}

/** A number within its limits and with three digits; what is usual is not written. @param {string} letter
 *  @param {string} what @param {Meta} meta */
function ended(letter, what, meta) {
    const { least = 0, most = { k: meta.tokens, w: Math.max(meta.rows, meta.columns) - 1 }[letter] } = KINDS[letter];
    const found = /^([*=])(\d+(?:\.\d*)?)(?:@(\d+))?$/.exec(what);
    if (what === { p: "=masked", c: "=causal" }[letter]) return "";
    if (!found || most === undefined || KINDS[letter].places === "patch") return what.replace(/@0+$/, "");
    const seed = Number(found[3] ?? 0);
    const [whole, digits = ""] = found[2].split(".");
    const number = Math.min(most, Math.max(least, Number(`${whole}.${digits.slice(0, 3)}`)));
    return `${found[1]}${written(number)}${seed ? `@${seed}` : ""}`;
}

/** A number with as many of its three digits as it needs. @param {number} number */
export const written = (number) => String(Number(number.toFixed(3)));

/** Whether an edit leaves things as they are. @param {Edit} edit @param {Meta} meta */
function neutral({ letter, what, first }, meta) {
    if (first >= 0 && "ie".includes(letter)) return what === `=${first + 1}`;
    const usual = {
        s: "=sqrt",
        c: "=full",
        t: "=1",
        k: `=${meta.tokens}`,
        w: `=${Math.max(meta.rows, meta.columns) - 1}`,
    };
    if (letter in usual) return what === usual[/** @type {"s"} */ (letter)];
    return "dl".includes(letter) ? /^=0(@|$)/.test(what) : what === "*1";
}

/** @param {Edit} a @param {Edit} b */
const samePart = (a, b) =>
    a.letter === b.letter && a.layer === b.layer && a.prefix === b.prefix && a.first < 0 === b.first < 0;

/** All edits but for what they do at the places of another. @param {Edit[]} edits @param {Edit} out @returns {Edit[]} */
export function take(edits, out) {
    return edits.flatMap((edit) => {
        if (!samePart(edit, out)) return [edit];
        if (edit.first < 0) return [];
        const before = { ...edit, last: Math.min(edit.last, out.first - 1) };
        const after = { ...edit, first: Math.max(edit.first, out.last + 1) };
        return [before, after].filter(({ first, last }) => first <= last);
    });
}

/** The edits and one more; of two about the same place the later counts. @param {Edit[]} edits @param {Edit} edit
 *  @param {Meta} meta @returns {Edit[]} */
export function put(edits, edit, meta) {
    const left = take(edits, edit);
    const lifts = edit.layer !== ALL && KINDS[edit.letter].layer === "any";
    return neutral(edit, meta) && !lifts ? left : [...left, edit];
}

/** In the order of the text, equal neighbours as one, and nothing that lifts what is not there.
 *  @param {Edit[]} edits @param {Meta} meta @returns {Edit[]} */
export function inOrder(edits, meta) {
    const everywhere = new Set(edits.filter(({ layer }) => layer === ALL).map(({ letter }) => letter));
    const rest = edits.filter(
        (it) => KINDS[it.letter].layer !== "any" || everywhere.has(it.letter) || !neutral(it, meta),
    );
    rest.sort(
        (a, b) =>
            LETTERS.indexOf(a.letter) - LETTERS.indexOf(b.letter) ||
            a.layer - b.layer ||
            Number(b.prefix) - Number(a.prefix) ||
            a.first - b.first,
    );
    /** @type {Edit[]} */
    const ordered = [];
    for (const edit of rest) {
        const before = ordered.at(-1);
        const joins = before && samePart(before, edit) && before.what === edit.what && before.last + 1 === edit.first;
        if (joins && KINDS[edit.letter].runs) ordered[ordered.length - 1] = { ...before, last: edit.last };
        else ordered.push(edit);
    }
    return ordered;
}

/** @param {Edit[]} edits @param {Meta} meta */
export const write = (edits, meta) => inOrder(edits, meta).map(textOf).join(" ");

/** One edit as a word. @param {Edit} edit */
export function textOf({ letter, layer, prefix, first, last, what }) {
    const places = first < 0 ? "" : `${prefix ? "x" : ""}${first + 1}${last > first ? `-${last + 1}` : ""}`;
    return `${letter}${layer < 0 ? "" : layer + 1}${layer >= 0 && places ? "." : ""}${places}${what}`;
}

/** What is done at a place: the end of its word, or undefined. @param {Edit[]} edits @param {string} letter
 *  @param {number} [layer] @param {number} [place] @returns {string | undefined} */
export function whatAt(edits, letter, layer = ALL, place = ALL) {
    return edits.find(
        (it) =>
            it.letter === letter &&
            it.layer === layer &&
            !it.prefix &&
            (place < 0 ? it.first < 0 : it.first <= place && place <= it.last),
    )?.what;
}

/** Why an edit has no effect: what it is in is off or at its mean; "" where it has one.
 *  @param {Edit[]} edits @param {{ letter: string, layer: number }} place */
export function coveredBy(edits, { letter, layer }) {
    const [block, attention] = ["b", "a"].map((around) => whatAt(edits, around, layer) ?? "");
    if (layer < 0 || !"hamtskwc".includes(letter)) return "";
    if (block === "*0") return `the block of layer ${layer + 1} is off already`;
    if ("am".includes(letter) || !/^(\*0$|=)/.test(attention)) return "";
    return `the attention of layer ${layer + 1} is ${attention === "*0" ? "off" : "at its mean"} already`;
}

/** The first layer whose maps edits can change. @param {Edit[]} edits */
export const reached = (edits) =>
    Math.min(...edits.map(({ letter, layer }) => Math.max(0, layer + Number("hamb".includes(letter)))));

/** Why what a head looks at goes nowhere: it is off, or what it is in; "" where it is not. The number of heads stands for
 *  all of a layer. @param {Edit[]} edits @param {{ heads: number }} meta @param {number} layer @param {number} head */
export function offAt(edits, { heads }, layer, head) {
    const off = (/** @type {string} */ letter, place = ALL) => whatAt(edits, letter, layer, place) === "*0";
    if (off("b")) return `layer ${layer + 1} is off`;
    if (off("a")) return `the attention of layer ${layer + 1} is off`;
    if (head < heads) return off("h", head) ? "it is off" : "";
    return headsOff(edits, { heads }, layer) === heads ? "its heads are off" : "";
}

/** How many heads of a layer are off one by one. @param {Edit[]} edits @param {{ heads: number }} meta @param {number} layer */
export function headsOff(edits, { heads }, layer) {
    return Array.from({ length: heads }, (_, at) => at).filter((at) => whatAt(edits, "h", layer, at) === "*0").length;
}

/** The same as the end of what is said of a head. @param {Parameters<typeof offAt>} of */
export function saysOff(...of) {
    const why = offAt(...of);
    return why && ` · adds nothing: ${why}`;
}

/** The end of what is said of the mean of a layer's heads, in which those that are off count as well.
 *  @param {Edit[]} edits @param {{ heads: number }} meta @param {number} layer */
export function saysMean(edits, meta, layer) {
    const off = headsOff(edits, meta, layer);
    return saysOff(edits, meta, layer, meta.heads) || (off ? ` · ${off} off included` : "");
}
