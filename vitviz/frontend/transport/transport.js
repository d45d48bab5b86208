// Numbers by a route of the server: each by its name, of one model and picture, for what the address says.

/** @import { Parcel } from "../types/board.js" */

import { unpack } from "./parcels.js";

const AT_ONCE = 4; // of the six connections that a browser opens
const LIST = ""; // the name of what names all others
const [FIRST_MS, LONGEST_MS] = [500, 15_000]; // until what was lost is asked for again
const AGAIN = [410, 429, 502, 503, 504]; // answers that may be others later
const [NOTHING, GONE] = [204, 410];

/** What wants the numbers. @typedef {object} Reader
 *  @property {string} key of the session
 *  @property {(name: string) => boolean} holds whether they are here
 *  @property {(parcel: Parcel) => void} receive
 *  @property {(sentence: string) => void} refuse why there are none
 *  @property {() => void} gone nobody knows there what they are of
 *  @property {() => void} done all have come that will
 */

export class Transport {
    /** @param {Reader} reader @param {() => string} home the folder of all pages */
    constructor(reader, home) {
        this.reader = reader;
        this.home = home;
        this.digest = "";
        this.words = "";
        /** @type {string[]} */
        this.queue = [];
        /** What was wanted first where the hand was. @type {string[]} */
        this.first = [];
        /** What is under way, by its name. @type {Map<string, AbortController>} */
        this.running = new Map();
    }

    /** Ask for these of one model and picture, the most wanted first; or for what the hand needs, whatever is under way, and
     *  for the names of all that the address needs. What else is wanted no more is given up.
     *  @param {string} digest @param {string} words of the address @param {string[]} [names] @param {string[]} [first] */
    want(digest, words, names, first = []) {
        const [kept, past] = [names ?? first, [LIST, ...this.first]];
        this.give((name) => digest !== this.digest || (!kept.includes(name) && (names || past.includes(name))));
        [this.digest, this.words, this.queue] = [digest, words, [...(names ?? [])]];
        if (!names) {
            this.first = first;
            for (const name of [...first, LIST]) this.ask(name);
        }
        this.next();
    }

    /** Give up what is under way, all of it or some. @param {(name: string) => unknown} which */
    give(which = () => true) {
        this.queue = [];
        for (const [name, control] of this.running)
            if (which(name)) {
                control.abort();
                this.running.delete(name);
            }
    }

    /** Whether anything is under way, or waits for its way. */
    get busy() {
        return this.running.size + this.queue.length > 0;
    }

    next() {
        while (this.queue.length && this.running.size < AT_ONCE) this.ask(/** @type {string} */ (this.queue.shift()));
    }

    /** @param {string} name */
    async ask(name) {
        if (this.running.has(name) || this.reader.holds(name)) return;
        const control = new AbortController();
        this.running.set(name, control);
        const tell = await this.get(name, control.signal);
        if (this.running.get(name) !== control) return;
        this.running.delete(name);
        tell();
        this.next();
        if (!this.running.size) this.reader.done();
    }

    /** What came of a question, to be told as long as somebody wants it. @param {string} name @param {AbortSignal} signal
     *  @returns {Promise<() => void>} */
    async get(name, signal) {
        const { digest, words, reader } = this;
        const url = `${this.home()}numbers/${digest}/${encodeURIComponent(name)}?${words}`;
        for (let wait = FIRST_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_MS)) {
            let after = 0;
            try {
                const answer = await fetch(url, { signal, headers: { "X-Vitviz-Key": reader.key } });
                if (answer.status === GONE && !signal.aborted) reader.gone(); // and again, until it is known there
                if (answer.status === NOTHING) return () => {}; // not at this address
                if (answer.ok && name === LIST) {
                    const names = await answer.json();
                    return () => this.want(digest, words, names);
                }
                if (answer.ok) {
                    const parcel = unpack(new Uint8Array(await answer.arrayBuffer()));
                    if (parcel.digest === digest && parcel.name === name) return () => reader.receive(parcel);
                } else if (!AGAIN.includes(answer.status)) {
                    const sentence = await answer.text();
                    return () => reader.refuse(sentence);
                }
                after = 1000 * Number(answer.headers.get("Retry-After"));
            } catch {} // it broke off, or nobody wants it any more
            await new Promise((done) => setTimeout(done, after || wait));
        }
        return () => {};
    }
}
