// Tokens that stand on no patch, as buttons under the photo.

/** @import { Board } from "../state/board.js" */
/** @import { Selection } from "../types.js" */
/** @import { Photo } from "./photo.js" */

import { element } from "../draw/elements.js";

export class Specials {
    /** @param {HTMLElement} root @param {Board} board @param {Photo} photo */
    constructor(root, board, photo) {
        this.root = root;
        this.board = board;
        this.photo = photo;
        this.written = "";
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { board, photo, root } = this;
        const names = board.meta.prefix;
        root.hidden = !photo.specials || !photo.chooses || !names.length;
        if (this.written !== names.join()) this.write(names);
        for (const [token, button] of [...root.children].entries())
            button.setAttribute("aria-pressed", String(token === shown[photo.chooses ?? "query"]));
    }

    /** @param {string[]} names */
    write(names) {
        const { board, photo } = this;
        this.written = names.join();
        this.root.replaceChildren(
            ...names.map((name, token) => {
                const button = element("button", { type: "button" }, `[${name}]`);
                const asked = () => ({ [photo.chooses ?? "query"]: token });
                button.addEventListener("pointerenter", ({ pointerType }) => {
                    if (pointerType !== "touch") board.look(asked());
                });
                button.addEventListener("pointerleave", () => board.look({}));
                button.addEventListener("click", () => board.choose(asked()));
                return button;
            }),
        );
    }
}
