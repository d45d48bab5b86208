// What all instruments of the board share: one model and picture, one selection, and the numbers that have come.

/** @import { Second } from "../columns/second.js" */
/** @import { TakeAway } from "../frame/takeaway.js" */
/** @import { Lecture } from "../lecture/lecture.js" */
/** @import { Data, Folded, Scene, Selection, Stage, Taught } from "../types/board.js" */

import { legal, momentAsked, pageOf, read, replace, url, visit } from "./address.js";
import { Asking } from "./asking.js";
import { has } from "./edited.js";
import { momentSaid, placeOf } from "./moments.js";
import { Numbers } from "./numbers.js";
import { startOf } from "./start.js";

const REST_MS = 150; // ms until the address follows the hand
const STEP_MS = 900; // ms between two steps of what plays
const ASK = 400; // ms of rest until a drawer follows, or numbers whose way was taken by others

export class Board extends Numbers {
    constructor() {
        super();
        /** @type {Selection} */
        this.held = startOf(null);
        /** What the pointer is on, in place of what is chosen. @type {Partial<Selection>} */
        this.preview = {};
        /** Called in an animation frame after anything has changed. */
        this.paint = () => {};
        /** The scene on the board. @type {Scene | null} */
        this.scene = null;
        this.frame = 0;
        /** The switches beside the scene, once somebody has opened them. @type {Folded | null} */
        this.folded = null;
        this.asking = new Asking(this);
        /** The menus of the pictures. @type {TakeAway | null} */
        this.takeaway = null;
        /** @type {Record<"rest" | "ask" | "play", ReturnType<typeof setTimeout> | 0>} */
        this.timers = { rest: 0, ask: 0, play: 0 };
        /** The second column, where there is one. @type {Second | null} */
        this.second = null;
        /** What steps through the pages, where something does, and what Python has said for it. @type {Lecture | null} */
        this.lecture = null;
        /** @type {Taught[]} */
        this.inbox = [];
        /** Whether no page with a scene was on the board just now, and the address decides what is chosen. */
        this.fresh = true;
        this.helping = false;
        this.alone = false; // no server can be asked
        /** Why numbers do not come, or "". */
        this.refused = "";
        /** With what the scene lets go in steps. @type {import("../frame/photo.js").Photo | null} */
        this.photo = null;
        /** Whether a square of the picture was chosen that Python has not been asked for. */
        this.cropping = false;
        /** What had arrived when the picture that is on its way was brought; null where none is. @type {string | null} */
        this.coming = null;
        /** Whether the photo is held up to be seen without light on it. */
        this.bare = false;
        /** The page that was asked for and has not come. @type {string | undefined} */
        this.awaited = undefined;
    }

    /** What is chosen, and what stands in the address. @returns {Selection} */
    get chosen() {
        return this.held;
    }

    set chosen(selection) {
        if (selection.donor !== this.held.donor) {
            this.asking.giveUp();
            this.parcels.drop((name) => /=paste| r/.test(name)); // which picture it was their names do not say
        }
        this.held = selection;
    }

    get start() {
        return startOf(this.data.meta, this.stage);
    }

    /** @returns {Stage | undefined} */
    get stage() {
        return this.stageOf(this.chosen.page);
    }

    /** @param {string} page @returns {Stage | undefined} */
    stageOf(page) {
        return this.data.stages.find(({ stem }) => stem === page);
    }

    /** What is on the board: the choice, and over it the preview. @returns {Selection} */
    get shown() {
        return /** @type {Selection} */ ({ ...this.chosen, ...this.preview });
    }

    /** What Python says; a new model or picture starts with what the address says. @param {Data} data */
    open(data) {
        const before = this.data;
        if (data.ahead && before.meta && (data.meta ?? before.meta).digest === before.meta.digest) return;
        this.take(data);
        if (!data.second) {
            this.second?.asking.giveUp();
            this.second = null;
        }
        if (data.meta && data.meta.digest !== before.meta?.digest) {
            this.preview = {};
            const next = this.fresh ? read(data.meta) : legal(this.chosen, data.meta);
            const page = next.page ?? this.awaited ?? data.page;
            const stage = this.stageOf(page);
            this.chosen = /** @type {Selection} */ ({
                ...startOf(data.meta),
                ...next,
                page,
                moment: this.fresh ? momentAsked(stage) : momentSaid(stage, this.chosen.moment),
                // of the same picture the hand's square, which may be further than the answer
                crop: data.meta.picture.digest === before.meta?.picture.digest ? this.chosen.crop : data.meta.crop,
            });
            if (this.fresh) replace(this.address);
            else this.settle();
        }
        if (this.chosen.page !== data.page && this.awaited !== this.chosen.page) this.arrive(data.page);
        this.fresh = !data.meta;
        if (data.page === this.awaited) this.awaited = undefined;
        this.asking.fetch(data.names);
        this.invalidate();
    }

    /** Choose: it stays, and the address follows when the hand rests. @param {Partial<Selection>} fields */
    choose(fields) {
        this.slide(fields);
        this.hurry();
        this.timers.rest = setTimeout(() => this.settle(), REST_MS);
    }

    /** Choose as long as the hand drags: the address waits until it lets go. @param {Partial<Selection>} fields */
    slide(fields) {
        this.chosen = /** @type {Selection} */ ({ ...this.chosen, ...fields });
        this.preview = {};
        this.invalidate();
        clearTimeout(this.timers.rest);
        clearTimeout(this.timers.ask);
    }

    /** Show something as long as the pointer is on it; `{}` gives back what is chosen. @param {Partial<Selection>} fields */
    look(fields) {
        this.preview = this.lecture?.pointer?.on ? {} : fields; // what is pointed at is what all see
        this.invalidate();
    }

    /** Ask for what is missing in either column, where nothing is under way. */
    hurry() {
        this.asking.hurry();
        this.second?.asking.hurry();
    }

    /** The address follows; Python is asked only for what it alone can draw. */
    settle() {
        replace(this.address);
        clearTimeout(this.timers.ask);
        if (this.cropping) this.ask(false);
        else if (this.missing || this.chosen.open)
            this.timers.ask = setTimeout(() => {
                if ((this.recropped || this.chosen.open) && this.asking.to !== this.address) this.ask(false);
                this.asking.rested();
                this.second?.asking.rested();
            }, ASK - REST_MS);
    }

    /** The numbers that the scene and its switches need from Python. */
    get needs() {
        const names = (this.data.meta && this.scene?.needs?.(this.chosen)) ?? [];
        return this.folded?.needs(names) ?? names;
    }

    /** Whether a scene needs numbers that are not here. */
    get lacks() {
        return !this.data.ahead && !this.recropped && this.needs.some((name) => !has(this, name));
    }

    /** Whether a scene lacks numbers, or has those of another square. @returns {boolean} */
    get missing() {
        if (this.data.ahead) return false; // they are on their way
        return this.recropped || this.lacks || Boolean(this.second?.missing);
    }

    /** Whether what is here is of another square of the picture than the chosen one. */
    get recropped() {
        const { meta } = this.data;
        return Boolean(meta) && meta?.crop !== this.chosen.crop;
    }

    /** Let Python show another second column: its parameters without "b.", null for what goes.
     *  @param {Record<string, string | null>} fields */
    column(fields) {
        const [path, query] = this.address.split("?");
        const words = new URLSearchParams(query);
        for (const [name, text] of Object.entries(fields))
            text === null ? words.delete(`b.${name}`) : words.set(`b.${name}`, text);
        visit(path + (words.size ? `?${words}` : ""), true);
        this.asking.watch();
    }

    /** Open a second column, at first with the same model without edits, or close it. */
    compare() {
        const { second } = this.data;
        if (!second) return this.stage?.columns.length ? this.column({ model: this.data.model }) : undefined;
        const its = [...new URLSearchParams(location.search).keys()].filter((name) => name.startsWith("b."));
        this.column(Object.fromEntries(its.map((name) => [name.slice(2), null])));
    }

    /** The patch that is chosen, or the one in the middle, as Python has it. @param {Selection} shown */
    patchOf({ query }) {
        const { prefix, rows, columns } = this.meta;
        return query < prefix.length ? ((rows - 1) >> 1) * columns + ((columns - 1) >> 1) : query - prefix.length;
    }

    get address() {
        return url(this.data.meta, this.chosen, this.start);
    }

    /** Go to another page; the board moves at once, Python follows. @param {string} stem @param {string} [moment] */
    go(stem, moment = momentSaid(this.stageOf(stem))) {
        clearTimeout(this.timers.rest);
        clearTimeout(this.timers.ask);
        if (stem === this.chosen.page) return this.choose({ moment });
        this.awaited = stem;
        this.chosen = /** @type {Selection} */ ({ ...this.chosen, page: stem, moment, open: "" });
        this.preview = {};
        this.ask(true);
        this.invalidate();
    }

    /** The browser went back or forward, or opened an address: all of the selection is what it says. */
    returned() {
        if (location.pathname + location.search === this.address) return; // the board itself went there
        const page = pageOf([...this.data.stages, ...this.data.others].map(({ stem }) => stem));
        this.awaited = page === this.data.page ? undefined : page;
        const next = this.data.meta ? { ...this.start, ...read(this.meta) } : this.chosen;
        this.chosen = /** @type {Selection} */ ({ ...next, page, moment: momentAsked(this.stageOf(page)) });
        this.preview = {};
        this.asking.watch();
        this.invalidate();
    }

    /** Python shows another page than the board expected: a link outside of the board led there. @param {string} page */
    arrive(page) {
        this.chosen = /** @type {Selection} */ ({
            ...this.chosen,
            page,
            moment: this.fresh ? momentAsked(this.stageOf(page)) : momentSaid(this.stageOf(page)),
            open: "",
        });
        if (!this.fresh) replace(this.address);
    }

    /** One moment on or back; beyond the last one, the next page. @param {1 | -1} step */
    turn(step) {
        const moments = this.stage?.moments ?? [];
        const moment = moments[placeOf(moments, this.chosen.moment) + step];
        if (moment) return this.choose({ moment: moment.name });
        const pages = [...this.data.stages.map(({ stem }) => stem), ...this.data.others.map(({ stem }) => stem)];
        const next = pages[pages.indexOf(this.chosen.page) + step];
        if (next !== undefined) this.go(next, step < 0 ? this.stageOf(next)?.moments.at(-1)?.name : undefined);
    }

    /** Open or close a drawer: Python draws it. @param {Selection["open"]} name */
    drawer(name) {
        this.chosen = { ...this.chosen, open: this.chosen.open === name ? "" : name };
        this.ask(false);
        this.invalidate();
    }

    /** Let the model see another square of the picture: Python runs it. @param {string} crop */
    crop(crop) {
        this.cropping = true;
        this.choose({ crop });
    }

    /** Let Python read the address. @param {boolean} entry whether it is one of the browser's history */
    ask(entry) {
        this.cropping = false;
        this.asking.ask(entry);
    }

    /** Space: let the scene play, or stop it. */
    play() {
        if (this.timers.play) return this.stop();
        const beat = () => {
            const next = this.scene?.play?.(this.chosen);
            if (!next) return this.stop();
            this.choose(next);
            this.timers.play = setTimeout(beat, STEP_MS);
        };
        beat();
    }

    stop() {
        clearTimeout(this.timers.play);
        this.timers.play = 0;
        this.invalidate();
    }

    /** Escape: stop, close the drawer, or let the chosen patch go. */
    letGo() {
        if (this.timers.play) return this.stop();
        if (this.helping) return this.help();
        if (this.takeaway?.menu?.opened) return this.takeaway.menu.close();
        if (this.chosen.open) return this.drawer(this.chosen.open);
        if (this.data.meta) this.choose({ query: this.start.query, key: this.start.key });
    }

    /** Show the photo without light on it, as long as somebody holds it. @param {boolean} bare */
    hold(bare) {
        if (bare === this.bare) return;
        this.bare = bare;
        this.invalidate();
    }

    /** Show all keys, or hide them. */
    help() {
        this.helping = !this.helping;
        this.invalidate();
    }

    invalidate() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.paint();
        });
    }
}
