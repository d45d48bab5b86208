// The board: a store of what is chosen, one or two columns, what their numbers come by, and what a hand can do with all of it.

/** @import { Second } from "../columns/second.js" */
/** @import { TakeAway } from "../frame/takeaway.js" */
/** @import { Lecture } from "../lecture/lecture.js" */
/** @import { Transport } from "../transport/transport.js" */
/** @import { Reader, Selection, Sidebar } from "../types/board.js" */
/** @import { What } from "./store.js" */

import { takeSecond } from "../edits/edits.js";
import { Column } from "./column.js";
import { placeOf } from "./moments.js";

const STEP_MS = 900; // ms between two steps of what plays
const REST_MS = 250; // ms after the address until a drawer follows, or numbers whose way was taken by others

export class Board {
    /** @param {Transport} transport */
    constructor(transport) {
        this.transport = transport;
        this.first = new Column(this);
        this.store = this.first.store;
        /** The second column, where there is one. @type {Second | null} */
        this.second = null;
        /** What runs the page's script, where there is one. @type {Reader | null} */
        this.python = null;
        /** Where model and picture are chosen, where they can be. @type {Sidebar | null} */
        this.sidebar = null;
        /** What steps through the pages, where something does. @type {Lecture | null} */
        this.lecture = null;
        /** The menus of the pictures. @type {TakeAway | null} */
        this.takeaway = null;
        /** With what the scene lets go in steps. @type {import("../frame/photo.js").Photo | null} */
        this.photo = null;
        /** Called after anything has changed: for another page at once, else in an animation frame. */
        this.paint = () => {};
        this.frame = 0;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.resting = 0;
        /** What plays on, or 0. @type {ReturnType<typeof setTimeout> | 0} */
        this.playing = 0;
        /** What had arrived when the picture that is on its way was brought; null where none is. @type {string | null} */
        this.coming = null;
        this.helping = false;
        this.store.subscribe(this.hear.bind(this));
    }

    /** Paint, and ask for the numbers that are missing. @param {What} what @param {Selection} before */
    hear(what, before) {
        const { first, store } = this;
        if (before.donor !== store.chosen.donor) {
            first.asking.giveUp();
            const { meta } = first.data;
            first.parcels.drop((name) => !meta || takeSecond(name, meta)); // which picture it was their names do not say
        }
        const now = () => {
            cancelAnimationFrame(this.frame);
            this.frame = 0;
            this.paint();
        };
        // Building a page takes most of a frame, and need not wait for one to begin.
        if (what === "go") queueMicrotask(now);
        else if (what !== "rest") this.frame ||= requestAnimationFrame(now);
        if (!what || what === "look") return;
        clearTimeout(this.resting);
        if (what === "choose") this.hurry();
        if (what === "rest")
            this.resting = setTimeout(() => {
                for (const { asking } of this.columns) asking.rested();
                this.python?.rested();
            }, REST_MS);
    }

    get columns() {
        return this.second ? [this.first, this.second.column] : [this.first];
    }

    /** Something else than the choice is another. */
    invalidate() {
        this.store.tell();
    }

    /** Ask for what is missing in either column, where nothing is under way. */
    hurry() {
        for (const { asking } of this.columns) asking.hurry();
    }

    /** One moment on or back; beyond the last one, the next page. @param {1 | -1} step */
    turn(step) {
        const { first, store } = this;
        const { stems, stage } = first;
        const moments = stage?.moments ?? [];
        const moment = moments[placeOf(moments, store.chosen.moment) + step];
        if (moment) return store.choose({ moment: moment.name });
        const next = stems[stems.indexOf(store.chosen.page) + step];
        if (next !== undefined) store.go(next, step < 0 ? first.stageOf(next)?.moments.at(-1)?.name : undefined);
    }

    /** Space: let the scene play, or stop it. */
    play() {
        if (this.playing) return this.stop();
        const beat = () => {
            const next = this.first.scene?.play?.(this.store.chosen);
            if (!next) return this.stop();
            this.store.choose(next);
            this.playing = setTimeout(beat, STEP_MS);
        };
        beat();
    }

    stop() {
        clearTimeout(this.playing);
        this.playing = 0;
        this.invalidate();
    }

    /** Escape: stop, close the drawer, or let the chosen patch go. */
    letGo() {
        const { first, store, takeaway } = this;
        if (this.playing) return this.stop();
        if (this.helping) return this.help();
        if (takeaway?.menu?.opened) return takeaway.menu.close();
        if (store.chosen.open) return this.python?.drawer(store.chosen.open);
        const { query, key } = first.start;
        if (first.data.meta) store.choose({ query, key });
    }

    /** Show all keys, or hide them. */
    help() {
        this.helping = !this.helping;
        this.invalidate();
    }
}
