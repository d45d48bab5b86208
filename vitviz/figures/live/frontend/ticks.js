// Axes with round numbers at their ticks, as vitviz/figures/axes.py makes them.

/** @import { Axis } from "./types.js" */

const STEPS = [1, 2, 2.5, 5, 10];
const SI = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];

/** From `low` to `high`, with about that many ticks. @param {number} high @param {string} [title] @param {number} [ticks]
 *  @param {number} [low] @returns {Axis} */
export function linear(high, title = "", ticks = 6, low = 0) {
    const end = high > low ? high : low + 1;
    const raw = (end - low) / ticks;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * (STEPS.find((it) => it * power >= raw * (1 - 1e-9)) ?? 10);
    const first = Math.ceil(low / step - 1e-9);
    const many = Math.floor(end / step + 1e-9) - first + 1;
    const places = Array.from({ length: many }, (_, at) => (first + at) * step);
    return { low, high: end, title, ticks: places.map((at) => [at, tick(at)]) };
}

/** No digit more than a round number has: 0, 2.5, 1,000, 75 G. @param {number} value */
function tick(value) {
    const power = Math.abs(value) < 10_000 ? 0 : Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9);
    const text = Number((value / 1000 ** power).toPrecision(6)).toLocaleString("en-GB", { maximumFractionDigits: 9 });
    return text.replace("-", "−") + (power ? ` ${SI[power]}` : "");
}
