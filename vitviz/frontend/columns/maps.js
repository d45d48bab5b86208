// Differences per patch: the second minus the first, and what their colours mean.

import { fromTo } from "../draw/key.js";
import { small } from "../draw/text.js";

/** The second minus the first. @param {ArrayLike<number>} second @param {ArrayLike<number>} first */
export const minus = (second, first) => Float64Array.from(first, (value, at) => second[at] - value);

/** What the colours mean, written on their scale. @param {HTMLElement} target @param {number} limit */
export function fillScale(target, limit) {
    target.textContent = `−${small(limit)} A has more · 0 · B has more +${small(limit)}, one scale`;
    target.style.setProperty("--colours", fromTo(-1));
}
