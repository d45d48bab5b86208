// Attention of one query in one head, computed from its query, keys and values as the model does.

/** @param {ArrayLike<number>} q @param {ArrayLike<number>} keys `k dh` @param {number} tokens @param {number} width dh
 *  @returns {Float64Array} q·k of every key */
export function products(q, keys, tokens, width) {
    const out = new Float64Array(tokens);
    for (let key = 0, at = 0; key < tokens; key++) {
        let sum = 0;
        for (let i = 0; i < width; i++, at++) sum += q[i] * keys[at];
        out[key] = sum;
    }
    return out;
}

/** @param {ArrayLike<number>} scores @returns {Float64Array} weights that sum to 1 */
export function softmax(scores) {
    let most = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < scores.length; at++) most = Math.max(most, scores[at]);
    const out = Float64Array.from(/** @type {number[]} */ (scores), (score) => Math.exp(score - most));
    const sum = out.reduce((a, b) => a + b, 0);
    return out.map((value) => value / sum);
}

/** Entropy in nats. @param {ArrayLike<number>} weights */
export function entropy(weights) {
    let sum = 0;
    for (let at = 0; at < weights.length; at++) if (weights[at] > 0) sum -= weights[at] * Math.log(weights[at]);
    return sum;
}

/** @param {ArrayLike<number>} weights @param {ArrayLike<number>} values `k dh` @param {number} width dh
 *  @returns {Float64Array} the sum of the values, each times its weight */
export function weightedSum(weights, values, width) {
    const out = new Float64Array(width);
    for (let key = 0, at = 0; key < weights.length; key++) {
        for (let i = 0; i < width; i++, at++) out[i] += weights[key] * values[at];
    }
    return out;
}

/** The place of the largest. @param {ArrayLike<number>} values */
export function strongest(values) {
    let best = 0;
    for (let at = 1; at < values.length; at++) if (values[at] > values[best]) best = at;
    return best;
}
