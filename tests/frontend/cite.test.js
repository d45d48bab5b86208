// What to cite is asked for in a click and comes later: browsers that copy within clicks alone are given a promise of it.

import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { menu } from "#frontend/doors/takeaway/menu.js";

const TEXT = "Dosovitskiy, …\n@misc{dosovitskiy2020,\n}";
/** What was done to the clipboard, in order. @type {string[]} */
let done = [];
/** What the browser is to answer to the address of a file. @type {(Blob | null)[]} */
let files = [];

const made = () =>
    new Proxy(/** @type {Record<string, any>} */ ({}), { get: (it, name) => it[String(name)] ?? (() => {}) });

class Item {
    /** @param {Record<string, Promise<Blob>>} given */
    constructor(given) {
        this.given = given;
    }
}

const clipboard = {
    /** @param {Item[]} items */
    async write([item]) {
        done.push("write");
        const text = await (await item.given["text/plain"]).text();
        done.push(`wrote ${text}`);
    },
    /** @param {string} text */
    async writeText(text) {
        done.push(`later ${text}`);
    },
};

/** A browser with these. @param {{ clipboard?: object, ClipboardItem?: unknown }} has */
function browser(has) {
    Object.defineProperty(globalThis, "navigator", { value: { clipboard: has.clipboard }, configurable: true });
    Object.assign(globalThis, {
        ClipboardItem: has.ClipboardItem,
        document: { createElement: made, baseURI: "http://hall/" },
        location: { href: "http://hall/heads" },
        window: globalThis,
        fetch: async () => {
            const file = files.shift();
            return { status: file ? 200 : 404, blob: async () => file };
        },
    });
    const asked = menu(/** @type {any} */ ({ board: { first: { address: "/heads" } }, visit() {}, replace() {} }));
    const box = { busy() {}, put() {}, close() {} };
    asked.opened = /** @type {any} */ ({ box, place: { key: "heads" }, before: null });
    return asked;
}

/** @param {ReturnType<typeof browser>} asked */
const answer = (asked, said = {}) =>
    asked.receive({ word: asked.making.waits?.word ?? "", url: "/media/x.txt", name: "x.txt", ...said });

beforeEach(() => {
    done = [];
    files = [new Blob([TEXT])];
});

test("the clipboard is asked for within the click, and gets the text when that is here", async () => {
    const asked = browser({ clipboard, ClipboardItem: Item });
    asked.ask("cite");
    assert.deepEqual(done, ["write"]);
    await answer(asked);
    assert.deepEqual(done, ["write", `wrote ${TEXT}`]);
    assert.equal(asked.status.textContent, "Copied.");
});

test("a file that has to be made once more comes into the same promise: no second click is there to ask in", async () => {
    const asked = browser({ clipboard, ClipboardItem: Item });
    files.unshift(null);
    asked.ask("cite");
    await answer(asked);
    await answer(asked);
    assert.deepEqual(done, ["write", `wrote ${TEXT}`]);
});

test("other files ask for no clipboard", () => {
    const asked = browser({ clipboard, ClipboardItem: Item });
    asked.ask("npz");
    asked.close();
    assert.deepEqual(done, []);
});

test("a menu that is closed, or a sentence in place of a file, writes nothing and leaves no error behind", async () => {
    for (const end of [
        (/** @type {any} */ asked) => asked.close(),
        (/** @type {any} */ asked) => answer(asked, { says: "No." }),
    ]) {
        done = [];
        const asked = browser({ clipboard, ClipboardItem: Item });
        asked.ask("cite");
        await end(asked);
        await new Promise((pass) => setImmediate(pass));
        assert.deepEqual(done, ["write"]);
    }
});

test("where a browser has no such item, or takes no promise, the text is written when it is here", async () => {
    const Old = function old() {
        throw new TypeError("no promises");
    };
    for (const ClipboardItem of [undefined, Old]) {
        done = [];
        files = [new Blob([TEXT])];
        const asked = browser({ clipboard, ClipboardItem });
        asked.ask("cite");
        await answer(asked);
        assert.deepEqual(done, [`later ${TEXT}`]);
    }
});

test("where nothing may be copied, the text is there to be copied by hand", async () => {
    const refuses = { write: () => Promise.reject(new Error("NotAllowedError")) };
    for (const has of [{}, { clipboard: refuses, ClipboardItem: Item }]) {
        files = [new Blob([TEXT])];
        const asked = browser(has);
        asked.ask("cite");
        await answer(asked);
        assert.match(asked.status.textContent ?? "", /^Press Ctrl\+C, or ⌘C/);
    }
});
