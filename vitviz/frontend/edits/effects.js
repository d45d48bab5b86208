// What edits do to each other, and to what a head looks at.

/** @import { Edit } from "./edits.js" */

import { KINDS } from "../schema/edits.js";
import { ALL, whatAt } from "./edits.js";

/** Why an edit has no effect: what it is in is off or at its mean; "" where it has one.
 *  @param {Edit[]} edits @param {{ letter: string, layer: number }} place */
export function coveredBy(edits, { letter, layer }) {
    const [block, attention] = ["b", "a"].map((around) => whatAt(edits, around, layer) ?? "");
    if (layer < 0 || "br".includes(letter)) return "";
    if (block === "*0") return `the block of layer ${layer + 1} is off already`;
    if ("am".includes(letter) || (attention !== "*0" && attention[0] !== "=")) return "";
    return `the attention of layer ${layer + 1} is ${attention === "*0" ? "off" : "at its mean"} already`;
}

/** The first layer whose maps edits can change. @param {Edit[]} edits */
export const reached = (edits) =>
    Math.min(...edits.map(({ letter, layer }) => Math.max(0, layer + Number(KINDS[letter].sign === "*"))));

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
