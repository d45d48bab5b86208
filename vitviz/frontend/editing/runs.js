// The forward passes that the scene compares, with edits and without: from this browser where it can run the model itself,
// else from the server.

/** @import { Column } from "../state/column.js" */
/** @import { Lens } from "../state/lens.js" */
/** @import { Array_ } from "../types/board.js" */
/** @import { canRun, Forward } from "../forward/client.js" */
/** @import { Ran, ModelSpec } from "../types/forward.js" */
/** @import { Offer } from "./offer.js" */

import { takeSecond } from "../edits/edits.js";
import { lensArrays, readFrom } from "../state/lens.js";

const MOST = 24; // edits whose runs are kept
const SLOW = 400; // ms of a forward pass from which on the server runs the model
const TRIES = 2; // more, where the first was slow: it may have met a busy moment
export const PATCHES = "forward-patches"; // the parcel with both pictures as the model reads them

/** What a forward pass came to, as far as it is here. `edits`: which they are; `row`: what a query looks at in a layer,
 *  `head k`; `vectors`: what a head would read, `after component`, where there is none.
 *  @typedef {{ edits: string, lens: Lens | null, vectors: ArrayLike<number> | null, row(layer: number, query: number): Float32Array | null }} Run */

/** What runs a model in this browser, and offers to; a page fetches it.
 *  @typedef {{ canRun: typeof canRun, Forward: typeof Forward, Offer: typeof Offer }} Client */

/** What is kept of a run in this browser. @typedef {{ edits: string, arrays: Record<string, Array_>, logits: Float32Array,
 *    layers: Map<number, Float32Array> }} Pass */

/** The sample that is the second picture: the chosen one, or the usual one. @param {Column} column */
export function secondOf(column) {
    const { second = "", samples = {} } = /** @type {{ second?: string, samples?: Record<string, string> }} */ (
        column.data.facts
    );
    const { donor } = column.chosen;
    return donor in samples || (donor && donor === column.meta.donor) ? donor : second;
}

export class Runs {
    /** @param {Column} column @param {() => Promise<Client>} fetch */
    constructor(column, fetch) {
        this.column = column;
        /** @type {Forward | null} */
        this.forward = null;
        this.spec = /** @type {ModelSpec | null} */ (column.data.facts.forward ?? null);
        /** "starting", "browser" or "server". */
        this.mode = this.spec && !this.spec.bytes && column.chosen.runs !== "server" ? "starting" : "server";
        /** @type {Client | null} */
        this.client = null;
        /** Of a larger model. @type {Offer | null} */
        this.offer = null;
        this.begun = false;
        this.closed = false;
        /** @type {Map<string, Pass>} */
        this.cache = new Map();
        this.latest = "";
        this.key = "";
        this.took = 0;
        /** The logits of both pictures, where this browser has run them.
         *  @type {{ own: ArrayLike<number>, second: ArrayLike<number>, label(at: number): string } | null} */
        this.pair = null;
        /** The second picture that this browser has run. */
        this.second = "";
        if (this.spec && (this.spec.bytes || this.mode === "starting"))
            this.prepare(this.spec, fetch).catch((error) => {
                console.info("The server runs the model:", error);
                this.give();
            });
    }

    /** @param {ModelSpec} spec @param {() => Promise<Client>} fetch */
    async prepare(spec, fetch) {
        const client = await fetch();
        if (!client.canRun()) return this.give();
        this.client = client;
        if (spec.bytes) this.offer = new client.Offer(spec, () => this.column.invalidate());
        this.column.invalidate();
    }

    /** Begin when the pictures are here. */
    begin() {
        this.column.local = this.mode === "browser";
        if (this.mode === "browser") this.showSecond();
        if (this.mode === "server") this.pair = this.pairOfServer();
        const runs = this.offer?.taken && !this.offer.why ? "fetching" : "server";
        if (this.mode === "server" && this.spec && (this.offer || !this.spec.bytes) && this.column.chosen.runs !== runs)
            this.column.choose({ runs });
        const own = this.column.array(PATCHES, "own")?.data;
        if (!(this.mode === "starting" || this.offer?.taken) || this.begun || !own || !this.spec || !this.client)
            return;
        this.begun = true;
        this.start(this.spec, this.client).catch((error) => {
            console.info("The server runs the model:", error);
            this.offer?.failed(error);
            this.give();
        });
    }

    /** @param {ModelSpec} spec @param {Client} client */
    async start(spec, { Forward }) {
        const own = this.column.array(PATCHES, "own")?.data;
        const forward = await Forward.start(spec, document.baseURI, (progress) => {
            if (this.offer) this.offer.progress = progress;
            this.column.invalidate();
        });
        if (this.closed) return forward.close();
        this.forward = forward;
        let first = await forward.show(/** @type {Float32Array} */ (own));
        for (let more = TRIES; more && first.took > SLOW; more--)
            first = await forward.show(/** @type {Float32Array} */ (own));
        if (spec.bytes) {
            const edited = await forward.run(`m${Math.ceil(this.column.meta.depth / 2)}*0.5`);
            if (!this.offer?.isFaster(edited?.took ?? 0)) return this.give();
        } else if (first.took > SLOW) return this.give();
        if (this.closed) return forward.close();
        this.keep("", first);
        this.mode = "browser";
        if (spec.bytes) this.column.choose({ runs: "here" });
        this.column.invalidate();
    }

    /** Run the second picture, where it has come and is another one. What was made with that before is forgotten. */
    async showSecond() {
        const { column, forward } = this;
        const id = secondOf(column);
        const patches = column.array(`second ${id}`, "patches")?.data;
        const own = this.cache.get("")?.logits;
        if (!forward || !own || !patches || this.second === id) return;
        this.second = id;
        this.pair = null;
        const { logits } = await forward.showSecond(/** @type {Float32Array} */ (patches));
        if (this.second !== id) return;
        this.pair = { own, second: logits, label: (at) => column.label(at) };
        for (const edits of [...this.cache.keys()]) if (takeSecond(edits, column.meta)) this.cache.delete(edits);
        if (!this.cache.has(this.latest)) this.latest = "";
        this.key = "";
        column.invalidate();
    }

    /** Whether this browser is to have the pictures as the model reads them. */
    get reads() {
        return Boolean(this.spec && (!this.spec.bytes || this.offer?.taken));
    }

    /** Let the server run the model. */
    give() {
        this.forward?.close();
        this.forward = null;
        this.mode = "server";
        if (!this.closed) this.column.choose({ runs: "server" });
        this.column.invalidate();
    }

    /** The logits of both pictures as the server sends them. */
    pairOfServer() {
        const { column } = this;
        const second = column.array(`second ${secondOf(column)}`, "logits")?.data;
        const { lens, vectors } = readFrom(column, column.parcels.get(this.answers));
        const own = lens?.logits(column.meta.depth) ?? vectors?.slice(-column.meta.dim);
        if (!second || own?.length !== second.length) return null;
        return { own, second: /** @type {Float32Array} */ (second), label: column.label.bind(column) };
    }

    /** @param {string} edits @param {Ran} ran */
    keep(edits, ran) {
        if (!this.cache.has(edits)) this.took = ran.took;
        const pass = this.cache.get(edits) ?? {
            edits,
            arrays: lensArrays(ran.lens, this.column.meta.classes),
            logits: ran.logits,
            layers: new Map(),
        };
        for (const [name, { data }] of Object.entries(ran.arrays)) {
            const layer = Number(name.split("-")[1]);
            const whose = name.startsWith("original") ? this.cache.get("") : pass;
            whose?.layers.set(layer, /** @type {Float32Array} */ (data));
        }
        this.cache.delete(edits);
        this.cache.set(edits, pass);
        const oldest = [...this.cache.keys()].find((it) => it !== "");
        if (this.cache.size > MOST && oldest !== undefined) this.cache.delete(oldest);
        this.latest = edits;
        this.column.invalidate();
    }

    /** Ask this browser for a run and its attention in some layers, and that of the unedited one in others; of several only
     *  the last is made. @param {string} edits @param {number[]} layers @param {number[]} [originals] */
    want(edits, layers, originals = []) {
        const { forward, cache } = this;
        if (!edits) this.latest = "";
        if (this.mode !== "browser" || !forward || (takeSecond(edits, this.column.meta) && !this.pair)) return;
        const key = `${edits} ${layers} ${originals}`;
        const lacks = (/** @type {string} */ of) => (/** @type {number} */ layer) => !cache.get(of)?.layers.has(layer);
        const unseen = originals.filter(lacks(""));
        if (key === this.key || (cache.has(edits) && !layers.some(lacks(edits)) && !unseen.length)) return;
        this.key = key;
        const names = [
            ...layers.map((layer) => `weights-${layer}`),
            ...unseen.map((layer) => `original.weights-${layer}`),
        ];
        forward.run(edits, names).then(
            (ran) => {
                if (this.key === key) this.key = "";
                if (ran) this.keep(edits, ran);
            },
            (error) => {
                console.error(error);
                this.give();
            },
        );
    }

    /** The run with these edits; until it is here, that of the edits before. @param {string} edits @returns {Run} */
    at(edits) {
        const { column } = this;
        const which = this.cache.has(edits) ? edits : this.latest;
        const pass = this.cache.get(which);
        if (this.mode === "browser" && pass) {
            return {
                edits: which,
                ...readFrom(column, pass.arrays),
                row: (layer, query) => rowOf(pass.layers.get(layer), column.meta, query),
            };
        }
        return this.fromServer(edits);
    }

    /** The parcel of an answer. */
    get answers() {
        return this.column.meta.classes ? "lens" : "vectors";
    }

    /** Whether the server has sent the run with these edits. @param {string} edits */
    has(edits) {
        return Boolean(this.column.parcels.get(`${this.answers} ${edits}`));
    }

    /** What the server has sent of a run; until it is here, of the one before. @param {string} edits @returns {Run} */
    fromServer(edits) {
        const { column } = this;
        if (edits && this.has(edits)) {
            this.latest = edits;
            this.offer?.answered(edits);
        }
        const which = edits && this.latest ? this.latest : edits;
        return {
            edits: which,
            ...readFrom(column, column.parcels.get(`${this.answers} ${which}`.trim())),
            row: (layer, query) =>
                /** @type {Float32Array | null} */ (column.array(rowName(which, layer, query), "rows")?.data ?? null),
        };
    }

    /** What the server has to be asked for. @param {string} edits @param {number} layer @param {number} query */
    needs(edits, layer, query) {
        const second = `second ${secondOf(this.column)}`;
        if (this.mode !== "server") return this.begun ? [second] : [PATCHES, second];
        if (!this.has(edits)) this.offer?.begin(edits);
        return [
            ...(this.offer?.taken && !this.begun ? [PATCHES] : []),
            second,
            ...(edits ? [`${this.answers} ${edits}`] : []),
            rowName("", layer, query),
            rowName(edits, layer, query),
        ];
    }

    /** Say where the forward passes run, and whether that with these edits is on its way. @param {HTMLElement} where
     *  @param {string} edits */
    say(where, edits) {
        if (this.offer) this.offer.say(where, this.where(edits));
        else where.textContent = this.where(edits);
    }

    /** @param {string} edits */
    where(edits) {
        if (this.mode === "server")
            return `${this.column.data.facts.runs ?? "the server runs the model"}${this.fromServer(edits).edits === edits ? "" : ": preview"}${this.offer?.words ?? ""}`;
        return this.mode === "starting"
            ? "the model is on its way to this browser"
            : `runs in this browser: ${Math.round(this.took)} ms`;
    }

    close() {
        this.closed = true;
        this.forward?.close();
    }
}

/** @param {string} edits @param {number} layer @param {number} query */
const rowName = (edits, layer, query) => `row ${layer} ${query} ${edits}`;

/** @param {Float32Array | undefined} weights `head q k` @param {{ heads: number, tokens: number }} meta @param {number} query */
function rowOf(weights, { heads, tokens }, query) {
    if (!weights) return null;
    const out = new Float32Array(heads * tokens);
    for (let head = 0; head < heads; head++) {
        const at = (head * tokens + query) * tokens;
        out.set(weights.subarray(at, at + tokens), head * tokens);
    }
    return out;
}
