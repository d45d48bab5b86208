// The photo as the edits paint, shuffle and swap its patches.

/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { Meta } from "#frontend/types/board.js" */

import { orderOf } from "#frontend/forward/chance.js";

const SIDE = 480; // pixels of the picture that is painted
const GREY = "#808080";

/** @type {{ made: string, picture: OffscreenCanvas, of: CanvasImageSource } | null} */
let last = null;

/** A view of the photo with the edits about its patches, or null where there are none.
 *  @param {ImageBitmap} photo @param {CanvasImageSource | null} second @param {Edit[]} edits @param {Meta} meta */
export function painted(photo, second, edits, meta) {
    const ours = edits.filter(({ letter }) => letter === "p" || letter === "i");
    if (!ours.length) return null;
    const made = JSON.stringify([ours, meta.digest, Boolean(second)]);
    if (last?.made !== made || last.of !== photo) last = { made, picture: paint(photo, second, ours, meta), of: photo };
    const { width: side, height: tall } = last.picture;
    return { image: last.picture, left: 0, top: 0, side, tall };
}

/** @param {ImageBitmap} photo @param {CanvasImageSource | null} second @param {Edit[]} edits @param {Meta} meta */
function paint(photo, second, edits, { rows, columns, patches }) {
    const cell = Math.max(8, Math.floor(SIDE / columns));
    const size = { width: cell * columns, height: cell * rows };
    const box = (/** @type {number} */ patch) => [
        (patch % columns) * cell,
        Math.floor(patch / columns) * cell,
        cell,
        cell,
    ];
    const under = canvas(size.width, size.height);
    under.drawImage(photo, 0, 0, size.width, size.height);
    const means = canvas(columns, rows);
    means.imageSmoothingQuality = "high";
    means.drawImage(photo, 0, 0, columns, rows);
    const eachOf = (/** @type {string[]} */ whats) =>
        edits
            .filter(({ letter, what }) => letter === "p" && whats.includes(what))
            .flatMap(({ first, last, what }) =>
                Array.from({ length: last - first + 1 }, (_, at) => ({ patch: first + at, what })),
            );
    for (const { patch, what } of eachOf(["=grey", "=blur", "=paste"])) {
        const [x, y] = box(patch);
        under.imageSmoothingEnabled = false;
        under.fillStyle = GREY;
        if (what === "=grey") under.fillRect(x, y, cell, cell);
        if (what === "=blur")
            under.drawImage(means.canvas, patch % columns, Math.floor(patch / columns), 1, 1, x, y, cell, cell);
        if (what === "=paste" && second) {
            under.save();
            under.beginPath();
            under.rect(x, y, cell, cell);
            under.clip();
            under.drawImage(second, 0, 0, size.width, size.height);
            under.restore();
        }
    }
    const out = canvas(size.width, size.height);
    const order = orderOf(
        edits.filter(({ letter }) => letter === "i"),
        patches,
    ) ?? [...Array(patches).keys()];
    for (const [patch, from] of order.entries()) {
        const [[fromX, fromY], [x, y]] = [box(from), box(patch)];
        out.drawImage(under.canvas, fromX, fromY, cell, cell, x, y, cell, cell);
    }
    for (const { patch, what } of eachOf(["", "=removed"])) {
        const [x, y] = box(patch);
        out.fillStyle = what ? "#000" : "rgb(0 0 0 / .8)";
        out.fillRect(x, y, cell, cell);
        if (what) continue;
        out.strokeStyle = "rgb(255 255 255 / .5)";
        out.lineWidth = 2;
        out.beginPath();
        out.moveTo(x + cell * 0.25, y + cell * 0.75);
        out.lineTo(x + cell * 0.75, y + cell * 0.25);
        out.stroke();
    }
    return out.canvas;
}

/** @param {number} width @param {number} height */
const canvas = (width, height) =>
    /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext("2d"));
