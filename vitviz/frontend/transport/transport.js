// Numbers by a route of the server: each by its name, of one model and picture, for what the address says.

/** @import { Parcel } from "../types/board.js" */

import { unpack } from "./parcels.js";

const [FIRST_MS, LONGEST_MS] = [500, 15_000]; // until what was lost is asked for again
const AGAIN = [410, 429, 502, 503, 504]; // answers that may be others later
const [NOTHING, GONE] = [204, 410];

/** The name of what names all others. */
export const LIST = "";

/** What answers what numbers a name has, or which names there are: `LIST`. A sentence where there are none, null where they
 *  are not of this address, or nobody wants them any more.
 *  @callback Transport
 *  @param {{ digest: string, name: string, words: string, key: string }} wanted `words`: of the address; `key`: the session's
 *  @param {AbortSignal} signal
 *  @param {() => void} gone told where nobody knows what they are of
 *  @returns {Promise<Parcel | string[] | string | null>} */

/** Numbers from the server. @param {() => string} home the folder of all pages @returns {Transport} */
export const route =
    (home) =>
    async ({ digest, name, words, key }, signal, gone) => {
        const url = `${home()}numbers/${digest}/${encodeURIComponent(name)}?${words}`;
        for (let wait = FIRST_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_MS)) {
            let after = 0;
            try {
                const answer = await fetch(url, { signal, headers: { "X-Vitviz-Key": key } });
                if (answer.status === GONE && !signal.aborted) gone(); // and again, until it is known there
                if (answer.status === NOTHING) return null;
                if (answer.ok && name === LIST) return await answer.json();
                if (answer.ok) {
                    const parcel = unpack(new Uint8Array(await answer.arrayBuffer()));
                    if (parcel.digest === digest && parcel.name === name) return parcel;
                } else if (!AGAIN.includes(answer.status)) return await answer.text();
                after = 1000 * Number(answer.headers.get("Retry-After"));
            } catch {} // it broke off, or nobody wants it any more
            await new Promise((done) => setTimeout(done, after || wait));
        }
        return null;
    };
