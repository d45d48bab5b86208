// What is changed in a forward pass, as short text: read, written and changed as vitviz/edits does, whose table says what
// each word means. Everything counts from 1 in the text, and from 0 here.

/** @import { Grammar } from "../schema/types.js" */

import { KINDS } from "../schema/edits.js";

/** What is done to one place, or to a run of equal ones: `what` is the end of its word, as in "*0" or "=mean". `layer` is
 *  ALL where there is none, `first` is ALL where there is no place; `prefix`: the places are tokens before the patches.
 *  @typedef {{ letter: string, layer: number, prefix: boolean, first: number, last: number, what: string }} Edit */

/** Of a model, with the tokens before those of its patches.
 *  @typedef {{ depth: number, heads: number, rows: number, columns: number, prefix: { length: number } }} Sizes */

export const ALL = -1;

const LETTERS = Object.keys(KINDS);
const WORD = /^([a-z])([^*=]*)(?:([*=])(.*))?$/;
const WHERE = /^([^.]*)(\.?)(.*)$/;
const PLACES = /^(x?)(\d{1,8})(?:-(\d{1,8}))?$/;
const SEEDED = /^([^@]*)(?:@(\d{1,6}))?$/;
const NUMBER = /^(\d{1,6})(?:\.(\d*))?$/;
const MOST = 1000; // words that are read

/** What of a text this model can have, and the words that say nothing of it: Python tells why.
 *  @param {string} text @param {Sizes} sizes */
export function parse(text, sizes) {
    /** @type {Edit[]} */
    let edits = [];
    /** @type {string[]} */
    const refused = [];
    for (const word of text.split(/\s+/).filter(Boolean).slice(0, MOST)) {
        const all = wordOf(word, sizes)?.reduce((sum, it) => put(sum, it, sizes), edits);
        if (all && (sizes.prefix.length || hidden(all) < mostOf("patches", sizes))) edits = all;
        else refused.push(word);
    }
    return { edits, refused };
}

/** @param {string} text @param {Sizes} sizes */
export const read = (text, sizes) => parse(text, sizes).edits;

/** How many patches no token looks at. @param {Edit[]} edits */
function hidden(edits) {
    return edits.filter(doing("hides")).reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The edits of one word; nothing where this model cannot have it. @param {string} word @param {Sizes} sizes
 *  @returns {Edit[] | undefined} */
function wordOf(word, sizes) {
    const [, letter, where, sign = "", end = ""] = WORD.exec(word) ?? [];
    const kind = KINDS[letter];
    if (!kind) return;
    const [, before, point, place] = (kind.layer && WHERE.exec(where)) || ["", "", "", where];
    const one = before || kind.layer === "one";
    const layer = one ? counted(before, sizes.depth) : ALL;
    const swaps = kind.places === "patch" && place;
    const placed = swaps || (kind.places && kind.places !== "patch");
    const [patches, { length }] = [mostOf("patches", sizes), sizes.prefix];
    const other = swaps && sign === "=" && end.length < 7 ? counted(end, patches) : ALL;
    const what = swaps ? `=${other + 1}` : ended(kind, sign, end, sizes);
    if ((one && layer < 0) || Boolean(point || place) !== Boolean(placed) || what === undefined) return;
    const base = { letter, layer, prefix: false, first: ALL, last: ALL, what };
    if (!placed) return [base];
    if (kind.places === "tokens" && place === "all") {
        const own = { ...base, first: 0, last: patches - 1 };
        return length ? [{ ...base, prefix: true, first: 0, last: length - 1 }, own] : [own];
    }
    const [, x, from, to = from] = PLACES.exec(place) ?? [];
    const most = x ? length : kind.places === "heads" ? sizes.heads : patches;
    const [first, last] = [from ? counted(from, most) : ALL, Math.min(Number(to), most) - 1];
    if (first < 0 || last < first || (x && kind.places !== "tokens")) return;
    if (!swaps) return [{ ...base, prefix: Boolean(x), first, last }];
    if (other < 0 || to !== from) return;
    const [smaller, larger] = [Math.min(first, other), Math.max(first, other)];
    return [{ ...base, first: smaller, last: smaller, what: `=${larger + 1}` }];
}

/** What counts from 1 to `most`, from 0; ALL where it does not. @param {string} text @param {number} most */
const counted = (text, most) => (/^\d{1,8}$/.test(text) && Number(text) <= most ? Number(text) : 0) - 1;

/** The end of a word as it is written, a number within its limits; nothing where it cannot stand there.
 *  @param {Grammar} kind @param {string} sign @param {string} end @param {Sizes} sizes */
function ended(kind, sign, end, sizes) {
    const [, value = "@", seed = ""] = SEEDED.exec(end) ?? [];
    const word = sign ? value : (kind.usual ?? "");
    const tail = Number(seed) ? `@${Number(seed)}` : "";
    if (sign !== "*" && kind.words?.includes(word) && (!seed || kind.seeded === word))
        return word === kind.usual ? "" : `=${word}${tail}`;
    if (!sign && !kind.most && !kind.words) return "";
    const [, whole, digits = ""] = NUMBER.exec(value) ?? [];
    if (!whole || !kind.most || sign !== (kind.sign ?? "=") || (seed && kind.seeded !== "") || (kind.whole && digits))
        return;
    const number = Number(`${whole}.${digits.slice(0, 3)}`);
    return sign + written(Math.min(mostOf(kind.most, sizes), Math.max(kind.least ?? 0, number))) + tail;
}

/** Whether an edit "hides", "paints", takes a "second" picture or "waits", as `Kind` of vitviz/edits. @param {string} it
 *  @returns {(edit: Edit) => boolean} */
export const doing =
    (it) =>
    ({ letter, what }) => {
        const { does = {}, usual = "" } = KINDS[letter];
        return (does[what.slice(1) || usual] ?? does[""] ?? "").includes(it);
    };

/** Whether some edits take the second picture. @param {string} text @param {Sizes} sizes */
export const takeSecond = (text, sizes) => read(text, sizes).some(doing("second"));

/** @param {Grammar["most"]} most @param {Sizes} sizes */
function mostOf(most, { rows, columns, prefix }) {
    const patches = rows * columns;
    const sizes = { patches, tokens: patches + prefix.length, furthest: Math.max(rows, columns) - 1 };
    return typeof most === "string" ? sizes[most] : (most ?? 0);
}

/** A number with as many of its three digits as it needs. @param {number} number */
export const written = (number) => String(Number(number.toFixed(3)));

/** Whether an edit leaves things as they are. @param {Edit} edit @param {Sizes} sizes */
function neutral({ letter, what, first }, sizes) {
    const { places, most, neutral = "*1" } = KINDS[letter];
    if (places === "patch") return what === `=${first + 1}`;
    return what.split("@")[0] === (typeof most === "string" ? `=${mostOf(most, sizes)}` : neutral);
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
 *  @param {Sizes} sizes @returns {Edit[]} */
export function put(edits, edit, sizes) {
    const left = take(edits, edit);
    const lifts = edit.layer !== ALL && KINDS[edit.letter].layer === "any";
    return neutral(edit, sizes) && !lifts ? left : [...left, edit];
}

/** In the order of the text, equal neighbours as one, and nothing that lifts what is not there.
 *  @param {Edit[]} edits @param {Sizes} sizes @returns {Edit[]} */
export function inOrder(edits, sizes) {
    const everywhere = new Set(edits.filter(({ layer }) => layer === ALL).map(({ letter }) => letter));
    const rest = edits.filter(
        (it) => KINDS[it.letter].layer !== "any" || everywhere.has(it.letter) || !neutral(it, sizes),
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

/** @param {Edit[]} edits @param {Sizes} sizes */
export const write = (edits, sizes) => inOrder(edits, sizes).map(textOf).join(" ");

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
