// From the units of an axis to pixels and back.

/** @import { Along, Axis } from "../types/figure.js" */

/** @param {Axis} axis @param {number} from @param {number} to @returns {Along} */
export function along({ low, high, log }, from, to) {
    const bend = log ? (/** @type {number} */ value) => Math.log(Math.max(value, Number.MIN_VALUE)) : Number;
    const [start, end] = [bend(low), bend(high)];
    const back = (/** @type {number} */ pixel) => {
        const value = start + ((pixel - from) / (to - from)) * (end - start);
        return log ? Math.exp(value) : value;
    };
    return Object.assign(
        (/** @type {number} */ value) => from + ((bend(value) - start) / (end - start || 1)) * (to - from),
        { back },
    );
}
