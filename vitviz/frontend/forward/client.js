// The forward pass in the browser, for the page: a worker that is asked, and answers when it has run.

/** @import { Config, Progress, Ran, ModelSpec } from "../types/forward.js" */

/** The smallest module with an instruction for sixteen numbers at once: a function that makes them of a zero. The kernels
 *  stay with the worker. */
const PROBE = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 5, 1, 0x60, 0, 1, 0x7b], // a type: nothing to sixteen bytes
    ...[3, 2, 1, 0], // a function of it
    ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b], // 0, sixteen times
];

/** Whether this browser, under the policy of this page, can run a forward pass itself. */
export function canRun() {
    try {
        return "Worker" in globalThis && Boolean(new WebAssembly.Module(Uint8Array.from(PROBE)));
    } catch {
        return false; // no WebAssembly, no SIMD, or a policy that allows neither
    }
}

/** A model in a worker of its own. */
export class Forward {
    /** @param {Worker} worker @param {Config} config */
    constructor(worker, config) {
        this.worker = worker;
        this.config = config;
        this.asked = 0;
        /** Who waits for an answer, by its number.
         *  @type {Map<number, { done(value: any): void, fail(error: Error): void, part?(part: any): void }>} */
        this.waiting = new Map();
        /** The edits that come next, once those that are under way are done: of all that were asked for meanwhile the last.
         *  @type {{ begin(): void, drop(): void } | undefined} */
        this.next = undefined;
        this.running = false;
        worker.onmessage = ({ data: { id, part, done, error } }) => {
            const who = this.waiting.get(id);
            if (part) return who?.part?.(part);
            this.waiting.delete(id);
            if (error === undefined) who?.done(done);
            else who?.fail(new Error(error));
        };
        worker.onerror = (event) => {
            event.preventDefault();
            const error = new Error(event.message || "the worker cannot be started");
            for (const who of this.waiting.values()) who.fail(error);
            this.waiting.clear();
        };
    }

    /** A model, ready to be asked. Rejects where it cannot be had. @param {ModelSpec} told what Python says of it
     *  @param {string} [base] the folder of the pages
     *  @param {(progress: Progress) => void} [come] is told how much has come */
    static async start({ config, ...addresses }, base = document.baseURI, come) {
        const at = (/** @type {string} */ address) => new URL(address, base).href;
        const forward = new Forward(new Worker(at(addresses.script)), config);
        const [parameters, means] = [at(addresses.parameters), at(addresses.means)];
        try {
            await forward.ask("start", { parameters, means, config }, come);
        } catch (error) {
            forward.close();
            throw error;
        }
        return forward;
    }

    /** Look at a picture: its patches as the model reads them, `n (c ph pw)`. Ends a sweep.
     *  @param {Float32Array} patches @returns {Promise<Ran>} */
    show(patches) {
        return this.ask("show", { patches });
    }

    /** The same of a second picture, from which edits take states and pixels. @param {Float32Array} patches
     *  @returns {Promise<Ran>} */
    showSecond(patches) {
        return this.ask("showSecond", { patches });
    }

    /** Run the picture with edits. Of several that wait only the last is run; the others come to null.
     *  @param {string} edits @param {string[]} [names] arrays that are wanted, such as "weights-2" of the third layer:
     *  weights `head q k`, qkv `t (qkv head dh)`, stream `t d`, which enters the layer; "original.weights-2" is
     *  that of the picture as it is @returns {Promise<Ran | null>} */
    run(edits, names = []) {
        this.next?.drop();
        return new Promise((resolve, reject) => {
            const begin = () => this.ask("run", { edits, wanted: names }).then(resolve, reject);
            this.next = { begin, drop: () => resolve(null) };
            this.goOn();
        });
    }

    /** Run what waits, if nothing runs. */
    async goOn() {
        if (this.running || !this.next) return;
        const { begin } = this.next;
        this.next = undefined;
        this.running = true;
        await begin();
        this.running = false;
        this.goOn();
    }

    /** The answers to many edits, each on top of those in `edits`; a run goes before the next of them. One sweep at a time:
     *  another one, or another picture, ends it.
     *  @param {string[]} each edits, cell by cell, such as `allHeads` of jobs.js
     *  @param {{ edits?: string, swapped?: boolean, paint(at: number, logits: Float32Array): void }} how `paint` is given
     *      the logits of some cells from number `at` on, `cell class`; `swapped`: the two pictures change places
     *  @returns {{ done: Promise<boolean>, stop(): void }} whether it came to its end, and what ends it */
    sweep(each, { edits = "", swapped = false, paint }) {
        const id = this.asked + 1;
        const part = (/** @type {{ at: number, logits: Float32Array }} */ { at, logits }) => paint(at, logits);
        const done = this.ask("sweep", { edits, each, swapped }, part);
        return { done, stop: () => this.worker.postMessage({ id, ask: "stop" }) };
    }

    close() {
        this.worker.terminate();
    }

    /** @param {string} ask @param {Record<string, unknown>} how @param {(part: any) => void} [part]
     *  @returns {Promise<any>} */
    ask(ask, how, part) {
        const id = ++this.asked;
        this.worker.postMessage({ id, ask, ...how });
        return new Promise((done, fail) => this.waiting.set(id, { done, fail, part }));
    }
}
