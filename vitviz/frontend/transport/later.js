// What a scene fetches after its first draw: from the server, or where there is none, from what came with the page.

/** @import { Data } from "../types/board.js" */

/** What came with the page, by the pages whose it is. @type {Map<string, () => any>} */
const handed = new Map();

/** Keep what `later.js` of a page exports. @param {string} page @param {() => any} load */
export const hand = (page, load) => handed.set(page, load);

/** What `later.js` of the page on the board exports. @param {{ data: Data, chosen: { page: string } }} column
 *  @returns {Promise<any>} */
export const fetchLater = async ({ data: { facts }, chosen: { page } }) =>
    handed.get(page)?.() ?? import(new URL(String(facts.later), document.baseURI).href);
