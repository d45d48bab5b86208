// The words of an address as texts: the one place that reads them from it and writes them to it. Whatever knows what they
// mean reads them here.

/** The folder that all pages lie in, whatever path the app is served under: the address of the first page. */
export const home = () => location.pathname.replace(/[^/]*$/, "");

/** The address of this page. */
export const here = () => location.pathname + location.search;

/** The words behind the "?" of an address or a view; of several that have one name the last, as Python reads them.
 *  @returns {Record<string, string>} */
export const wordsIn = (address = here()) => Object.fromEntries(new URLSearchParams(address.replace(/^[^?]*\??/, "")));

/** An address with other words: "" for what goes. @param {string} address @param {Record<string, string | number>} words */
export function withWords(address, words) {
    const all = Object.entries({ ...wordsIn(address), ...words }).filter(([, text]) => text !== "");
    const query = new URLSearchParams(all.map(([name, text]) => [name, String(text)])).toString();
    return address.split("?")[0] + (query && `?${query}`);
}
