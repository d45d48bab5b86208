// As much of a browser's page as the board's state meets: an address with a history, frames, and a system without wishes.

import { FakeTimers } from "./timers.js";

export const timers = new FakeTimers();

/** The addresses that Streamlit was told of: each is a run of the script. */
export const visits = /** @type {string[]} */ ([]);

/** The addresses that were written: the last is where the page is. */
export const addresses = /** @type {string[]} */ ([]);

/** What the server was asked for and has neither answered nor been told to forget, the last question last.
 *  @type {Question[]} */
export const questions = [];

/** @typedef {object} Question
 *  @property {string} digest
 *  @property {string} name
 *  @property {URLSearchParams} words
 *  @property {(status: number, body?: BodyInit, headers?: Record<string, string>) => void} answer
 *  @property {() => void} lose */

/** @param {string} url @param {{ signal: AbortSignal }} how @returns {Promise<Response>} */
function fetch(url, { signal }) {
    const { pathname, searchParams: words } = new URL(url, "http://page");
    const [digest, name] = pathname.split("/").slice(-2).map(decodeURIComponent);
    return new Promise((resolve, reject) => {
        const forget = () => questions.splice(0, questions.length, ...questions.filter((it) => it !== question));
        const lose = () => {
            forget();
            reject(new TypeError("the line broke"));
        };
        /** @type {Question["answer"]} */
        const answer = (status, body = "", headers = {}) => {
            forget();
            resolve(new Response(status === 204 ? null : body, { status, headers }));
        };
        const question = { digest, name, words, answer, lose };
        questions.push(question);
        signal.addEventListener("abort", lose);
    });
}

/** Let what has been answered be read. */
export const read = () => new Promise((done) => setImmediate(done));

/** A parcel as Python packs it, of one array of bytes that says whose it is. */
export function packed(/** @type {string} */ digest, /** @type {string} */ name) {
    const it = new TextEncoder().encode(`${digest} ${name}`);
    const arrays = [{ name: "it", type: "u1", shape: [it.length], length: it.length }];
    const header = new TextEncoder().encode(JSON.stringify({ digest, name, arrays }));
    const size = new Uint8Array(Uint32Array.of(header.length).buffer);
    return Uint8Array.from([...size, ...header, ...it]);
}

const events = new EventTarget();
const frames = /** @type {(() => void)[]} */ ([]);

const page = {
    location: { pathname: "/", search: "" },
    history: { pushState: write, replaceState: write },
    requestAnimationFrame: (/** @type {() => void} */ paint) => frames.push(paint),
    cancelAnimationFrame: (/** @type {number} */ frame) => void (frame && frames.splice(frame - 1, 1, () => {})),
    addEventListener: events.addEventListener.bind(events),
    dispatchEvent: (/** @type {Event} */ event) => {
        visits.push(page.location.pathname + page.location.search);
        return events.dispatchEvent(event);
    },
    PopStateEvent: class extends Event {
        /** @param {string} kind @param {{ state?: unknown }} [how] */
        constructor(kind, { state = null } = {}) {
            super(kind);
            this.state = state;
        }
    },
    matchMedia: () => ({ matches: false }),
    setTimeout: timers.setTimeout.bind(timers),
    clearTimeout: timers.clearTimeout.bind(timers),
    fetch,
};
Object.assign(globalThis, page);

/** @param {unknown} _state @param {string} _title @param {string} to */
function write(_state, _title, to) {
    addresses.push(to);
    stand(to);
}

/** Let the browser paint, and do what is due then. */
export function painted() {
    for (const paint of frames.splice(0)) paint();
    timers.pass(0);
}

/** Press Back or Forward, which lead to an address. @param {string} to */
export function traverse(to) {
    stand(to);
    dispatchEvent(new PopStateEvent("popstate"));
}

/** Be at an address. @param {string} at */
export function stand(at) {
    const { pathname, search } = new URL(at, "http://page");
    Object.assign(page.location, { pathname, search });
}

/** Sizes of a small model. @returns {import("#frontend/types/board.js").Meta} */
export const meta = (digest = "one", depth = 4) => ({
    digest,
    model: "small",
    model_title: "small",
    trained: true,
    caveat: "",
    picture: { title: "", alt: "", digest: "" },
    crop: "",
    edits: "",
    donor: "",
    rows: 3,
    columns: 4,
    prefix: ["class", "register 1"],
    pool: "class",
    image_sides: [12, 12],
    patch_sides: [1, 1],
    read: [3, 1, 1],
    stem: false,
    channels: 3,
    dim: 8,
    depth,
    heads: 2,
    head_dim: 4,
    mlp_dim: 16,
    classes: 3,
    tokens: 14,
    switches: {},
    patches: 12,
});

const count = { before: "", after: "", here: "", total: "" };
/** @param {string} stem @param {string[]} moments
 *  @returns {import("#frontend/types/board.js").Stage} */
const stage = (stem, moments) => ({
    stem,
    title: stem,
    label: stem,
    shape: "",
    colour: "",
    moments: moments.map((name) => ({ name, sentence: `${name}.` })),
    numbered: Array.from({ length: 9 }, (_, at) => Math.min(at, moments.length - 1)),
    columns: [],
    count,
});
export const stages = [stage("", ["light"]), stage("heads", ["first", "second"]), stage("depth", ["only"])];
export const others = [{ begins: "Counting", stem: "growth", title: "Growth" }];

/** What Python says of a page. @param {string} page @param {import("#frontend/types/board.js").Meta | null} sizes
 *  @returns {import("#frontend/types/board.js").Data} */
export const said = (page, sizes = meta()) => ({
    page,
    picture: "",
    own: "",
    key: "secret",
    arrived: "",
    model: "",
    model_title: "",
    device: "",
    meta: sizes,
    facts: {},
    stages,
    others,
    palette: {},
    weights: [],
    second: null,
});

const { home } = await import("#frontend/transport/words.js");
const { Board } = await import("#frontend/state/board.js");
const { sidebarOf } = await import("#frontend/streamlit/page.js");
const { Python } = await import("#frontend/streamlit/python.js");
const { TakeAway } = await import("#frontend/frame/takeaway.js");
const { route } = await import("#frontend/transport/transport.js");

/** A board as the app has it: with a server, and a script that Python runs. */
export function newBoard() {
    const board = new Board(route(home));
    const python = new Python(board);
    Object.assign(board, { python, sidebar: sidebarOf(board), takeaway: new TakeAway(board) });
    return { board, python, first: board.first };
}
