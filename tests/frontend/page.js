// As much of a browser's page as the board's state meets: an address with a history, frames, and a system without wishes.

import { FakeTimers } from "./timers.js";

export const timers = new FakeTimers();

/** The addresses that Streamlit was told of: each is a run of the script. */
export const visits = /** @type {string[]} */ ([]);

/** The addresses that were written: the last is where the page is. */
export const addresses = /** @type {string[]} */ ([]);

const events = new EventTarget();
const frames = /** @type {(() => void)[]} */ ([]);

const page = {
    location: { pathname: "/", search: "" },
    history: { pushState: write, replaceState: write },
    requestAnimationFrame: (/** @type {() => void} */ paint) => frames.push(paint),
    addEventListener: events.addEventListener.bind(events),
    dispatchEvent: (/** @type {Event} */ event) => {
        visits.push(page.location.pathname + page.location.search);
        return events.dispatchEvent(event);
    },
    PopStateEvent: Event,
    matchMedia: () => ({ matches: false }),
    setTimeout: timers.setTimeout.bind(timers),
    clearTimeout: timers.clearTimeout.bind(timers),
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
    numbered: moments,
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
