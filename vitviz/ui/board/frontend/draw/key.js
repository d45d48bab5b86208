// The key of a map in diverging colours: the colours from one end to the other, and what the ends mean.

import { element } from "./elements.js";
import { divergingCss } from "./surface.js";

const STEPS = 9;

export class Key {
    /** @param {number} least from -1, blue, to 0, the ground; it goes up to 1, red */
    constructor(least) {
        const colours = Array.from({ length: STEPS }, (_, at) =>
            divergingCss(least + ((1 - least) * at) / (STEPS - 1), 1),
        );
        const bar = element("i", {});
        bar.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
        this.ends = [element("span", {}), element("span", {})];
        this.root = element("p", { class: "key" }, this.ends[0], bar, this.ends[1]);
    }

    /** @param {string} first @param {string} last */
    say(first, last) {
        for (const [at, text] of [first, last].entries())
            if (this.ends[at].textContent !== text) this.ends[at].textContent = text;
    }
}
