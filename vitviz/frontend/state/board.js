// The board: its first column, what stands beside it, and what is around both. It hears what is chosen, and asks for
// what that needs.

/** @import { Second } from "../columns/second.js" */
/** @import { TakeAway } from "../frame/takeaway.js" */
/** @import { Lecture } from "../lecture/lecture.js" */
/** @import { Data, Selection, Taught } from "../types/board.js" */
/** @import { Transport } from "../transport/transport.js" */
/** @import { What } from "./store.js" */

import { route } from "../transport/transport.js";
import { goOn, home, legal, momentAsked, read, visit } from "./address.js";
import { Asking } from "./asking.js";
import { Column } from "./column.js";
import { momentSaid, placeOf } from "./moments.js";
import { startOf } from "./start.js";

const RETRY_MS = 15_000; // ms until Python is asked again; a full hall waits some ten seconds for its turn
const STEP_MS = 900; // ms between two steps of what plays
const ASK = 250; // ms after the address until a drawer follows, or numbers whose way was taken by others

export class Board extends Column {
    /** @param {Transport} [transport] what numbers come by
     *  @param {boolean} [python] whether a script of Python reads the address, and draws what is Streamlit's */
    constructor(transport = route(home), python = true) {
        super();
        this.transport = transport;
        this.python = python;
        /** Called in an animation frame after anything has changed. */
        this.paint = () => {};
        this.frame = 0;
        this.asking = new Asking(this, this.transport, this);
        /** The address that Python was asked to read last. */
        this.to = "";
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.watching = 0;
        /** The menus of the pictures. @type {TakeAway | null} */
        this.takeaway = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.resting = 0;
        /** Whether a square of the picture was chosen that Python has not been asked for. */
        this.cropping = false;
        /** The second column, where there is one. @type {Second | null} */
        this.second = null;
        /** What steps through the pages, where something does, and what Python has said for it. @type {Lecture | null} */
        this.lecture = null;
        /** @type {Taught[]} */
        this.inbox = [];
        /** Whether no page with a scene was on the board just now, and the address decides what is chosen. */
        this.fresh = true;
        this.helping = false;
        /** With what the scene lets go in steps. @type {import("../frame/photo.js").Photo | null} */
        this.photo = null;
        /** The page that was asked for and has not come. @type {string | undefined} */
        this.awaited = undefined;
        this.store.subscribe(this.hear.bind(this));
    }

    /** Paint, and ask for what is missing. @param {What} what @param {Selection} before */
    hear(what, before) {
        if (before.donor !== this.chosen.donor) {
            this.asking.giveUp();
            this.parcels.drop((name) => /=paste| r/.test(name)); // which picture it was their names do not say
        }
        if (what !== "rest")
            this.frame ||= requestAnimationFrame(() => {
                this.frame = 0;
                this.paint();
            });
        if (!what || what === "look") return;
        clearTimeout(this.resting);
        if (what === "choose") {
            this.cropping ||= before.crop !== this.chosen.crop;
            this.hurry();
        } else if (what === "rest") this.rest();
        else if (what !== "slide") {
            const { page } = this.chosen;
            this.awaited = what === "go" || page !== this.data.page ? page : undefined;
            if (what === "go") this.ask(true);
            else this.watch();
        }
    }

    /** What Python says; a new model or picture starts with what the address says. @param {Data} data */
    open(data) {
        const { meta } = data;
        const before = this.data.meta;
        if (data.ahead && before && (meta ?? before).digest === before.digest) return;
        this.take(data);
        if (!data.second) {
            this.second?.asking.giveUp();
            this.second = null;
        }
        if (meta && meta.digest !== before?.digest) {
            this.store.preview = {};
            const next = this.fresh ? read(meta) : legal(this.chosen, meta);
            const page = next.page ?? this.awaited ?? data.page;
            const stage = this.stageOf(page);
            this.store.set({
                ...startOf(meta),
                ...next,
                page,
                moment: this.fresh ? momentAsked(stage) : momentSaid(stage, this.chosen.moment),
                // of the same picture the hand's square, which may be further than the answer
                crop: meta.picture.digest === before?.picture.digest ? this.chosen.crop : meta.crop,
            });
            if (this.fresh) this.store.write(this.address);
            else this.store.settle();
        }
        if (this.chosen.page !== data.page && this.awaited !== this.chosen.page) {
            const stage = this.stageOf(data.page); // a link outside of the board led there
            this.store.set({ page: data.page, moment: this.fresh ? momentAsked(stage) : momentSaid(stage), open: "" });
            if (!this.fresh) this.store.write(this.address);
        }
        this.fresh = !meta;
        if (data.page === this.awaited) this.awaited = undefined;
        this.asking.fetch(data.names);
        this.invalidate();
    }

    /** Ask for what is missing in either column, where nothing is under way. */
    hurry() {
        this.asking.hurry();
        this.second?.asking.hurry();
    }

    /** Let Python read the address, and run the page's script. @param {boolean} [entry] whether it is one of the browser's
     *  history */
    ask(entry) {
        this.cropping = false;
        this.to = this.address;
        if (!this.python) return this.store.write(this.to);
        if (entry) goOn(this.to);
        else visit(this.to, false);
        this.watch();
    }

    /** The same, unless it has been asked to read this address. */
    askOnce() {
        if (this.to !== this.address) this.ask();
    }

    /** Python is asked, by another way too; once more, later and later, where a page, a square or what it registers does
     *  not come: Streamlit drops what it is told while its connection is away. @param {number} [after] ms */
    watch(after = RETRY_MS) {
        clearTimeout(this.watching);
        if (!this.python) return;
        this.watching = setTimeout(() => {
            if (this.awaited === undefined && !this.recropped && !this.asking.lost) return;
            visit(this.address, false);
            this.watch(2 * after);
        }, after);
    }

    /** The hand rests: Python is asked only for what it alone can draw. */
    rest() {
        if (this.cropping) this.ask();
        else if (this.missing || this.chosen.open)
            this.resting = setTimeout(() => {
                if (this.recropped || this.chosen.open) this.askOnce();
                this.asking.rested();
                this.second?.asking.rested();
            }, ASK);
    }

    /** Whether a scene lacks numbers, or has those of another square. */
    get missing() {
        const { ahead } = this.data; // then they are on their way
        return !ahead && (this.recropped || this.lacks || this.second?.column.lacks);
    }

    /** Let Python read other words of the address, in a new entry of the browser's history.
     *  @param {Record<string, string>} words "" for what goes */
    say(words) {
        const [path, query] = this.address.split("?");
        const said = new URLSearchParams(query);
        for (const [name, text] of Object.entries(words)) text ? said.set(name, text) : said.delete(name);
        visit(path + (said.size ? `?${said}` : ""), true);
        this.watch();
    }

    /** Open a second column, at first with the same model without edits, or close it. */
    compare() {
        const { second, model } = this.data;
        if (!second) return this.stage?.columns.length ? this.say({ "b.model": model }) : undefined;
        const its = [...new URLSearchParams(location.search).keys()].filter((name) => name.startsWith("b."));
        this.say(Object.fromEntries(its.map((name) => [name, ""])));
    }

    /** One moment on or back; beyond the last one, the next page. @param {1 | -1} step */
    turn(step) {
        const moments = this.stage?.moments ?? [];
        const moment = moments[placeOf(moments, this.chosen.moment) + step];
        if (moment) return this.choose({ moment: moment.name });
        const { stems } = this;
        const next = stems[stems.indexOf(this.chosen.page) + step];
        if (next !== undefined) this.store.go(next, step < 0 ? this.stageOf(next)?.moments.at(-1)?.name : undefined);
    }

    /** Open or close a drawer: Python draws it. @param {Selection["open"]} name */
    drawer(name) {
        this.store.set({ open: this.chosen.open === name ? "" : name });
        this.ask();
    }

    /** Space: let the scene play, or stop it. */
    play() {
        if (this.playing) return this.stop();
        const beat = () => {
            const next = this.scene?.play?.(this.chosen);
            if (!next) return this.stop();
            this.choose(next);
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
        if (this.playing) return this.stop();
        if (this.helping) return this.help();
        if (this.takeaway?.menu?.opened) return this.takeaway.menu.close();
        if (this.chosen.open) return this.drawer(this.chosen.open);
        const { query, key } = this.start;
        if (this.meta) this.choose({ query, key });
    }

    /** Show all keys, or hide them. */
    help() {
        this.helping = !this.helping;
        this.invalidate();
    }
}
