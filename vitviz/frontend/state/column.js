// A column of the board: one model and picture, what Python says of them, the numbers that have come, and what is
// chosen of them. It cannot tell whether it is the first.

/** @import { Array_, Data, Folded, Meta, Parcel, Scene, Selection, Stage } from "../types/board.js" */
/** @import { Board } from "./board.js" */

import { Parcels } from "../transport/parcels.js";
import { url } from "./address.js";
import { Asking } from "./asking.js";
import { came, has } from "./edited.js";
import { startOf } from "./start.js";
import { Store } from "./store.js";

export class Column {
    /** @param {Board} board @param {Store} [store] of a column that is not the first: what lies between it and the first one's */
    constructor(board, store) {
        this.board = board;
        this.asking = new Asking(this, board);
        this.store = store ?? new Store(this);
        /** The scene on the board. @type {Scene | null} */
        this.scene = null;
        /** The switches beside the scene, once somebody has opened them. @type {Folded | null} */
        this.folded = null;
        /** Why numbers that were asked for last do not come, or "". */
        this.refused = "";
        /** @type {Data} */
        this.data = {
            page: "",
            picture: "",
            own: "",
            key: "",
            arrived: "",
            model: "",
            model_title: "",
            device: "",
            meta: null,
            facts: {},
            stages: [],
            others: [],
            palette: {},
            weights: [],
            second: null,
        };
        /** @type {Parcels} */
        this.parcels = new Parcels("");
        /** The facts of every page that was shown of this model and picture. @type {Map<string, Data["facts"]>} */
        this.facts = new Map();
        this.local = false; // whether this browser runs the model for what is shown
        /** The names of the classes, and the numbers that they were read from. @type {string[]} */
        this.labels = [];
        /** @type {Array_ | undefined} */
        this.packed = undefined;
    }

    get meta() {
        return /** @type {Meta} */ (this.data.meta);
    }

    /** What is chosen, at its place here. @returns {Selection} */
    get chosen() {
        return this.store.chosen;
    }

    /** What is on the board: the choice, and over it the preview. @returns {Selection} */
    get shown() {
        return this.store.shown;
    }

    /** What is chosen where nobody has chosen. */
    get start() {
        return startOf(this.data.meta, this.stage);
    }

    /** The address of this column alone. */
    get address() {
        return url(this.data.meta, this.chosen, this.start);
    }

    /** @returns {Stage | undefined} */
    get stage() {
        return this.stageOf(this.chosen.page);
    }

    /** All pages, in order. */
    get stems() {
        return [...this.data.stages, ...this.data.others].map(({ stem }) => stem);
    }

    /** @param {string} page @returns {Stage | undefined} */
    stageOf(page) {
        return this.data.stages.find(({ stem }) => stem === page);
    }

    get playing() {
        return this.board.playing;
    }

    /** @param {Partial<Selection>} fields */
    choose(fields) {
        this.store.choose(fields);
    }

    /** @param {Partial<Selection>} fields */
    look(fields) {
        this.store.look(fields);
    }

    /** Something else than the choice is another. */
    invalidate() {
        this.store.tell();
    }

    /** The numbers that the scene and its switches need from Python. */
    get needs() {
        const { chosen, scene } = this;
        const drawn = scene?.page === undefined || scene.page === chosen.page; // of an earlier page it knows other facts
        const names = (drawn && this.data.meta && scene?.needs?.(chosen)) || [];
        return this.folded?.needs(names) ?? names;
    }

    /** Whether a scene needs numbers that are not here. */
    get lacks() {
        return !this.data.ahead && !this.recropped && this.needs.some((name) => !has(this, name));
    }

    /** Why numbers do not come that a scene needs for what is chosen, or none at all; or "". */
    get refusal() {
        return this.lacks || this.asking.unlisted ? this.refused : "";
    }

    /** Whether what is here is of another square of the picture than the chosen one. */
    get recropped() {
        return Boolean(this.data.meta) && this.meta.crop !== this.chosen.crop;
    }

    /** The patch that is chosen, or the one in the middle, as Python has it. @param {Selection} shown */
    patchOf({ query }) {
        const { prefix, rows, columns } = this.meta;
        return query < prefix.length ? ((rows - 1) >> 1) * columns + ((columns - 1) >> 1) : query - prefix.length;
    }

    /** What Python says; a new model or picture has numbers of its own. @param {Data} data */
    take(data) {
        this.data = data;
        if (!data.meta) return;
        if (data.meta.digest !== this.parcels.digest) {
            this.parcels = new Parcels(data.meta.digest);
            this.facts.clear();
        }
        this.facts.set(data.page, data.facts);
    }

    /** Keep numbers of this model and picture. @param {Parcel} parcel */
    receive({ digest, name, arrays }) {
        if (digest !== this.parcels.digest) return;
        this.parcels.set(name, arrays);
        came(this, name);
    }

    /** The numbers called `array` of a parcel, where they are here. @param {string} parcel @param {string} array
     *  @returns {Array_ | undefined} */
    array(parcel, array) {
        return this.parcels.get(parcel)?.[array];
    }

    /** The name of a class. @param {number} at */
    label(at) {
        const packed = this.array("opening", "labels");
        if (packed !== this.packed)
            this.labels = packed ? JSON.parse(new TextDecoder().decode(/** @type {Uint8Array} */ (packed.data))) : [];
        this.packed = packed;
        return this.labels[at] ?? `class ${at}`;
    }
}
