// Maps that ask everything once: of each cell the edits that make it.

/** @import { Config } from "../types/forward.js" */

/** Each head of each layer by itself, layer by layer. @param {Config} config @param {string} [what] as in edits */
export const allHeads = ({ depth, heads }, what = "*0") =>
    cells(depth, heads, (layer, head) => `h${layer}.${head}${what}`);

/** Each patch, hidden in one of the ways of edits. @param {Config} config @param {string} [way] */
export const occlusion = ({ tokens, prefix }, way = "=grey") =>
    cells(1, tokens - prefix, (_, patch) => `p${patch}${way}`);

/** The state of each token of the second picture put in before each layer, layer by layer. @param {Config} config */
export const causalTrace = ({ depth, tokens, prefix }) =>
    cells(depth, tokens, (layer, token) => `r${layer}.${token > prefix ? token - prefix : `x${token}`}`);

/** @param {number} rows @param {number} columns @param {(row: number, column: number) => string} text of a cell, counted
 *  from 1 */
const cells = (rows, columns, text) =>
    Array.from({ length: rows * columns }, (_, at) => text(Math.floor(at / columns) + 1, (at % columns) + 1));
