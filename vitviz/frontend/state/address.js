// The address of the page holds the selection: the one place that reads it and writes it.

/** @import { Numbered, Read } from "../schema/types.js" */
/** @import { Meta, Selection, Stage } from "../types/board.js" */

import { read as readEdits, write as writeEdits } from "../edits/edits.js";
import { LECTURES } from "../schema/visit.js";
import { LEAVES, SIDES, WORDS } from "../schema/words.js";
import { here, home, withWords, wordsIn } from "../transport/words.js";
import { placeOf } from "./moments.js";
import { isNumber, mostOf } from "./start.js";

/** Said once by Python, of an address that leads to no page. */
const UNKNOWN_PAGE = "unknown";

/** The moment that an address says, by its name or the number that old links call it; the first where it says none, "" on
 *  a page without. @param {Stage | undefined} stage @param {string} [text] */
export function momentSaid(stage, text = "") {
    if (!stage) return "";
    const { moments, numbered = [] } = stage;
    return moments[numbered[number(text) - 1] ?? placeOf(moments, text)].name;
}

/** The moment of a page that the address asks for. @type {typeof momentSaid} */
export const momentAsked = (stage) => momentSaid(stage, wordsIn().moment);

/** Whether this is the address of a lecture. */
export const ofLecture = () => LECTURES.some((word) => word in wordsIn());

/** The page whose address this is: its stem, "" for the first page. @param {string[]} stems */
export function pageOf(stems, path = location.pathname) {
    const last = path.split("/").filter(Boolean).at(-1) ?? "";
    return stems.includes(last) ? last : "";
}

/** @param {Meta} meta @param {number} token */
function tokenText({ prefix }, token) {
    return token < prefix.length ? prefix[token] : String(token - prefix.length + 1);
}

/** What a text of an address means; nothing where the model has no such thing.
 *  @type {Record<Read, (text: string, meta: Meta) => string | number | undefined>} */
const READ = {
    token(text, { prefix, tokens }) {
        const named = prefix.indexOf(text);
        const token = named < 0 ? prefix.length + number(text) - 1 : named;
        return named >= 0 || (token >= prefix.length && token < tokens) ? token : undefined;
    },
    crop(text) {
        const square = /^\d{1,5}-\d{1,5}-\d{1,4}$/.test(text) ? text.split("-").map(Number) : [];
        return square[2] >= SIDES[0] && square[2] <= SIDES[1] ? square.join("-") : undefined;
    },
    edits: (text, meta) => writeEdits(readEdits(text, meta), meta) || undefined,
    donor: (text) => (/^\w{1,64}$/.test(text) ? text : undefined),
    moment: () => undefined, // of a page
};

/** @param {Numbered | Read | string[]} word @param {string} text @param {Meta} meta */
function meant(word, text, meta) {
    if (Array.isArray(word)) return word.includes(text) ? text : undefined;
    if (!isNumber(word)) return text ? READ[word](text, meta) : undefined;
    const said = number(text);
    return said >= (word.least ?? 1) && said <= mostOf(word, meta) ? said - (word.before ?? 1) : undefined;
}

/** What the address asks for but its page and moment; what it does not say, or asks in vain, is left out. @param {Meta} meta
 *  @returns {Partial<Selection>} */
export function read(meta, address = here()) {
    const words = wordsIn(address);
    const found = Object.entries(WORDS).map(([name, word]) => [name, meant(word, words[name] ?? "", meta)]);
    return Object.fromEntries(found.filter(([, it]) => it !== undefined));
}

/** Of a selection what another model has as well. @param {Selection} chosen @param {Meta} meta
 *  @returns {Partial<Selection>} */
export function legal(chosen, meta) {
    const own = Object.entries(chosen).filter(([name, value]) => {
        const word = WORDS[name] ?? "";
        if (isNumber(word)) return word.usual !== null && Number(value) + (word.before ?? 1) <= mostOf(word, meta);
        return word !== "token" || Number(value) < meta.tokens;
    });
    return { ...Object.fromEntries(own), edits: writeEdits(readEdits(chosen.edits, meta), meta) };
}

/** The address of a selection; parameters that are not the board's own stay as they are.
 *  @param {Meta | null} meta @param {Selection} chosen @param {Selection} start */
export function url(meta, chosen, start) {
    const path = home() + chosen.page;
    const gone = location.pathname === path ? [] : LEAVES;
    const words = Object.fromEntries([UNKNOWN_PAGE, ...gone].map((name) => [name, ""]));
    for (const [name, word] of Object.entries(WORDS)) {
        const value = chosen[name];
        if (Array.isArray(word) || word === "moment") words[name] = value === start[name] ? "" : String(value);
        else if (meta) words[name] = value === start[name] ? "" : textOf(word, value, meta);
    }
    return withWords(path + location.search, words);
}

/** @param {Numbered | Read} word @param {string | number} value @param {Meta} meta */
function textOf(word, value, meta) {
    if (word === "token") return tokenText(meta, Number(value));
    return String(isNumber(word) ? Number(value) + (word.before ?? 1) : value);
}

/** Write the selection without a new entry in the history. @param {string} to */
export function replace(to) {
    if (to !== here()) history.replaceState({}, "", to);
}

/** Go on to an address, in a new entry of the history. @param {string} to */
export const push = (to) => history.pushState({}, "", to);

const number = (/** @type {string | null} */ text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : -1);
