// One model and picture: what Python says of them, and the numbers that have come.

/** @import { Array_, Data, Meta, Parcel } from "../types/board.js" */

import { Parcels } from "../transport/parcels.js";
import { came } from "./edited.js";

export class Numbers {
    constructor() {
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
        /** The names of the classes, and of which model they are. @type {string[]} */
        this.labels = [];
        this.named = "";
    }

    get meta() {
        return /** @type {Meta} */ (this.data.meta);
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
        if (this.named !== this.parcels.digest) {
            const bytes = this.array("opening", "labels")?.data;
            this.labels = bytes ? JSON.parse(new TextDecoder().decode(/** @type {Uint8Array} */ (bytes))) : [];
            this.named = bytes ? this.parcels.digest : "";
        }
        return this.labels[at] ?? `class ${at}`;
    }
}
