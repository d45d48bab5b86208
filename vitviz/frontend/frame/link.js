// The address of what is seen, for other people.

import { OF_A_VISIT } from "../schema/visit.js";

/** How an address calls a picture that a lecturer shares: whoever has this name sees it, as long as the room lasts. */
const SHARED = /^[0-9a-f]{64}-[\w-]{32}$/;

/** The same address without what belongs to a visit, and without the name of a shared picture. @param {string} address */
export function linkOf(address) {
    const to = new URL(address);
    for (const word of OF_A_VISIT) to.searchParams.delete(word);
    for (const [name, text] of [...to.searchParams]) if (SHARED.test(text)) to.searchParams.delete(name);
    to.hash = "";
    return to.href;
}
