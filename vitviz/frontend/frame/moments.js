// The moments of a page as dots: the present one is filled, a click leads to another.

/** @import { Column } from "../state/column.js" */
/** @import { Moment, Selection, Stage } from "../types/board.js" */

import { buttonFor } from "../draw/elements.js";
import { placeOf } from "../state/moments.js";

export class Moments {
    /** @param {HTMLElement} root @param {Column} column */
    constructor(root, column) {
        this.root = root;
        this.column = column;
        this.written = "";
    }

    /** @param {Stage} stage @param {Selection} shown */
    draw({ stem, moments }, shown) {
        const written = JSON.stringify([stem, moments]);
        if (written !== this.written) this.write(moments);
        this.written = written;
        this.root.hidden = moments.length < 2;
        const present = placeOf(moments, shown.moment);
        for (const [place, button] of [...this.root.children].entries()) {
            if (place === present) button.ariaCurrent = "step";
            else button.removeAttribute("aria-current");
        }
    }

    /** @param {Moment[]} moments */
    write(moments) {
        this.root.replaceChildren(
            ...moments.map(({ name, sentence }, place) => {
                const says = `${place + 1} of ${moments.length}: ${sentence.replace(/[{}]/g, "")}`;
                return buttonFor("", () => this.column.choose({ moment: name }), { "aria-label": says, title: says });
            }),
        );
    }
}
