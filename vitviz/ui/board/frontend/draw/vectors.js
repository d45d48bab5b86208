// Vectors as strips: one cell per component, blue below 0 and red above it, all on one scale.

import { divergingCss, font } from "./surface.js";

/** @typedef {{ name: string, values: ArrayLike<number> }} Vector */

/** The largest size of a component, which all strips share. @param {Vector[]} vectors */
export function reach(vectors) {
    let most = 0;
    for (const { values } of vectors)
        for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
    return most;
}

/** Strips one below the other; returns where each lies. @param {CanvasRenderingContext2D} context @param {Vector[]} vectors
 *  @param {{ x: number, y: number, width: number, height: number, limit: number, colour: string }} how */
export function drawStrips(context, vectors, { x, y, width, height, limit, colour }) {
    const row = height / vectors.length;
    context.textAlign = "left";
    context.textBaseline = "bottom";
    font(context, 16);
    return vectors.map(({ name, values }, at) => {
        const top = y + at * row + 24;
        const tall = row - 34;
        context.fillStyle = colour;
        context.fillText(name, x, top - 4, width);
        for (let i = 0; i < values.length; i++) {
            context.fillStyle = divergingCss(values[i], limit);
            const [left, right] = [i, i + 1].map((edge) => Math.round(x + (edge * width) / values.length));
            context.fillRect(left, top, Math.max(1, right - left), tall);
        }
        context.lineWidth = 1;
        context.strokeStyle = "#8888";
        context.strokeRect(x + 0.5, top + 0.5, width - 1, tall - 1);
        return { x, y: top, width, height: tall };
    });
}
