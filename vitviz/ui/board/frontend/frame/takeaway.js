// Take away: which pictures of a page can be, and their menu, which is fetched when it is first opened.

/** @import { Board } from "../state/board.js" */
/** @import { Place, Taken } from "../types.js" */

import { element } from "../draw/elements.js";
import { replace, visit } from "../state/address.js";

const WORD = "take"; // of the address: what Python is asked for

export class TakeAway {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        /** Where the menu is fetched from. */
        this.script = "";
        /** The pictures that pages without a scene have drawn. @type {Place[]} */
        this.drawn = [];
        /** The buttons of the board's columns. @type {{ board: Board, button: HTMLButtonElement }[]} */
        this.columns = [];
        /** @type {ReturnType<typeof import("../../../takeaway/frontend/menu.js").menu> | null} */
        this.menu = null;
    }

    /** A button for what a column shows. @param {Board} board @param {...(Node | string)} words */
    button(board, ...words) {
        const button = element(
            "button",
            { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", title: "Take away (T)" },
            ...words,
        );
        this.columns = [...this.columns.filter((it) => it.button.isConnected), { board, button }];
        button.addEventListener("click", () => this.open(this.of({ board, button })));
        return button;
    }

    /** A picture that a page has drawn. @param {Place} place */
    accept(place) {
        place.button.addEventListener("click", () => this.open(place));
        this.drawn = [...this.drawn.filter(({ key, button }) => key !== place.key && button.isConnected), place];
    }

    /** What a column offers. @param {{ board: Board, button: HTMLButtonElement }} column @returns {Place | undefined} */
    of({ board, button }) {
        const { meta } = board.data;
        const stage = this.board.stage;
        if (!meta?.takes || !stage) return undefined;
        const second = board !== this.board;
        return {
            ...meta.takes,
            key: meta.takes.key + (second ? ".b" : ""),
            title: stage.title + (second ? ", B" : ""),
            button,
        };
    }

    /** The first picture of the page that is seen. */
    get first() {
        const columns = this.columns.filter(({ button }) => button.checkVisibility());
        if (columns.length) return this.of(columns[0]);
        const top = (/** @type {Place} */ { button }) => button.getBoundingClientRect().top;
        return this.drawn.filter(({ button }) => button.checkVisibility()).sort((a, b) => top(a) - top(b))[0];
    }

    /** @param {Place | undefined} [place] */
    async open(place = this.first) {
        if (!place) return;
        try {
            this.menu ??= (await import(new URL(this.script, document.baseURI).href)).menu(this);
            this.menu?.open(place);
        } catch (error) {
            console.info(error);
            place.button.textContent = "could not be fetched; load the page again";
        }
    }

    /** Let Python make a file; nothing any more without a word. @param {string} [word] */
    ask(word) {
        const to = new URL(this.board.address, location.href);
        if (word) to.searchParams.set(WORD, word);
        else to.searchParams.delete(WORD);
        const address = to.pathname + to.search;
        word ? visit(address, false) : replace(address);
    }

    /** @param {Taken} said */
    heard(said) {
        if (this.menu?.waits) this.menu.heard(said);
        else this.ask(); // somebody loaded the page again in the meantime
    }
}
