/** @import { Elements } from "../elements.js" */
/** @import { Frame } from "../instrument.js" */
/** @import { Maps } from "../state/maps.js" */
/** @import { Place, Selection } from "../types.js" */

import { Wall } from "./paint.js";
import { rowName, small, VERBS } from "./text.js";

/** All layers and heads, painted only when that changes; one is framed, and the one under the pointer is enlarged. */
export class WallPanel {
    /** What the canvas shows. */
    #painted = "";

    /** @param {Elements} elements @param {Maps} maps @param {Uint32Array} colours */
    constructor(elements, maps, colours) {
        this.elements = elements;
        this.maps = maps;
        this.colours = colours;
        this.wall = new Wall(maps);
        const { scroll, numbers, names } = elements;
        const { depth, heads } = maps.meta;
        scroll.style.setProperty("--depth", String(depth));
        numbers.replaceChildren(...Array.from({ length: depth }, (_, i) => label(i + 1)));
        names.replaceChildren(...Array.from({ length: heads + 1 }, (_, i) => label(i + 1)));
    }

    /** The thumbnail at a place, as it was last painted. @param {Place} place */
    at({ layer, row }) {
        return this.wall.maps[layer][row];
    }

    /** @param {Frame} frame */
    draw({ selection, wallQuery, place, pointed }) {
        const { shows, scale } = selection;
        const shown = [this.maps.arrivals, wallQuery, shows, scale].join();
        if (shown !== this.#painted) {
            this.#painted = shown;
            this.#paint(wallQuery, selection);
        }
        const { chosen, preview } = this.elements;
        const { depth, heads, rows, columns } = this.maps.meta;
        const [width, height] = [100 / depth, 100 / (heads + 1)];
        Object.assign(chosen.style, {
            left: `${place.layer * width}%`,
            top: `${place.row * height}%`,
            width: `${(width * columns) / (columns + 1)}%`,
            height: `${(height * rows) / (rows + 1)}%`,
        });
        preview.hidden = !pointed?.map;
        if (pointed?.map) this.#preview(pointed.map, selection);
    }

    /** @param {number} query @param {Selection} selection */
    #paint(query, { shows, scale }) {
        const { maps, wallTitle, names } = this.elements;
        this.wall.read(query, shows);
        this.wall.paint(maps, scale, this.colours);
        wallTitle.textContent = `${this.maps.name(query)} ${VERBS[shows]} …`;
        if (names.lastChild) names.lastChild.textContent = shows === "rollout" ? "rollout" : "mean";
    }

    /** @param {Place} place @param {Selection} selection */
    #preview({ layer, row }, selection) {
        const { preview, previewCanvas, previewText } = this.elements;
        const { meta, shared } = this.maps;
        const { depth, heads } = meta;
        const map = this.at({ layer, row });
        map.paint(previewCanvas, selection.scale, this.colours);
        const factor = selection.scale === "shared" ? "" : ` · × ${small(shared / map.largest)}`;
        previewText.textContent = `layer ${layer + 1} · ${rowName(meta, row, selection)}${factor}`;
        const [width, height] = [100 / depth, 100 / (heads + 1)];
        const [right, low] = [layer >= depth / 2, row > heads / 2];
        Object.assign(preview.style, {
            left: right ? "" : `${layer * width}%`,
            right: right ? `${(depth - 1 - layer) * width}%` : "",
            top: low ? "" : `${row * height}%`,
            bottom: low ? `${(heads - row) * height}%` : "",
            width: `max(${1.7 * width}%, 10rem)`,
        });
    }
}

/** @param {number} number */
const label = (number) => Object.assign(document.createElement("span"), { textContent: number });
