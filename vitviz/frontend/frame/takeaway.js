// Take away: the buttons of what can be, and their menu, which is fetched when it is first opened.

/** @import { Board } from "../state/board.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Place, FileAnswer } from "../types/board.js" */

import { buttonFor } from "../draw/elements.js";
import { replace } from "../state/address.js";
import { visit } from "../transport/inbox.js";

const TOGETHER = 150; // ms within which the pictures of a page come, in any order

export class TakeAway {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        /** Where the menu stands; it says where the menu is fetched from. @type {HTMLElement | null} */
        this.home = null;
        /** Pictures that pages without a scene have drawn. @type {Place[]} */
        this.drawn = [];
        /** The board's columns. @type {{ column: Column, button: HTMLButtonElement }[]} */
        this.columns = [];
        /** @type {ReturnType<typeof import("../doors/takeaway/menu.js").menu> | null} */
        this.menu = null;
        /** Whether the menu is on its way: whoever presses once more meanwhile wants it open, not closed again. */
        this.opening = false;
        /** The page whose menu somebody wants before its first picture has come. */
        this.wanted = "";
        this.visit = visit;
        this.replace = replace;
    }

    /** A button for what a column shows. @param {Column} column @param {...(Node | string)} words */
    button(column, ...words) {
        const button = buttonFor(words, () => this.open(button), { "aria-haspopup": "dialog" });
        this.columns.push({ column, button });
        return button;
    }

    /** A picture that a page has drawn. @param {Place} place */
    accept(place) {
        this.drawn.push(place);
        place.button.onclick = () => this.open(place.button);
        if (this.wanted && this.wanted === this.board.store.chosen.page) setTimeout(() => this.open(), TOGETHER);
        this.wanted = "";
    }

    /** @param {HTMLElement} [button] of which picture, if not the first */
    async open(button) {
        if (this.opening) return;
        this.opening = true;
        try {
            const there = (await this.fetch()).open(button);
            this.wanted = there ? "" : this.board.store.chosen.page;
        } finally {
            this.opening = false;
        }
    }

    /** Where the menu stands from now on; an open one goes along. @param {HTMLElement} home */
    stand(home) {
        this.home = home;
        this.menu?.stand();
    }

    /** @param {FileAnswer} file */
    async receive(file) {
        (await this.fetch()).receive(file);
    }

    /** @returns {Promise<ReturnType<typeof import("../doors/takeaway/menu.js").menu>>} */
    async fetch() {
        const menu =
            this.menu ?? (await import(new URL(String(this.home?.dataset.menu), document.baseURI).href)).menu(this);
        this.menu = menu;
        return menu;
    }
}
