// The rest of a caption, behind an "i" that can be pointed at, focused and tapped.

import { buttonFor, element, fillWithRoles, saying } from "./elements.js";

const EDGE = 8; // pixels between a text and the edge of the screen
let many = 0;

class Info {
    constructor() {
        const id = `info-${many++}`;
        this.text = element("span", { role: "tooltip", id });
        const toggle = () => this.root.classList.toggle("open");
        this.button = buttonFor("i", toggle, { "aria-label": "More about this", "aria-describedby": id });
        this.button.addEventListener("blur", () => this.root.classList.remove("open"));
        this.root = element("span", { class: "info" }, this.button, this.text);
        for (const [target, type] of /** @type {const} */ ([
            [this.root, "pointerenter"],
            [this.button, "focus"],
            [this.button, "click"],
        ]))
            target.addEventListener(type, () => this.place());
    }

    /** Keep the text on the screen, and in the scene, which cuts what stands out of it: to the left as far as it would stand
     *  out on the right. */
    place() {
        this.text.style.left = "0";
        const scene = this.root.closest(".scene")?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY;
        const edge = Math.min(document.documentElement.clientWidth - EDGE, scene);
        const out = this.text.getBoundingClientRect().right - edge;
        if (out > 0) this.text.style.left = `${-out / (this.text.currentCSSZoom ?? 1)}px`;
    }

    /** @param {string} text */
    say(text) {
        saying(this.text, text);
        this.root.hidden = !text;
    }
}

/** One line under a picture, and what more there is to say. */
export class Caption {
    constructor() {
        this.line = element("span");
        this.info = new Info();
        this.root = element("p", { class: "caption" }, this.line, " ", this.info.root);
    }

    /** @param {string} line words in braces are roles @param {string} [more] @param {Record<string, string>} [palette] theirs */
    say(line, more = "", palette = {}) {
        fillWithRoles(this.line, line, palette);
        this.info.say(more);
    }
}
