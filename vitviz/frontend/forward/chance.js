// Chance as Python has it, in vitviz/edits/chance.py: numbers that follow from a seed and a place alone.

/** @import { Edit } from "../edits/edits.js" */
/** @import { Dropout } from "../types/forward.js" */
/** @import { Matrix } from "./memory.js" */

/** 32 bits to 32 bits, each of which depends on all. @param {number} number */
export function mix(number) {
    let it = Math.imul(number ^ (number >>> 16), 0x7feb352d);
    it = Math.imul(it ^ (it >>> 15), 0x846ca68b);
    return (it ^ (it >>> 16)) >>> 0;
}

/** The numbers below `count` in an order that the seed decides. @param {number} count @param {number} seed */
export function shuffled(count, seed) {
    const order = Array.from({ length: count }, (_, at) => at);
    const start = mix(seed);
    for (let at = count - 1; at > 0; at--) {
        const other = mix(start ^ at) % (at + 1);
        [order[at], order[other]] = [order[other], order[at]];
    }
    return order;
}

/** Which patch stands at the place of each once edits of one letter have changed their places: all of them, then pairs.
 *  @param {Edit[]} edits in the order of their text @param {number} patches */
export function orderOf(edits, patches) {
    const all = edits.find(({ first }) => first < 0);
    const order = all
        ? shuffled(patches, Number(all.what.split("@")[1] ?? 0))
        : Array.from({ length: patches }, (_, at) => at);
    for (const { first, what } of edits.filter((it) => it !== all)) {
        const other = Number(what.slice(1)) - 1;
        [order[first], order[other]] = [order[other], order[first]];
    }
    return order;
}

const PATHS = 2 ** 16; // the first site of drop path

/** What drop path multiplies a branch of a layer by: 0, or so much more than 1 as others are dropped.
 *  @param {number} rate @param {number} seed @param {number} layer @param {number} depth @param {number} branch */
export function pathOf(rate, seed, layer, depth, branch) {
    const parts = Math.round(rate * 1000) * layer;
    const whole = 1000 * Math.max(1, depth - 1);
    const drawn = mix(mix(mix(seed) ^ (PATHS + 2 * layer + branch)));
    return drawn < Math.floor((parts * 2 ** 32) / whole) ? 0 : whole / (whole - parts);
}

/** Set a share of a matrix' numbers to 0, and make the others larger by as much; which ones follows from their place.
 *  @param {Matrix} matrix @param {Dropout} [dropout] @param {number} [further] sites, from the first that is meant
 *  @param {number} [rows] @param {number} [before] rows of other matrices that are counted before */
export function dropOut({ data, rows: all, columns, row }, dropout, further = 0, rows = all, before = 0) {
    if (!dropout) return;
    const start = mix(mix(dropout.seed) ^ (dropout.site + further));
    const least = Math.floor((Math.round(dropout.rate * 1000) * 2 ** 32) / 1000);
    const larger = 1 / (1 - dropout.rate);
    for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
            const drawn = mix(((before + r) * columns + c) ^ start);
            data[r * row + c] *= drawn < least ? 0 : larger;
        }
    }
}
