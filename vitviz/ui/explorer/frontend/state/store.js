// What outlives the page: the maps of the last models and pictures, the view, and the way back to Python.

/** @import { Message, Opening, PythonView, Selection, Send } from "../types.js" */

import { Maps } from "./maps.js";

/** @typedef {typeof store} Store */

const MAPS_KEPT = 3;
const SETTLE = 250; // ms without a change before Python is told

/** Split a message: u32 length of the header, JSON header, then the parts that it names, in order.
 *  @param {Uint8Array} bytes @returns {Message} */
export function unpack(bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    /** @type {Record<string, Uint8Array>} */
    const parts = {};
    let at = 4 + length;
    for (const [name, size] of header.parts) {
        parts[name] = bytes.subarray(at, at + size);
        at += size;
    }
    return /** @type {Message} */ ({ kind: header.kind, header, parts });
}

/** @param {Uint8Array} bytes */
const floats = (bytes) => new Float32Array(bytes.slice().buffer);

/** What Streamlit's own page says of it. */
export const streamlit = {
    /** @type {HTMLElement | null} */
    app: null,
    /** How often it has begun to run, and how often it has lost its server. */
    runs: 0,
    losses: 0,

    watch() {
        if (this.app) return;
        this.app = document.querySelector("[data-testid=stApp]");
        const [run, connection] = ["data-test-script-state", "data-test-connection-state"];
        const count = (/** @type {MutationRecord} */ { attributeName, oldValue }) => {
            this.runs += Number(attributeName === run && oldValue === "notRunning");
            this.losses += Number(attributeName === connection && oldValue === "CONNECTED");
        };
        const options = { attributeFilter: [run, connection], attributeOldValue: true };
        if (this.app) new MutationObserver((changes) => changes.forEach(count)).observe(this.app, options);
    },

    get resting() {
        return this.app?.dataset.testScriptState === "notRunning";
    },

    /** Whether it would deliver a message now; it drops those that come while it has lost its server. */
    get connected() {
        return this.app?.dataset.testConnectionState === "CONNECTED";
    },
};

export const store = {
    /** @type {Map<string, Maps>} newest last */
    all: new Map(),
    /** @type {Maps | null} what the page is about */
    maps: null,
    /** @type {Selection} */
    view: { layer: 0, head: 0, query: 0, shows: "looks at", mean: false, scale: "shared", pinned: false },
    /** What Python said last, and what it was told last. @type {Partial<Selection>} */
    agreed: {},
    /** @type {Partial<Selection>} */
    sent: {},
    /** The number of the last message to Python, and of the last that it has seen; -1 before it has said anything. */
    seq: 0,
    heard: -1,
    /** The counts of Streamlit when it was sent. */
    sentAt: { runs: 0, losses: 0 },
    /** Whether the view on screen is ahead of what Python knows. */
    unsettled: false,
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer: undefined,
    /** @type {Send | null} */
    send: null,
    /** A view that came before its picture. @type {PythonView | null} */
    waiting: null,
    /** Called when something new is to be seen. */
    changed: () => {},
    /** Layers that arrived before their picture. @type {Message[]} */
    pending: [],

    /** @param {Message} message */
    receive(message) {
        const maps = this.all.get(message.header.digest);
        if (!maps) {
            this.pending = [...this.pending.filter((it) => it.header.digest === message.header.digest), message];
            return;
        }
        if (message.kind === "layer") {
            const { header, parts } = message;
            if (!maps.layers[header.layer]) maps.addLayer(header.layer, parts.code);
        } else if (message.kind === "query") {
            const { header, parts } = message;
            const rollout = parts.rollout ? floats(parts.rollout) : null;
            maps.addExact({ ...header, row: floats(parts.row), column: floats(parts.column), rollout });
            if (parts.rows) maps.addRows(header.query, parts.rows);
        }
        if (maps === this.maps) this.changed();
    },

    /** Make this model and picture the ones on screen; what the browser still holds of them is used again.
     *  @param {Opening} message */
    open(message) {
        const { digest } = message.header;
        const maps = this.all.get(digest) ?? new Maps(message);
        this.all.delete(digest);
        this.all.set(digest, maps);
        for (const old of [...this.all.keys()].slice(0, -MAPS_KEPT)) this.all.delete(old);
        this.maps = maps;
        const pending = this.pending.splice(0);
        for (const message of pending) this.receive(message);
        this.clamp();
        if (this.waiting) this.follow(this.waiting);
        return maps;
    },

    /** Take over what Python changed, unless the hand is already further.
     *  @param {PythonView} view */
    follow(view) {
        if (view.digest !== this.maps?.meta.digest) {
            this.waiting = view;
            return;
        }
        this.waiting = null;
        const { digest, seq, ...theirs } = view;
        const isAnswer = seq === this.seq && seq !== this.heard;
        const base = isAnswer ? this.sent : this.agreed;
        for (const name of /** @type {(keyof Selection)[]} */ (Object.keys(theirs))) {
            if (theirs[name] !== base[name]) Object.assign(this.view, { [name]: theirs[name] });
        }
        this.agreed = theirs;
        this.heard = seq;
        this.clamp();
        this.unsettled = !this.isAgreed();
        if (this.unsettled) this.settle();
        this.changed();
    },

    /** A change by hand: drawn now, told to Python when the hand rests. @param {Partial<Selection>} change */
    set(change) {
        Object.assign(this.view, change);
        this.clamp();
        this.changed();
        this.settle();
    },

    /** (Re)start the wait for the hand to rest. */
    settle() {
        clearTimeout(this.timer);
        this.unsettled = true;
        this.timer = setTimeout(() => this.report(), SETTLE);
    },

    isAgreed() {
        const names = /** @type {(keyof Selection)[]} */ (Object.keys(this.view));
        return names.every((name) => this.agreed[name] === this.view[name]);
    },

    /** Whether the last message can still be answered: it is lost with the server, or when a run ends without an answer. */
    get underWay() {
        if (this.heard === this.seq || streamlit.losses > this.sentAt.losses) return false;
        return !(streamlit.resting && streamlit.runs > this.sentAt.runs);
    },

    /** Tell Python, where there is news: one message at a time, and again where one was lost. */
    report() {
        if (!this.maps || !this.send) return;
        this.unsettled = !this.isAgreed();
        if (this.unsettled && !this.underWay && streamlit.connected) {
            this.sent = { ...this.view };
            this.seq += 1;
            this.sentAt = { runs: streamlit.runs, losses: streamlit.losses };
            this.send({ ...this.view, digest: this.maps.meta.digest, seq: this.seq });
        }
        if (this.unsettled) this.settle();
        this.changed();
    },

    /** Keep the view inside the model. */
    clamp() {
        if (!this.maps) return;
        const { depth, heads, tokens } = this.maps.meta;
        const { view } = this;
        view.layer = Math.min(view.layer, depth - 1);
        view.head = Math.min(view.head, heads - 1);
        if (view.query >= tokens) view.query = 0;
    },
};
