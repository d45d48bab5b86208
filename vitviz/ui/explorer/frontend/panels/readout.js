/** @import { Elements } from "../elements.js" */
/** @import { Frame } from "../instrument.js" */
/** @import { Maps } from "../state/maps.js" */
/** @import { WallPanel } from "./wall.js" */

import { sentence, value } from "./text.js";

/** What is shown, in words and numbers: the chosen map, or the thumbnail that the pointer reads. */
export class Readout {
    /** @param {Elements} elements @param {Maps} maps @param {WallPanel} wall */
    constructor(elements, maps, wall) {
        this.elements = elements;
        this.maps = maps;
        this.wall = wall;
        const { precision } = maps.meta;
        elements.precision.textContent = precision === "fp32" ? "fp32" : `as the model computes in ${precision}`;
    }

    /** @param {Frame} frame */
    draw({ selection, place, map, pointed, settled }) {
        const { sentence: subject, value: number, pinnedText, status } = this.elements;
        const thumbnail = pointed?.key === undefined ? undefined : pointed.map;
        const at = thumbnail ?? place;
        subject.textContent = sentence(this.maps, at, selection);
        number.textContent = value(this.maps, at, selection, thumbnail ? this.wall.at(thumbnail) : map, pointed?.key);
        pinnedText.hidden = !selection.pinned;
        // Screen readers hear what is chosen when the hand rests, not each step on the way.
        if (settled) status.textContent = `${subject.textContent} ${number.textContent}`;
    }
}
