// The address of the page holds the selection: the one place that reads it and writes it.
// Streamlit reads the address again when the browser's history moves, and runs the page's script once.

/** @import { Meta, Selection, Stage } from "../types/board.js" */

import { read as readEdits, write as writeEdits } from "./edits.js";
import { momentSaid } from "./moments.js";
import { SWITCHES } from "./start.js";

/** Fields that count from 1 on screen and in the address, and from 0 in code. */
const COUNTED = /** @type {const} */ ({
    layer: "depth",
    head: "heads",
    beside: "heads",
    component: "dim",
    answer: "classes",
});
/** Said once by Python, of an address that leads to no page. */
const UNKNOWN_PAGE = "unknown";
const OPEN = ["formula", "code", "details"];
/** The sides of a square that a model may see, in thousandths, as in addresses/place.py. */
const [LEAST_SIDE, MOST_SIDE] = [20, 1000];
const UNPAINTED = 100; // ms until a page that paints nothing, as a hidden one, goes on without

/** The moment of a page that the address asks for. @param {Stage | undefined} stage */
export const momentAsked = (stage) => momentSaid(stage, new URLSearchParams(location.search).get("moment") ?? "");

/** The page whose address this is: its stem, "" for the first page. @param {string[]} stems */
export function pageOf(stems) {
    const last = location.pathname.split("/").filter(Boolean).at(-1) ?? "";
    return stems.includes(last) ? last : "";
}

/** The address of the first page: the folder that all pages lie in, whatever path the app is served under. */
export const home = () => location.pathname.replace(/[^/]*$/, "");

/** @param {Meta} meta @param {number} token */
function tokenText({ prefix }, token) {
    return token < prefix.length ? prefix[token] : String(token - prefix.length + 1);
}

/** The token that an address names, or -1. @param {Meta} meta @param {string | null} text */
function tokenOf({ prefix, tokens }, text) {
    const named = prefix.indexOf(text ?? "");
    if (named >= 0) return named;
    const token = prefix.length + Number(text) - 1;
    return /^\d{1,6}$/.test(text ?? "") && token >= prefix.length && token < tokens ? token : -1;
}

/** What the address asks for but its page and moment; what it does not say, or asks in vain, is left out. @param {Meta} meta
 *  @returns {Partial<Selection>} */
export function read(meta) {
    const words = new URLSearchParams(location.search);
    /** @type {Partial<Selection>} */
    const found = {};
    for (const [name, most] of Object.entries(COUNTED)) {
        const index = number(words.get(name)) - 1;
        if (index >= 0 && index < meta[most]) found[/** @type {"layer"} */ (name)] = index;
    }
    for (const name of /** @type {const} */ (["query", "key"])) {
        const token = tokenOf(meta, words.get(name));
        if (token >= 0) found[name] = token;
    }
    const [after, through, learned] = ["after", "through", "learned"].map((name) => number(words.get(name)));
    if (after >= 0 && after <= meta.depth) found.after = after;
    if (through >= 1 && through <= meta.depth) found.through = through;
    if (learned >= 0) found.learned = learned;
    for (const [name, values] of Object.entries(SWITCHES)) {
        const value = words.get(name);
        if (value && values.includes(value)) found[name] = value;
    }
    const crop = words.get("crop") ?? "";
    const square = /^\d{1,5}-\d{1,5}-\d{1,4}$/.test(crop) ? crop.split("-").map(Number) : [];
    if (square[2] >= LEAST_SIDE && square[2] <= MOST_SIDE) found.crop = square.join("-");
    const edits = writeEdits(readEdits(words.get("edits") ?? "", meta), meta);
    if (edits) found.edits = edits;
    const donor = words.get("donor") ?? "";
    if (/^\w{1,64}$/.test(donor)) found.donor = donor;
    const open = words.get("open") ?? "";
    found.open = /** @type {Selection["open"]} */ (OPEN.includes(open) ? open : "");
    return found;
}

/** Of a selection what another model has as well. @param {Selection} chosen @param {Meta} meta
 *  @returns {Partial<Selection>} */
export function legal(chosen, meta) {
    const { depth, heads, dim, tokens, classes } = meta;
    const most = {
        layer: depth,
        head: heads,
        beside: heads,
        query: tokens,
        key: tokens,
        component: dim,
        after: 0,
        through: depth + 1,
        answer: classes,
    };
    const own = Object.entries(chosen).filter(
        ([name, value]) => !(name in most) || Number(value) < most[/** @type {"layer"} */ (name)],
    );
    return { ...Object.fromEntries(own), edits: writeEdits(readEdits(chosen.edits, meta), meta) };
}

/** The address of a selection; parameters that are not the board's own stay as they are.
 *  @param {Meta | null} meta @param {Selection} chosen @param {Selection} start */
export function url(meta, chosen, start) {
    const words = new URLSearchParams(location.search);
    const say = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ usual) =>
        usual ? words.delete(name) : words.set(name, text);
    if (meta) {
        for (const name of /** @type {const} */ (["layer", "head", "beside", "component", "answer"]))
            say(name, String(chosen[name] + 1), chosen[name] === start[name]);
        for (const name of /** @type {const} */ (["query", "key"]))
            say(name, tokenText(meta, chosen[name]), chosen[name] === start[name]);
        for (const name of /** @type {const} */ (["after", "through", "learned"]))
            say(name, String(chosen[name]), chosen[name] === start[name]);
        say("crop", chosen.crop, chosen.crop === "");
        say("edits", chosen.edits, chosen.edits === "");
        say("donor", chosen.donor, chosen.donor === "");
    }
    for (const [name, values] of Object.entries(SWITCHES)) say(name, String(chosen[name]), chosen[name] === values[0]);
    say("moment", chosen.moment, chosen.moment === start.moment);
    say("open", chosen.open, chosen.open === "");
    words.delete(UNKNOWN_PAGE);
    if (location.pathname !== home() + chosen.page) for (const name of ["chapter", "cell"]) words.delete(name);
    const query = words.toString();
    return home() + chosen.page + (query && `?${query}`);
}

/** Write the selection without a new entry in the history. @param {string} to */
export function replace(to) {
    if (to !== location.pathname + location.search) history.replaceState({}, "", to);
}

/** Let Streamlit read the address and run the page's script; `entry` makes a new entry in the history.
 *  @param {string} to @param {boolean} entry */
export function visit(to, entry) {
    if (entry) history.pushState({}, "", to);
    else history.replaceState({}, "", to);
    tell();
}

/** Go on to another page, in a new entry of the history, and let Streamlit read the address as it is once the board has
 *  painted, for what it does then takes a frame; unless by then it has read it, after another visit or Back.
 *  @param {string} to */
export function goOn(to) {
    history.pushState({}, "", to);
    let done = false;
    addEventListener("popstate", () => (done = true), { once: true });
    const tellOnce = () => done || tell({ shown: true });
    requestAnimationFrame(() => setTimeout(tellOnce));
    setTimeout(tellOnce, UNPAINTED);
}

/** @param {{ shown?: boolean }} [state] `shown`: the board shows it already, and the hand may be further */
const tell = (state = {}) => dispatchEvent(new PopStateEvent("popstate", { state }));

const number = (/** @type {string | null} */ text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : -1);
