// The address of what is seen, for other people.

import { OF_A_VISIT } from "../schema/visit.js";
import { withWords, wordsIn } from "../transport/words.js";

/** How an address calls a picture that a lecturer shares: whoever has this name sees it, as long as the room lasts. */
const SHARED = /^[0-9a-f]{64}-[\w-]{32}$/;

/** The same address without what belongs to a visit, and without the name of a shared picture. @param {string} address */
export function linkOf(address) {
    const to = address.split("#")[0];
    const words = Object.entries(wordsIn(to)).filter(([name, text]) => OF_A_VISIT.includes(name) || SHARED.test(text));
    return withWords(to, Object.fromEntries(words.map(([name]) => [name, ""])));
}
