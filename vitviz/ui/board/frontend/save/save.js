// Saving without a round trip: the photo and the matrix as a picture, the matrix as a table or as NumPy arrays.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Matrix } from "../scenes/heads/matrix.js" */
/** @import { QueryMaps } from "../scenes/heads/query_maps.js" */
/** @import { Board } from "../state/board.js" */

import { tokenName } from "../draw/text.js";
import { readout } from "../scenes/heads/words.js";
import { npy, zip } from "./archive.js";

const PANEL = 640; // pixels of each panel in a saved picture
/** What the weights of one query are called in a file of arrays. @type {Record<string, string>} */
const WEIGHTS = { row: "looks_at", column: "is_looked_at_by", rollout: "rollout" };

/** @param {Blob} blob @param {Board} board @param {QueryMaps} maps @param {string} ending */
function download(blob, { meta, chosen }, maps, ending) {
    const row = maps.name(maps.row(chosen), chosen).replace("head ", "head").replace(/ .*/, "");
    const name = `${meta.model}-${meta.picture.title}-layer${chosen.layer + 1}-${row}`.replace(/[^\w-]+/g, "_");
    const link = element(URL.createObjectURL(blob), `${name}.${ending}`);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** @param {string} href @param {string} download */
const element = (href, download) => Object.assign(document.createElement("a"), { href, download });

/** Photo and matrix, with what they show written under them.
 *  @param {Board} board @param {Photo} photo @param {QueryMaps} maps @param {Matrix} matrix */
export function savePicture(board, photo, maps, { picture }) {
    const { meta, chosen } = board;
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * PANEL + 60, height: PANEL + 110 });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(photo.canvas, 20, 20, PANEL, PANEL);
    context.imageSmoothingEnabled = false;
    if (picture) context.drawImage(picture, PANEL + 40, 20, PANEL, PANEL);
    context.fillStyle = "#111";
    const words = readout(board, maps, chosen).replace(/[{}]/g, "");
    for (const [at, line] of [
        `${meta.model_title}${meta.trained ? "" : " (untrained parameters)"} · ${meta.picture.title}`,
        words,
    ].entries()) {
        context.font = `${at ? "" : "bold "}22px sans-serif`;
        context.fillText(line, 20, PANEL + 56 + 34 * at, canvas.width - 40);
    }
    canvas.toBlob((blob) => blob && download(blob, board, maps, "png"));
}

/** @param {Board} board @param {QueryMaps} maps @param {Matrix} matrix */
export function saveTable(board, maps, { values }) {
    if (!values) return;
    const { meta, data } = board;
    const names = Array.from({ length: meta.tokens }, (_, token) => tokenName(meta, token));
    const lines = [
        [`query \\ key (one byte per weight: a row is at most ${data.facts.off} % off)`, ...names].join(","),
    ];
    for (const [query, name] of names.entries()) {
        const row = values.subarray(query * meta.tokens, (query + 1) * meta.tokens);
        lines.push([name, ...Array.from(row, (weight) => weight.toPrecision(4))].join(","));
    }
    download(new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }), board, maps, "csv");
}

/** @param {Board} board @param {QueryMaps} maps @param {Matrix} matrix */
export function saveArrays(board, maps, { values }) {
    if (!values) return;
    const { meta, chosen } = board;
    const files = [
        { name: "weights.npy", bytes: npy(values, [meta.tokens, meta.tokens]) },
        { name: "grid.npy", bytes: npy(Float32Array.of(meta.rows, meta.columns), [2]) },
    ];
    const exact = maps.exact(chosen, maps.row(chosen));
    if (exact) {
        files.push({ name: "query.npy", bytes: npy(Float32Array.of(chosen.query), [1]) });
        const name = `${WEIGHTS[String(chosen.shows)]}_exact.npy`;
        files.push({ name, bytes: npy(Float32Array.from(exact), [meta.tokens]) });
    }
    download(new Blob(/** @type {BlobPart[]} */ (zip(files)), { type: "application/zip" }), board, maps, "npz");
}
