// The second column as a board: numbers of its own, and the selection of the first, at the same place.

/** @import { ColumnSetup, ColumnData, Selection } from "../types/board.js" */

import { visit } from "../state/address.js";
import { Board } from "../state/board.js";
import { sameMoment } from "../state/moments.js";
import { NONE } from "../state/start.js";
import { placed } from "./place.js";

const REST = 400; // ms until the address follows a slider

export class Second extends Board {
    /** @param {Board} first */
    constructor(first) {
        super();
        this.first = first;
        this.timers = first.timers; // what plays, plays in both
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

    /** What Python says of this column. @param {ColumnData} column */
    accept(column) {
        if (column === this.last) return;
        this.last = column;
        this.failed = "failed" in column ? column.failed : "";
        if ("failed" in column) return;
        this.learned = null;
        const { first } = this;
        const same = column.meta.digest === first.parcels.digest;
        if (same) this.parcels = first.parcels;
        this.take({ ...first.data, ...column, second: null });
        if (!same) this.asking.fetch(column.names);
        this.invalidate();
    }

    /** What its moment of training tells nothing about, in a sentence, or "". @param {boolean} there whether this was kept */
    keeps(there) {
        return there || this.chosen.learned === NONE
            ? ""
            : "Of the moments of training, the similarity of positions and the class token's attention were kept: here B is as trained.";
    }

    /** Whether its numbers are here, or come. */
    get ready() {
        return Boolean(this.data.meta) && !this.failed && !this.setup.says;
    }

    /** Whether class numbers mean the same in both. */
    get sameClasses() {
        const { first } = this;
        if (first.meta.classes !== this.meta.classes) return false;
        first.label(0);
        this.label(0);
        return first.labels.join("\n") === this.labels.join("\n");
    }

    /** @override @returns {Selection} */
    get chosen() {
        return this.first && this.data.meta ? this.here(this.first.chosen) : this.held;
    }

    /** @override */
    set chosen(_selection) {} // the first column's alone

    /** @override @returns {Selection} */
    get shown() {
        const { first, preview } = this;
        return Object.assign(this.here(first.shown), Object.keys(first.preview).length ? preview : {});
    }

    /** A selection of the first column at the same place here. @param {Selection} selection @returns {Selection} */
    here(selection) {
        const { edits, donor, crop } = this.meta;
        const learned = this.learned ?? this.setup?.learned ?? NONE;
        const answer = selection.answer >= 0 && this.sameClasses ? selection.answer : NONE;
        const moment = sameMoment(selection.moment, this.first.stage, this.stageOf(selection.page));
        const own = { moment, edits, donor, crop, learned, answer };
        return Object.assign({ ...selection }, placed(selection, this.first.meta, this.meta), own);
    }

    /** The same the other way round. @param {Partial<Selection>} fields @returns {Partial<Selection>} */
    there(fields) {
        const { answer, learned, ...others } = placed(fields, this.meta, this.first.meta);
        return answer !== undefined && (answer < 0 || this.sameClasses) ? { ...others, answer } : others;
    }

    /** @override @param {Partial<Selection>} fields */
    choose(fields) {
        if (fields.learned !== undefined) this.learn(fields.learned);
        this.first.choose(this.there(fields));
    }

    /** @override @param {Partial<Selection>} fields */
    look(fields) {
        this.preview = fields;
        this.first.look(this.there(fields));
    }

    /** Exchange the two columns. */
    exchange() {
        const { first, setup, meta } = this;
        if (!meta) return;
        const before = first.chosen;
        const samePicture = setup.image === setup.first.image;
        first.chosen = {
            ...before,
            edits: meta.edits,
            donor: meta.donor,
            learned: this.chosen.learned,
            crop: samePicture ? before.crop : "",
        };
        const [path, query] = first.address.split("?");
        const params = new URLSearchParams(query);
        const say = (/** @type {string} */ name, /** @type {string} */ text) =>
            text ? params.set(name, text) : params.delete(name);
        say("model", setup.model);
        say("b.model", setup.first.model);
        say("b.edits", before.edits);
        say("b.donor", before.donor);
        say("b.moment", before.learned === NONE ? "" : String(before.learned));
        if (!samePicture) {
            const own = /^[0-9a-f]{64}$/.test(setup.image);
            say("sample", own ? "" : setup.image);
            say("picture", own ? setup.image : "");
            say("b.image", setup.first.image);
        }
        const ofItsOwn = setup.fields.some((name) => params.has(`b.${name}`));
        for (const name of ofItsOwn || setup.model !== setup.first.model ? setup.fields : []) {
            const [own, other] = [params.get(name) ?? "", params.get(`b.${name}`) ?? ""];
            say(name, other);
            say(`b.${name}`, own);
        }
        this.learned = null;
        visit(path + (params.size ? `?${params}` : ""), true);
        first.asking.watch();
    }

    /** Another moment of training here. @param {number} learned */
    learn(learned) {
        this.learned = learned;
        clearTimeout(this.later);
        this.later = setTimeout(() => this.first.column({ moment: learned === NONE ? null : String(learned) }), REST);
    }

    /** @override @param {string} stem @param {string} [moment] */
    go(stem, moment) {
        this.first.go(stem, moment);
    }

    /** @override @param {boolean} entry */
    ask(entry) {
        this.first.ask(entry);
    }

    /** @override */
    play() {
        this.first.play();
    }

    /** @override */
    invalidate() {
        this.first?.invalidate();
    }
}
