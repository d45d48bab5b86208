/** @import { Elements } from "../elements.js" */
/** @import { Frame } from "../instrument.js" */
/** @import { Maps } from "../state/maps.js" */

import { largest, paintMatrix } from "./paint.js";
import { awaited, scaleText, whole } from "./text.js";

const SMOOTH = 400; // tokens from which a cell is smaller than a pixel of the screen

/** Every query on every key, painted only when that changes. */
export class MatrixPanel {
    /** What the canvas shows. */
    #painted = "";

    /** @param {Elements} elements @param {Maps} maps @param {Uint32Array} colours */
    constructor(elements, maps, colours) {
        this.elements = elements;
        this.maps = maps;
        this.colours = colours;
        const { matrix, matrixCanvas, matrixTitle } = elements;
        const { tokens } = maps.meta;
        matrix.style.aspectRatio = "1";
        matrixCanvas.style.imageRendering = tokens > SMOOTH ? "auto" : "pixelated";
        matrixTitle.textContent = `${whole(tokens)} × ${whole(tokens)} weights, a row per query`;
    }

    /** @param {Frame} frame */
    draw({ selection, place, pointed }) {
        const { layer, scale, query } = selection;
        const shows = selection.shows === "rollout" ? "rollout" : "row";
        const shown = [layer, place.row, shows, scale, Boolean(this.maps.layers[layer])].join();
        if (shown !== this.#painted) {
            this.#painted = shown;
            this.#paint(this.maps.matrix(layer, place.row, shows), selection);
        }
        const { matrixQuery, matrixKey } = this.elements;
        const { tokens } = this.maps.meta;
        const across = selection.shows === "column";
        frameLine(matrixQuery, tokens, query, across);
        frameLine(matrixKey, tokens, pointed?.key, !across);
    }

    /** @param {Float32Array | null} matrix @param {Frame["selection"]} selection */
    #paint(matrix, { scale, layer }) {
        const { matrixCanvas, matrixScale, matrixBar } = this.elements;
        const { meta, shared } = this.maps;
        const top = scale === "shared" || !matrix ? shared : largest(matrix, meta);
        paintMatrix(matrixCanvas, matrix, meta.tokens, top, this.colours);
        const missing = meta.sendable ? awaited(meta, layer) : "Too large to send whole.";
        matrixScale.textContent = matrix ? scaleText(scale, shared, top) : missing;
        matrixBar.hidden = !matrix;
    }
}

/** Frame a row of the matrix, or a column. @param {HTMLElement} mark @param {number} tokens
 *  @param {number | undefined} token @param {boolean} column */
function frameLine(mark, tokens, token = -1, column) {
    const [place, size] = [`${(100 * token) / tokens}%`, `${100 / tokens}%`];
    Object.assign(mark.style, {
        display: token < 0 ? "none" : "block",
        left: column ? place : "0",
        top: column ? "0" : place,
        width: column ? size : "100%",
        height: column ? "100%" : size,
        translate: column ? "-50% 0" : "0 -50%",
        margin: column ? `0 0 0 calc(${size} / 2)` : `calc(${size} / 2) 0 0`,
    });
}
