// The board in a frame of a notebook: its numbers come from the notebook's kernel, and what is chosen goes there and back.

/** @import { Later, Make } from "../../types/board.js" */
/** @import { Schema } from "../mount/mount.js" */
/** @import { Transport } from "../../transport/transport.js" */

import { momentSaid, pageOf, read } from "../../state/address.js";
import { attend } from "../../transport/inbox.js";
import { hand } from "../../transport/later.js";
import { unpack } from "../../transport/parcels.js";
import { wordsIn } from "../../transport/words.js";
import { mount } from "../mount/mount.js";

/** What the kernel has answered: numbers, the names of all, or why there are none.
 *  @typedef {{ bytes?: Uint8Array, names?: string[], refused?: string }} Reply */

/** @type {Map<string, Make>} */
const scenes = new Map();
attend((sent) => {
    if ("load" in sent) scenes.set(sent.stem, sent.load());
    const { stem, later } = /** @type {Later} */ (sent);
    if (later) hand(stem, later);
});

/** Numbers from the kernel. @param {MessagePort} port @param {Map<number, (answer: Reply) => void>} waiting
 *  @returns {Transport} */
function kernel(port, waiting) {
    let asked = 0;
    return ({ name, words }) => {
        const number = ++asked;
        port.postMessage({ number, name, words });
        return new Promise((done) =>
            waiting.set(number, ({ bytes, names, refused }) => {
                done(bytes ? unpack(bytes) : (names ?? refused ?? null));
            }),
        );
    };
}

/** @param {MessagePort} port @param {Omit<Schema, "scenes"> & { address: string, theme: string }} hello */
function show(port, { data, facts, address, theme }) {
    /** @type {Map<number, (answer: Reply) => void>} */
    const waiting = new Map();
    document.documentElement.dataset.theme = theme;
    const schema = { data, facts, scenes };
    const mounted = mount(document.body, { transport: kernel(port, waiting), schema, selection: {} });
    const { first, store } = mounted.board;
    /** Go where an address leads. @param {string} to */
    const go = (to) => {
        const stage = first.stageOf(pageOf(first.stems, to.split("?")[0]));
        const moment = momentSaid(stage, wordsIn(to).moment);
        store.set({ ...first.start, ...read(first.meta, to), page: stage?.stem ?? "", moment }, "choose");
    };
    go(address);
    store.write = (to) => port.postMessage({ address: to });
    store.subscribe((what) => what === "go" && store.settle());
    port.onmessage = ({ data: { number, address, schema, ...answer } }) => {
        if (schema) {
            mounted.take(schema.data, schema.facts);
            first.asking.fetch();
        }
        if (address !== undefined && address !== first.address) go(address);
        waiting.get(number)?.(answer);
        waiting.delete(number);
        first.invalidate();
    };
}

/** Begin, once, with who holds this frame. @param {MessageEvent} message */
function begin({ data, source, ports: [port] }) {
    if (source !== parent || !port) return;
    removeEventListener("message", begin);
    show(port, data);
}

addEventListener("message", begin);
