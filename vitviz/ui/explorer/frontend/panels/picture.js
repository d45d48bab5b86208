/** @import { Elements } from "../elements.js" */
/** @import { Frame } from "../instrument.js" */
/** @import { Maps } from "../state/maps.js" */
/** @import { Meta } from "../types.js" */

import { step } from "./paint.js";
import { awaited, flatness, scaleText } from "./text.js";

/** The chosen map over the picture, and beside it what the special tokens get. */
export class PicturePanel {
    /** @param {Elements} elements @param {Maps} maps @param {Uint32Array} colours */
    constructor(elements, maps, colours) {
        this.elements = elements;
        this.maps = maps;
        this.colours = colours;
        const { meta } = maps;
        this.source = URL.createObjectURL(maps.picture);
        elements.image.src = this.source;
        elements.image.alt = meta.alt;
        elements.model.textContent = meta.model;
        elements.pictureTitle.textContent = meta.picture;
        elements.untrained.hidden = meta.trained;
        elements.picture.style.aspectRatio = `${meta.columns} / ${meta.rows}`;
        elements.specials.replaceChildren(...meta.specials.map(specialToken));
    }

    /** @param {Frame} frame */
    draw({ selection, map, pointed }) {
        const { overlay, strength, specials, pictureQuery, pictureKey, pictureScale, note, flat, flatText } =
            this.elements;
        const { meta, shared } = this.maps;
        const top = map.top(selection.scale);
        map.paint(overlay, selection.scale, this.colours);
        overlay.style.opacity = String(Number(strength.value) / 100);
        for (const [token, button] of [...specials.children].entries()) {
            const [r, g, b] = meta.colours.slice(3 * step(map.weights[token], top));
            const sample = /** @type {HTMLElement} */ (button.firstElementChild);
            sample.style.background = map.held ? `rgb(${r} ${g} ${b})` : "none";
            button.setAttribute("aria-pressed", String(token === selection.query));
        }
        framePatch(pictureQuery, meta, selection.query);
        framePatch(pictureKey, meta, pointed?.key === selection.query ? undefined : pointed?.key);
        pictureScale.textContent = scaleText(selection.scale, shared, top);
        note.hidden = map.held;
        note.textContent = map.held ? "" : awaited(meta, selection.layer);
        flatText.textContent = flatness(map, selection.scale);
        flat.hidden = !flatText.textContent;
    }

    close() {
        URL.revokeObjectURL(this.source);
    }
}

/** The button of a token that has no place in the picture. @param {string} name */
function specialToken(name) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.append(document.createElement("i"), `[${name}]`);
    return button;
}

/** @param {HTMLElement} mark @param {Meta} meta @param {number | undefined} token */
function framePatch(mark, { rows, columns, specials }, token = -1) {
    const place = token - specials.length;
    Object.assign(mark.style, {
        display: place < 0 ? "none" : "block",
        left: `${(100 * (place % columns)) / columns}%`,
        top: `${(100 * Math.floor(place / columns)) / rows}%`,
        width: `${100 / columns}%`,
        height: `${100 / rows}%`,
    });
}
