// Tokens that stand on no patch, as buttons under the photo; where they are many, as a list.

/** @import { Column } from "../state/column.js" */
/** @import { Selection } from "../types/board.js" */
/** @import { Photo } from "./photo.js" */

import { element } from "../draw/elements.js";
import { choosable } from "../draw/touch.js";

const BUTTONS = 2; // tokens that have a button each

export class Specials {
    /** @param {HTMLElement} root @param {Column} column @param {Photo} photo */
    constructor(root, column, photo) {
        this.root = root;
        this.column = column;
        this.photo = photo;
        this.written = "";
        /** @type {HTMLButtonElement[]} */
        this.buttons = [];
        this.list = element("select", { "aria-label": "Token without a place on the photo" });
        this.list.addEventListener("change", () => {
            if (this.list.value) column.choose(this.asked(Number(this.list.value)));
        });
    }

    /** What choosing a token means now. @param {number} token */
    asked(token) {
        return { [this.photo.chooses ?? "query"]: token };
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { column, photo, root } = this;
        const names = column.meta.prefix;
        root.hidden = !photo.specials || !photo.chooses || !names.length;
        if (this.written !== names.join()) this.write(names);
        this.written = names.join();
        const token = Number(shown[photo.chooses ?? "query"]);
        for (const [at, button] of this.buttons.entries()) button.ariaPressed = String(at === token);
        this.list.value = token >= 0 && token < names.length ? String(token) : "";
    }

    /** @param {string[]} names */
    write(names) {
        const { column } = this;
        if (names.length > BUTTONS) {
            this.buttons = [];
            const options = names.map((name, token) => element("option", { value: String(token) }, `[${name}]`));
            this.list.replaceChildren(element("option", { value: "" }, "a patch"), ...options);
            this.root.replaceChildren(this.list);
            return;
        }
        this.buttons = names.map((name, token) => {
            const button = element(
                "button",
                { type: "button", title: name === "class" ? "learned; the answer is read from it" : "" },
                `[${name}]`,
            );
            choosable(column, button, () => this.asked(token));
            return button;
        });
        this.root.replaceChildren(...this.buttons);
    }
}
