// Keeps a site in the browser, so that it opens without a network. A build is kept whole and under its own name, and what a
// page was opened with is what answers it as long as it is open: files of two builds never stand side by side.

/** What the build writes before this script: its digest; what is kept at once, and what once it has been asked for, as
 *  paths from the folder of the site, a page by its folder ("", "heads/").
 *  @typedef {{ version: string, first: string[], later: string[] }} Build */
/** As much as is used here of what runs behind pages.
 *  @typedef {{ registration: { scope: string }, addEventListener(type: string, hear: (event: Fetching) => void): void }} Behind */
/** @typedef {{ request: Request, waitUntil(until: Promise<unknown>): void, respondWith(answer: Promise<Response>): void }} Fetching */

const { version, first, later } = /** @type {Build} */ (Reflect.get(globalThis, "__vitviz_build"));
const self_ = /** @type {Behind} */ (/** @type {unknown} */ (globalThis));
const { scope } = self_.registration;
const NAME = `vitviz ${scope} ${version}`;

const ofSite = new Set([...first, ...later].map((path) => new URL(path, scope).href));

/** The address under which an answer is kept: a page's words are the page's own matter. @param {Request} request */
function keptAs({ url, mode }) {
    const { origin, pathname } = new URL(url);
    return origin + (mode === "navigate" ? pathname.replace(/(^|\/)index\.html$/, "$1") : pathname);
}

/** All that is there at once, past what the browser holds of another build. */
async function install() {
    const cache = await caches.open(NAME);
    await cache.addAll(first.map((path) => new Request(new URL(path, scope).href, { cache: "no-cache" })));
}

/** Other builds of this site are gone, once no page is open that was opened with them. */
async function activate() {
    const others = (await caches.keys()).filter((name) => name.startsWith(`vitviz ${scope} `) && name !== NAME);
    await Promise.all(others.map((name) => caches.delete(name)));
}

/** @param {Request} request @param {string} address */
async function answer(request, address) {
    const cache = await caches.open(NAME);
    const kept = await cache.match(address);
    if (kept) return kept;
    const come = await fetch(request);
    if (come.ok) cache.put(address, come.clone()).catch(() => {}); // the browser's room may be full: then it is asked for again
    return come;
}

self_.addEventListener("install", (event) => event.waitUntil(install()));
self_.addEventListener("activate", (event) => event.waitUntil(activate()));
self_.addEventListener("fetch", (event) => {
    const { request } = event;
    const address = keptAs(request);
    if (request.method !== "GET") return;
    if (ofSite.has(address)) event.respondWith(answer(request, address));
    else if (request.mode === "navigate" && ofSite.has(`${address}/`))
        // as a server does it: what the page names lies beside it
        event.respondWith(Promise.resolve(Response.redirect(`${address}/${new URL(request.url).search}`)));
});
