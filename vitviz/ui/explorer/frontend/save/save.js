// Saving without a round trip: the picture, and the matrix as a table or as NumPy arrays.

/** @import { Instrument } from "../instrument.js" */
/** @import { Shows } from "../types.js" */

import { small } from "../panels/text.js";
import { npy, zip } from "./archive.js";

const PANEL = 640; // pixels of each panel in a saved picture

/** What the weights of one query are called in a file of arrays. @type {Record<Shows, string>} */
const WEIGHTS = { row: "looks_at", column: "is_looked_at_by", rollout: "rollout" };

/** @param {Blob} blob @param {Instrument} instrument @param {string} ending */
function download(blob, { maps, selection, place }, ending) {
    const { model, picture, heads } = maps.meta;
    const all = selection.shows === "rollout" ? "rollout" : "mean";
    const row = place.row === heads ? all : `head${selection.head + 1}`;
    const name = `${model}-${picture}-layer${selection.layer + 1}-${row}`.replace(/[^\w-]+/g, "_");
    const link = Object.assign(document.createElement("a"), {
        href: URL.createObjectURL(blob),
        download: `${name}.${ending}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Picture with overlay, and matrix, with what they show written under them. @param {Instrument} instrument */
export function savePicture(instrument) {
    const { rows, columns, model, picture, trained, specials, frame } = instrument.maps.meta;
    const { image, strength, overlay, matrixCanvas, sentence, value, pictureScale, matrixScale } = instrument.elements;
    const height = Math.round((PANEL * rows) / columns);
    const size = { width: 2 * PANEL + 60, height: Math.max(PANEL, height) + 170 };
    const canvas = Object.assign(document.createElement("canvas"), size);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 20, 20, PANEL, height);
    context.imageSmoothingEnabled = false;
    context.globalAlpha = Number(strength.value) / 100;
    context.drawImage(overlay, 20, 20, PANEL, height);
    context.globalAlpha = 1;
    context.imageSmoothingEnabled = matrixCanvas.width > PANEL;
    context.drawImage(matrixCanvas, PANEL + 40, 20, PANEL, PANEL);
    const place = instrument.selection.query - specials.length;
    if (place >= 0) {
        const [across, down] = [PANEL / columns, height / rows];
        Object.assign(context, { strokeStyle: frame, lineWidth: 5 });
        context.strokeRect(20 + (place % columns) * across, 20 + Math.floor(place / columns) * down, across, down);
    }
    context.fillStyle = "#111";
    const lines = [
        `${model}${trained ? "" : " (untrained parameters)"} · ${picture} · ${sentence.textContent}`,
        value.textContent ?? "",
        `Picture: ${pictureScale.textContent}`,
        `Matrix: ${matrixScale.textContent}`,
    ];
    lines.forEach((line, i) => {
        context.font = `${i ? "" : "bold "}22px sans-serif`;
        context.fillText(line, 20, canvas.height - 112 + 32 * i, canvas.width - 40);
    });
    canvas.toBlob((blob) => blob && download(blob, instrument, "png"));
}

/** The matrix that is shown, or null; [query][key]. @param {Instrument} instrument */
function shownMatrix({ maps, selection, place }) {
    return maps.matrix(selection.layer, place.row, selection.shows === "rollout" ? "rollout" : "row");
}

/** @param {Instrument} instrument */
export function saveTable(instrument) {
    const matrix = shownMatrix(instrument);
    if (!matrix) return;
    const { tokens, specials, variation } = instrument.maps.meta;
    const off = small(100 * variation);
    const names = Array.from({ length: tokens }, (_, i) => specials[i] ?? `patch ${i - specials.length + 1}`);
    const lines = [[`query \\ key (one byte per weight: a row is at most ${off} % off in all)`, ...names].join(",")];
    for (let query = 0; query < tokens; query++) {
        const row = matrix.subarray(query * tokens, (query + 1) * tokens);
        lines.push([names[query], ...Array.from(row, (weight) => weight.toPrecision(4))].join(","));
    }
    download(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }), instrument, "csv");
}

/** @param {Instrument} instrument */
export function saveArrays(instrument) {
    const { maps, selection, place } = instrument;
    const matrix = shownMatrix(instrument);
    if (!matrix) return;
    const { tokens, rows, columns, precision } = maps.meta;
    const { layer, query, shows } = selection;
    const files = [
        { name: "weights.npy", bytes: npy(matrix, [tokens, tokens]) },
        { name: "grid.npy", bytes: npy(Float32Array.of(rows, columns), [2]) },
    ];
    const exact = maps.exactly(layer, place.row, query, shows);
    if (exact) {
        files.push({ name: "query.npy", bytes: npy(Float32Array.of(query), [1]) });
        files.push({ name: `${WEIGHTS[shows]}_${precision}.npy`, bytes: npy(Float32Array.from(exact), [tokens]) });
    }
    download(new Blob(/** @type {BlobPart[]} */ (zip(files)), { type: "application/zip" }), instrument, "npz");
}
