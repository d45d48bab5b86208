// What runs in the worker of a page without a server: one model, and the numbers of all pages. Whatever it is asked it
// answers in turn.

/** @import { Arrays, Config } from "../types/forward.js" */
/** @import { Address, Arrays_, Make_, Seen, Told } from "../types/numbers.js" */

import { unpack } from "../transport/parcels.js";
import { Answers } from "./answers.js";

/** Begin to answer. @param {Record<string, Make_>} pages what makes the numbers of each, by its stem */
export function serve(pages) {
    /** @type {Answers} */
    let answers;
    let queue = Promise.resolve();
    let [asked, answered] = [0, 0];
    /** What nobody wants any more, by the number of the question. @type {Set<number>} */
    const dropped = new Set();
    /** Who waits for the page, by the number of the question. @type {Map<number, { done(found: any): void, fail(error: Error): void }>} */
    const waiting = new Map();
    /** Pictures come from the page, which alone can decode them, and files, which has them in whatever form.
     *  @param {"photo" | "file"} what @param {string} name @returns {Promise<any>} */
    const wanted = (what, name) => {
        postMessage({ what, name, question: ++asked });
        return new Promise((done, fail) => waiting.set(asked, { done, fail }));
    };

    /** @param {{ config: Config, parameters: string, means: string, told: Told }} spec */
    async function start({ config, parameters, means, told }) {
        const beside = {
            photo: (/** @type {string} */ link) => /** @type {Promise<Seen>} */ (wanted("photo", link)),
            file: async (/** @type {string} */ name) => unpack(await wanted("file", name)).arrays,
        };
        const own = /** @type {Arrays} */ (await fetched(parameters));
        answers = new Answers(
            pages,
            config,
            own,
            told,
            beside,
            async () => /** @type {Arrays} */ (await fetched(means)),
        );
    }

    /** The names of an address, or the arrays of one of them, null where it has none of that name.
     *  @param {{ name: string, address: Address }} wanted */
    async function give({ name, address }) {
        const parcels = await answers.parcels(address);
        return name ? ((await parcels.get(name)?.()) ?? null) : [...parcels.keys()];
    }

    self.onmessage = ({ data }) => {
        const { id, question, drop } = data;
        if (drop) return drop > answered && dropped.add(drop);
        if (question) {
            const who = waiting.get(question);
            waiting.delete(question);
            return data.found ? who?.done(data.found) : who?.fail(new Error(data.error));
        }
        queue = queue.then(async () => {
            answered = id;
            try {
                if (dropped.delete(id)) return postMessage({ id, done: null });
                postMessage({ id, done: await (data.spec ? start(data.spec) : give(data)) });
            } catch (error) {
                postMessage({ id, error: error instanceof Error ? error.message : String(error) });
            }
        });
    };
}

/** A parcel of numbers. @param {string} address @returns {Promise<Arrays_>} */
async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
    return unpack(new Uint8Array(await answer.arrayBuffer())).arrays;
}
