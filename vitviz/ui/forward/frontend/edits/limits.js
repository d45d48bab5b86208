// Which scores of a row count: those left out become minus infinity, of which softmax makes 0.

/** @import { Change, Config } from "../types.js" */
/** @import { Matrix } from "../kernel/memory.js" */

/** @param {Matrix} scores query, key @param {Change} change @param {Config} config @param {number} rows */
export function limit(scores, { hidden, window, causal, top }, config, rows) {
    if (!hidden && window === undefined && !causal && !top) return;
    const kept = new Float32Array(config.tokens);
    for (let q = 0; q < rows; q++) {
        const row = scores.data.subarray(q * scores.row, q * scores.row + config.tokens);
        for (const key of hidden ?? []) row[key] = Number.NEGATIVE_INFINITY;
        if (window !== undefined) see(row, q, window, config);
        if (causal) row.fill(Number.NEGATIVE_INFINITY, q + 1);
        if (top) {
            kept.set(row);
            const least = kept.sort()[config.tokens - top];
            for (let k = 0; k < row.length; k++) if (row[k] < least) row[k] = Number.NEGATIVE_INFINITY;
        }
    }
}

/** Patches see patches at most so many rows and columns away; prefix tokens see all, and are seen.
 *  @param {Float32Array} row @param {number} query @param {number} window @param {Config} config */
function see(row, query, window, { prefix, columns }) {
    if (query < prefix) return;
    const [y, x] = [Math.floor((query - prefix) / columns), (query - prefix) % columns];
    for (let key = prefix; key < row.length; key++) {
        const [down, across] = [Math.floor((key - prefix) / columns) - y, ((key - prefix) % columns) - x];
        if (Math.max(Math.abs(down), Math.abs(across)) > window) row[key] = Number.NEGATIVE_INFINITY;
    }
}
