// Tokens that stand on no patch, as buttons under the photo; where they are many, as a list.

/** @import { Column } from "../state/column.js" */
/** @import { Selection } from "../types/board.js" */
/** @import { Photo } from "./photo.js" */

import { element } from "../draw/elements.js";
import { choosable } from "../draw/touch.js";

const BUTTONS = 2; // tokens that have a button each

export class Specials {
    /** @param {HTMLElement} root @param {Column} board @param {Photo} photo */
    constructor(root, board, photo) {
        this.root = root;
        this.board = board;
        this.photo = photo;
        this.written = "";
        /** @type {HTMLButtonElement[]} */
        this.buttons = [];
        this.list = element("select", { "aria-label": "Token without a place on the photo" });
        this.list.addEventListener("change", () => {
            if (this.list.value) board.choose(this.asked(Number(this.list.value)));
        });
    }

    /** What choosing a token means now. @param {number} token */
    asked(token) {
        return { [this.photo.chooses ?? "query"]: token };
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { board, photo, root } = this;
        const names = board.meta.prefix;
        root.hidden = !photo.specials || !photo.chooses || !names.length;
        if (this.written !== names.join()) this.write(names);
        this.written = names.join();
        const token = Number(shown[photo.chooses ?? "query"]);
        for (const [at, button] of this.buttons.entries()) button.ariaPressed = String(at === token);
        this.list.value = token >= 0 && token < names.length ? String(token) : "";
    }

    /** @param {string[]} names */
    write(names) {
        const { board } = this;
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
            choosable(board, button, () => this.asked(token));
            return button;
        });
        this.root.replaceChildren(...this.buttons);
    }
}
