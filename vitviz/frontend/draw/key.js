// The key of a map: its colours from one end to the other, and what they mean.

import { element, saying } from "./elements.js";
import { blended, divergingCss } from "./surface.js";

const STEPS = 9;

/** The diverging colours. @param {number} least from -1, blue, to 0, the ground; they go up to 1, red */
export const fromTo = (least) =>
    blended(Array.from({ length: STEPS }, (_, at) => divergingCss(least + ((1 - least) * at) / (STEPS - 1), 1)));

export class Key {
    /** @param {number} least from -1, blue, to 0, the ground; it goes up to 1, red */
    constructor(least) {
        const bar = element("i");
        bar.style.background = fromTo(least);
        this.ends = [element("span"), element("span")];
        this.root = element("p", { class: "key" }, this.ends[0], bar, this.ends[1]);
    }

    /** @param {string} first @param {string} last */
    say(first, last) {
        for (const [at, text] of [first, last].entries()) saying(this.ends[at], text);
    }
}
