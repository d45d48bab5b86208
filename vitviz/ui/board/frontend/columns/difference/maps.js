// Differences per patch as blue and red squares, and their scale.

import { diverging, divergingCss, pixels } from "../../draw/surface.js";
import { small } from "../../draw/text.js";

/** The second minus the first. @param {ArrayLike<number>} second @param {ArrayLike<number>} first */
export const minus = (second, first) => Float64Array.from(first, (value, at) => second[at] - value);

/** The largest size. @param {ArrayLike<number>} values */
export function largest(values) {
    let most = 0;
    for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
    return most;
}

/** @param {CanvasRenderingContext2D} context @param {ArrayLike<number>} values one per patch
 *  @param {{ rows: number, columns: number }} grid @param {number} limit @param {number} x @param {number} y @param {number} size */
export function drawMap(context, values, { rows, columns }, limit, x, y, size) {
    context.imageSmoothingEnabled = false;
    context.drawImage(
        pixels(columns, rows, (at) => diverging(values[at], limit)),
        x,
        y,
        size,
        size,
    );
    context.imageSmoothingEnabled = true;
}

/** What the colours mean, written on their scale. @param {HTMLElement} target @param {number} limit */
export function fillScale(target, limit) {
    target.textContent = `−${small(limit)} A has more · 0 · B has more +${small(limit)}, one scale`;
    const stops = [-1, -0.5, 0, 0.5, 1].map((share) => divergingCss(share, 1));
    target.style.setProperty("--colours", `linear-gradient(to right, ${stops.join(", ")})`);
}
