// Edits as a person would say them, by the table of vitviz/edits.

/** @import { Meta } from "../types/board.js" */
/** @import { Edit } from "./edits.js" */

import { WORDING } from "../schema/wording.js";

/** "Head 1 of layer 3 off". @param {Edit} edit @param {Pick<Meta, "prefix">} meta */
export function inWords({ letter, layer, prefix, first, last, what }, meta) {
    const { says, runs = ["", ""] } = WORDING[letter];
    const [number, seed = "0"] = what.slice(1).split("@");
    const named = meta.prefix.slice(first, last + 1).map((name) => `[${name}]`);
    const run = last > first ? `${runs[1]} ${first + 1} to ${last + 1}` : `${runs[0]} ${first + 1}`;
    const where = layer < 0 ? "in all layers" : `in layer ${layer + 1}`;
    return filled(says.replace("{done}", doneBy(letter, what)), {
        ...{ layer: layer + 1, where, first: first + 1, number, seed },
        run: prefix ? named.join(", ") : run,
    });
}

/** What several edits do, in words: patches that are hidden alike are one change, and what is done alike is said once.
 *  @param {Edit[]} edits @param {Meta} meta */
export function allInWords(edits, meta) {
    const [{ letter, what }] = edits;
    const { together } = WORDING[letter];
    if (edits.length === 1) return inWords(edits[0], meta);
    if (together && edits.every((it) => it.letter === letter && it.what === what)) {
        const many = edits.reduce((sum, { first, last }) => sum + last - first + 1, 0);
        return filled(`${together.replace("#", String(many))} ${doneBy(letter, what)}`, { number: what.slice(1) });
    }
    return `${new Set(edits.map((it) => (it.letter === "p" ? it.what : it))).size} changes`;
}

/** @param {string} letter @param {string} what @returns {string} */
function doneBy(letter, what) {
    const { done } = WORDING[letter];
    if (typeof done === "string") return doneBy(done, what);
    return done[what.slice(1).split("@")[0]] ?? done["#"] ?? "";
}

/** A text with what its names in braces stand for. @param {string} text @param {Record<string, string | number>} names */
const filled = (text, names) => text.replace(/\{(\w+)\}/g, (_, name) => String(names[name]));
