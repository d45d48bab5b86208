// The second column: what it is asked to be, what Python said of it, and the way to the same place in its model.

/** @import { Board } from "../state/board.js" */
/** @import { Store } from "../state/store.js" */
/** @import { ColumnSetup, ColumnData, Selection } from "../types/board.js" */

import { SECOND } from "../schema/words.js";
import { Column } from "../state/column.js";
import { NONE } from "../state/start.js";
import { wordsIn } from "../transport/words.js";
import { placed, sameClasses, sameMoment } from "./place.js";

/** What a column needs of a store.
 *  @typedef {Pick<Store, "chosen" | "shown" | "preview" | "choose" | "look" | "settle" | "go" | "tell">} Shared */

/** A moment of training in an address. @param {number} learned */
const textOf = (learned) => (learned === NONE ? "" : String(learned));

/** Words of the second column as the address has them. @param {Record<string, string>} words */
const inSecond = (words) => Object.fromEntries(Object.entries(words).map(([name, text]) => [SECOND + name, text]));

const REST = 400; // ms until the address follows a slider

/** What lies between the store and the second column. @implements {Shared} */
export class Second {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        this.first = board.first;
        this.column = new Column(board, /** @type {Store} */ (/** @type {Shared} */ (this)));
        /** What was pointed at here, and what the store was told of it. @type {Partial<Selection>} */
        this.pointed = {};
        this.told = this.pointed;
        /** What Python said last. @type {ColumnData | null} */
        this.last = null;
        /** Why there is nothing to show, or "". */
        this.failed = "";
        /** The moment of training that a hand has moved to, and that the address does not hold yet. @type {number | null} */
        this.learned = null;
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.later = 0;
    }

    get setup() {
        return /** @type {ColumnSetup} */ (this.first.data.second);
    }

    /** What Python says of this column. @param {ColumnData} said */
    accept(said) {
        if (said === this.last) return;
        this.last = said;
        this.failed = "failed" in said ? said.failed : "";
        if ("failed" in said) return;
        this.learned = null;
        const { first, column } = this;
        const same = said.meta.digest === first.parcels.digest;
        if (same) column.parcels = first.parcels;
        column.take({ ...first.data, ...said, second: null });
        if (!same) column.asking.fetch(said.names);
        column.invalidate();
    }

    /** What its moment of training tells nothing about, in a sentence, or "". @param {boolean} there whether this was kept */
    keeps(there) {
        return there || this.column.chosen.learned === NONE
            ? ""
            : "Of the moments of training, the similarity of positions and the class token's attention were kept: here B is as trained.";
    }

    /** Whether its numbers are here, or come. */
    get ready() {
        return Boolean(this.column.data.meta) && !this.failed && !this.setup.says;
    }

    /** A selection of the first column at the same place here. @param {Selection} selection @returns {Selection} */
    here(selection) {
        const { first, column } = this;
        if (!column.data.meta) return { ...selection };
        const { edits, donor, crop } = column.meta;
        const learned = this.learned ?? this.setup?.learned ?? NONE;
        const answer = selection.answer >= 0 && sameClasses(first, column) ? selection.answer : NONE;
        const moment = sameMoment(selection.moment, first.stage, column.stageOf(selection.page));
        const own = { moment, edits, donor, crop, learned, answer };
        return Object.assign({ ...selection }, placed(selection, first.meta, column.meta), own);
    }

    /** The same the other way round. @param {Partial<Selection>} fields @returns {Partial<Selection>} */
    there(fields) {
        const { first, column } = this;
        const { answer, learned, ...others } = placed(fields, column.meta, first.meta);
        return answer !== undefined && (answer < 0 || sameClasses(first, column)) ? { ...others, answer } : others;
    }

    get chosen() {
        return this.here(this.first.chosen);
    }

    get preview() {
        const { preview } = this.first.store;
        return preview === this.told ? this.pointed : preview;
    }

    get shown() {
        const { pointed, preview, first } = this;
        return Object.assign(this.here(first.shown), preview === pointed && pointed);
    }

    /** @param {Partial<Selection>} fields */
    choose(fields) {
        if (fields.learned !== undefined) this.learn(fields.learned);
        this.first.choose(this.there(fields));
    }

    /** @param {Partial<Selection>} fields */
    look(fields) {
        this.pointed = fields;
        this.told = this.there(fields);
        this.first.look(this.told);
    }

    /** @param {string} page @param {string} [moment] */
    go(page, moment) {
        this.first.store.go(page, moment);
    }

    settle() {
        this.first.store.settle();
    }

    tell() {
        this.first.store.tell();
    }

    /** Exchange the two columns. */
    exchange() {
        const { board, first, setup, column } = this;
        const { meta } = column.data;
        if (!meta) return;
        const before = first.chosen;
        const samePicture = setup.image === setup.first.image;
        first.store.set({
            edits: meta.edits,
            donor: meta.donor,
            learned: column.chosen.learned,
            crop: samePicture ? before.crop : "",
        });
        const own = /^[0-9a-f]{64}$/.test(setup.image);
        const words = wordsIn();
        const ofItsOwn = setup.fields.some((name) => SECOND + name in words);
        const fields = ofItsOwn || setup.model !== setup.first.model ? setup.fields : [];
        const pairs = fields.map((name) => [name, SECOND + name]);
        const exchanged = [...pairs, ...pairs.map(([name, other]) => [other, name])];
        this.learned = null;
        board.python?.say({
            model: setup.model,
            ...inSecond({
                model: setup.first.model,
                edits: before.edits,
                donor: before.donor,
                moment: textOf(before.learned),
                ...(!samePicture && { image: setup.first.image }),
            }),
            ...(!samePicture && { sample: own ? "" : setup.image, picture: own ? setup.image : "" }),
            ...Object.fromEntries(exchanged.map(([name, other]) => [name, words[other] ?? ""])),
            size: setup.size,
            ...inSecond({ size: setup.first.size }), // said in full: else the second is as large as the first
        });
    }

    /** Let Python show another second column. @param {Record<string, string>} fields its words, "" for what goes */
    ask(fields) {
        this.board.python?.say(inSecond(fields));
    }

    /** Another moment of training here. @param {number} learned */
    learn(learned) {
        this.learned = learned;
        clearTimeout(this.later);
        this.later = setTimeout(() => this.ask({ moment: textOf(learned) }), REST);
    }
}
