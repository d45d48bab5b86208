// From an address to what the board shows: at once what the browser can show, and what Python alone can after one run.

/** @import { Column } from "../state/column.js" */
/** @import { Reader } from "../types/board.js" */

import { WORDS } from "../schema/words.js";
import { here, wordsIn } from "../transport/words.js";
import { viewOf } from "./words.js";

/** The part of a view that Python alone can show: model, picture, what the widgets of a page say. @param {string} view */
export function foreign(view) {
    const words = Object.entries(wordsIn(view)).filter(([name]) => !(name in WORDS));
    return JSON.stringify(words.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether the board can show a view by itself: its page is there, with its model, picture and edits.
 *  @param {Pick<Column, "data">} column @param {Pick<Reader, "awaited">} python @param {string} view @param {string} now the view of the address */
export function isHere({ data }, { awaited }, view, now) {
    const [page] = view.split("?");
    if (awaited !== undefined || page !== data.page) return false;
    if (!data.meta || !data.stages.some(({ stem }) => stem === page)) return view === now;
    const goal = wordsIn(view);
    const word = (/** @type {string} */ name) => goal[name] ?? "";
    const edits = data.facts.folded || "forward" in data.facts || word("edits") === data.meta.edits;
    const closed = !word("open") && !wordsIn(now).open;
    return foreign(view) === foreign(now) && word("crop") === data.meta.crop && Boolean(edits) && closed;
}

export class Applying {
    /** @param {Reader} python */
    constructor(python) {
        this.python = python;
        this.board = python.board;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.timer = 0;
        /** Whether Python is yet to be asked for a page, a model or a picture, or has not answered. */
        this.waits = false;
    }

    /** Show an address; what Python has to do for it begins after `wait` ms. @param {string} to
     *  @param {{ wait?: number, entry?: boolean }} [how] `entry`: it becomes one of the browser's history */
    show(to, { wait = 0, entry = false } = {}) {
        const { board, python } = this;
        const [view, now] = [viewOf(to), viewOf(here())];
        const byItself = isHere(board.first, python, view, now);
        this.rest();
        board.stop();
        if (entry) history.pushState({}, "", to);
        else history.replaceState({}, "", to);
        board.store.returned();
        this.waits = !byItself;
        if (!byItself && foreign(view) !== foreign(now)) python.fresh = true; // another model may have what this one has not
        if (!byItself || this.lacks) this.timer = setTimeout(() => this.ask(to), wait);
    }

    /** Whether a scene lacks numbers that are not on their way, or has those of another square. */
    get lacks() {
        const { first, columns } = this.board;
        return !first.data.ahead && (first.recropped || columns.some((it) => it.lacks));
    }

    /** @param {string} to */
    ask(to) {
        this.timer = 0;
        if (!this.waits) return this.board.hurry();
        this.python.visit(to, false);
        this.python.watch();
    }

    /** Python has answered: what is chosen is what the address says, read with the model that is here now.
     *  @returns {boolean} whether that was waited for */
    answered() {
        const { board, python } = this;
        const { stage, data } = board.first;
        if (!this.waits || this.timer || python.awaited !== undefined || (stage && !data.meta)) return false;
        this.waits = false;
        board.store.returned();
        return true;
    }

    /** A hand goes on from here, or the lecture ends: what Python was to be asked later it is asked now. */
    hurry() {
        if (!this.timer) return;
        this.rest();
        if (!this.waits) return this.board.hurry();
        this.waits = false;
        this.python.ask();
    }

    rest() {
        clearTimeout(this.timer);
        this.timer = 0;
    }
}
