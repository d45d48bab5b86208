// Vectors as strips and maps, on one scale: blue below 0 and red above it.

/** @import { Areas } from "./areas.js" */
/** @import { Selection } from "../types/board.js" */

import { diverging, divergingCss, enlarged, frame, outline, pixels } from "./surface.js";
import { write } from "./words.js";

/** @typedef {{ name: string, values: ArrayLike<number> }} Vector */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The largest size. @param {ArrayLike<number>} values */
export function largestSize(values) {
    let most = 0;
    for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
    return most;
}

/** Why a map shows nothing, or "". @param {ArrayLike<number>} values */
export function nothingIn(values) {
    if (!Array.from(values).every(Number.isFinite)) return "not a number: NaN";
    const flat = values.length > 1 && largestSize(Array.from(values, (value) => value - values[0])) < 1e-12;
    return flat ? "the same for every patch" : "";
}

/** The largest size of a component, which all strips share. @param {Vector[]} vectors */
export const reach = (vectors) => Math.max(...vectors.map(({ values }) => largestSize(values)));

/** Strips one below the other; returns where each lies. @param {CanvasRenderingContext2D} context @param {Vector[]} vectors
 *  @param {{ x?: number, y?: number, width: number, height: number, limit?: number }} how */
export function drawStrips(context, vectors, { x = 0, y = 0, width, height, limit = reach(vectors) }) {
    const row = height / vectors.length;
    return vectors.map(({ name, values }, at) => {
        const top = y + at * row + 24;
        const tall = row - 34;
        write(context, name, x, top - 4, { base: "bottom", width });
        for (let i = 0; i < values.length; i++) {
            context.fillStyle = divergingCss(values[i], limit);
            const [left, right] = [i, i + 1].map((edge) => Math.round(x + (edge * width) / values.length));
            context.fillRect(left, top, Math.max(1, right - left), tall);
        }
        frame(context, x + 0.5, top + 0.5, width - 1, tall - 1);
        return { x, y: top, width, height: tall };
    });
}

/** Let every component of some strips be pointed at, and frame the chosen one, where there is one.
 *  @param {CanvasRenderingContext2D} context @param {Areas} areas @param {Box[]} boxes @param {number} many
 *  @param {number} chosen @param {string} colour @param {(at: number) => Partial<Selection> | null} means
 *  @param {(at: number) => void} [click] */
export function frameComponent(context, areas, boxes, many, chosen, colour, means, click) {
    const at = (/** @type {number} */ share) => Math.floor(share * many);
    for (const box of boxes) {
        areas.add({ ...box, at: (x) => means(at(x)), ...(click ? { click: (x) => click(at(x)) } : {}) });
        if (chosen < 0) continue;
        const cell = box.width / many;
        const wide = Math.max(5, cell);
        const left = box.x + Math.max(1, (chosen + 0.5) * cell - wide / 2);
        outline(context, left, box.y, wide, box.height, colour);
    }
}

/** A number per patch in blue and red, `limit` in full colour; `down` high, else as high as wide.
 *  @param {CanvasRenderingContext2D} context @param {ArrayLike<number>} values
 *  @param {{ rows: number, columns: number }} grid @param {number} limit @param {number} x @param {number} y
 *  @param {number} across @param {number} [down] */
export function drawMap(context, values, { rows, columns }, limit, x, y, across, down = across) {
    const picture = pixels(columns, rows, (at) => diverging(values[at], limit));
    enlarged(context, picture, x, y, across, down);
}
