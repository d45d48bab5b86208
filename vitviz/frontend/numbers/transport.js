// Numbers from a worker of this browser, where there is no server: the same question, the same names and arrays.

/** @import { Config } from "../types/forward.js" */
/** @import { Stage } from "../types/board.js" */
/** @import { Seen, Told } from "../types/numbers.js" */
/** @import { Transport } from "../transport/transport.js" */

import { addressOf } from "./address.js";

/** Where the worker's script and a model's numbers lie; what makes pictures of links, "" being the one that is shown, and
 *  has the packed parcels of `told.files`.
 *  @typedef {{ script: string, parameters: string, means: string, config: Config, told: Told,
 *    photo(link: string): Promise<Seen>, file(name: string): Promise<Uint8Array> }} Source */

/** A model at work. Rejects where it cannot be had. @param {Source} source @param {Stage[]} stages
 *  @returns {Promise<{ transport: Transport, close(): void }>} */
export async function worker({ script, photo, file, ...spec }, stages) {
    const at = new Worker(script);
    let asked = 0;
    /** @type {Map<number, { done(found: any): void, fail(error: Error): void }>} */
    const waiting = new Map();
    const ask = (/** @type {object} */ what, /** @type {AbortSignal | undefined} */ signal = undefined) => {
        const id = ++asked;
        at.postMessage({ id, ...what });
        signal?.addEventListener("abort", () => at.postMessage({ drop: id }), { once: true });
        return new Promise((done, fail) => waiting.set(id, { done, fail }));
    };
    at.onmessage = async ({ data: { id, done, error, what, name, question } }) => {
        if (question) {
            const answer = await { photo, file }[/** @type {"photo" | "file"} */ (what)](name).then(
                (found) => ({ found }),
                (why) => ({ error: String(why.message ?? why) }),
            );
            return at.postMessage({ question, ...answer });
        }
        const who = waiting.get(id);
        waiting.delete(id);
        if (error === undefined) who?.done(done);
        else who?.fail(new Error(error));
    };
    at.onerror = (event) => {
        event.preventDefault();
        for (const who of waiting.values()) who.fail(new Error(event.message || "the worker cannot be started"));
        waiting.clear();
    };
    await ask({ spec }).catch((error) => {
        at.terminate();
        throw error;
    });

    /** @type {Transport} */
    const transport = async ({ digest, name, words }, signal) => {
        try {
            const found = await ask({ name, address: addressOf(words, spec.told.meta, stages) }, signal);
            if (signal.aborted || !found) return null;
            return Array.isArray(found) ? found : { digest, name, arrays: found };
        } catch (error) {
            return error instanceof Error ? error.message : String(error);
        }
    };
    return { transport, close: () => at.terminate() };
}
