// The page's script, which Python runs when it is to read the address: when it is asked to, and what it says of what is shown.

/** @import { Data, Reader, Selection } from "../types/board.js" */
/** @import { Board } from "../state/board.js" */
/** @import { What } from "../state/store.js" */

import { SECOND } from "../schema/words.js";
import { legal, momentAsked, momentSaid, push, read, replace } from "../state/address.js";
import { withWords, wordsIn } from "../transport/words.js";
import { readAddress, readAddressSoon } from "./router.js";

const RETRY_MS = 15_000; // ms until Python is asked again; a full hall waits some ten seconds for its turn

/** @implements {Reader} */
export class Python {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        this.first = board.first;
        this.store = board.store;
        /** Whether no page with a scene was on the board just now, and the address decides what is chosen. */
        this.fresh = true;
        /** The page that was asked for and has not come. @type {string | undefined} */
        this.awaited = undefined;
        /** The address that it was asked to read last. */
        this.to = "";
        /** Whether a square of the picture was chosen that it has not been asked for. */
        this.cropping = false;
        /** Whether it was told other words, and has said nothing since. */
        this.told = false;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.watching = 0;
        board.store.subscribe(this.hear.bind(this));
    }

    /** Ask for what Python alone can draw. @param {What} what @param {Selection} before */
    hear(what, before) {
        const { page, crop } = this.store.chosen;
        if (what === "choose") this.cropping ||= before.crop !== crop;
        if (what === "rest" && this.cropping) this.ask();
        if (what !== "go" && what !== "return") return;
        this.awaited = what === "go" || page !== this.first.data.page ? page : undefined;
        if (what === "go") this.ask(true);
        else this.watch();
    }

    /** The hand rests. */
    rested() {
        if (this.first.recropped || this.store.chosen.open) this.askOnce();
    }

    /** What Python says; a new model or picture starts with what the address says. @param {Data} data */
    open(data) {
        const { meta } = data;
        const { board, first, store, fresh } = this;
        const before = first.data.meta;
        if (data.ahead && before && (meta ?? before).digest === before.digest) return;
        this.told = false;
        first.take(data);
        const said = fresh ? momentAsked : momentSaid;
        if (!data.second) {
            board.second?.column.asking.giveUp();
            board.second = null;
        }
        if (meta && meta.digest !== before?.digest) {
            store.preview = {};
            const next = fresh ? read(meta) : legal(store.chosen, meta);
            const page = next.page ?? this.awaited ?? data.page;
            const stage = first.stageOf(page);
            store.set({
                ...first.start,
                ...next,
                page,
                moment: said(stage, store.chosen.moment),
                // of the same picture the hand's square, which may be further than the answer
                crop: meta.picture.digest === before?.picture.digest ? store.chosen.crop : meta.crop,
            });
            if (fresh) store.write(first.address);
            else store.settle();
        }
        if (store.chosen.page !== data.page && this.awaited !== store.chosen.page) {
            const stage = first.stageOf(data.page); // a link outside of the board led there
            store.set({ page: data.page, moment: said(stage), open: "" });
            if (!fresh) store.write(first.address);
        }
        this.fresh = !meta;
        if (data.page === this.awaited) this.awaited = undefined;
        first.asking.fetch(data.names);
        first.invalidate();
    }

    /** Let Python read the address, and run the page's script. @param {boolean} [entry] whether it is one of the browser's
     *  history */
    ask(entry) {
        this.cropping = false;
        this.to = this.first.address;
        if (entry) {
            push(this.to); // the board shows it already, and the hand may be further when it is read
            readAddressSoon();
        } else this.visit(this.to, false);
        this.watch();
    }

    /** Go to an address, and let Python read it. @param {string} to @param {boolean} entry whether it is a new one of the
     *  browser's history */
    visit(to, entry) {
        if (entry) push(to);
        else replace(to);
        this.store.returned();
        readAddress();
    }

    /** The same, unless it has been asked to read this address. */
    askOnce() {
        if (this.to !== this.first.address) this.ask();
    }

    /** Python is asked, by another way too; once more, later and later, where a page, a square or what it registers does
     *  not come: Streamlit drops what it is told while its connection is away. @param {number} [after] ms */
    watch(after = RETRY_MS) {
        const { board, first } = this;
        clearTimeout(this.watching);
        this.watching = setTimeout(() => {
            const lost = first.recropped || board.columns.some(({ asking }) => asking.lost);
            if (this.awaited === undefined && !this.told && !lost) return;
            this.visit(first.address, false);
            this.watch(2 * after);
        }, after);
    }

    /** Let Python read other words of the address, in a new entry of the browser's history.
     *  @param {Record<string, string>} words "" for what goes */
    say(words) {
        this.visit(withWords(this.first.address, words), true);
        this.told = true;
        this.watch();
    }

    /** Open a second column, at first with the same model without edits, or close it, with all that the address says of it. */
    compare() {
        const { data, stage } = this.first;
        const its = Object.keys(wordsIn()).filter((name) => name.startsWith(SECOND));
        if (data.second) this.say(Object.fromEntries(its.map((name) => [name, ""])));
        else if (stage?.columns.length) this.say({ [`${SECOND}model`]: data.model });
    }

    /** Open or close a drawer: Python draws it. @param {Selection["open"]} name */
    drawer(name) {
        const { store } = this;
        store.set({ open: store.chosen.open === name ? "" : name });
        this.ask();
    }
}
