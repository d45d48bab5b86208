import assert from "node:assert/strict";
import { test } from "node:test";
import home from "#frontend/doors/takeaway/saving.js";
import { Guesses } from "#frontend/lecture/kept.js";
import { held } from "./arriving.js";

const FILE = '<p>x</p><script type="application/json" id="guesses">{}</script>';

/** What the browser was asked for, and what it saved. */
const asked = /** @type {string[]} */ ([]);
const saved = /** @type {{ name: string, text: Promise<string> }[]} */ ([]);
const links = new Map();

Object.assign(globalThis, {
    document: {
        baseURI: "http://hall/below/lecture",
        createElement: () => ({
            setAttribute(/** @type {string} */ name, /** @type {string} */ value) {
                Object.assign(this, { [name]: value });
            },
            append() {},
            click() {
                const { download, href } = /** @type {any} */ (this);
                saved.push({ name: download, text: links.get(href).text() });
            },
        }),
    },
});
URL.createObjectURL = (content) => {
    links.set(`blob:${links.size}`, content);
    return `blob:${links.size - 1}`;
};
URL.revokeObjectURL = (link) => links.delete(link);

/** @param {number} status */
function answer(status) {
    globalThis.fetch = async (url) => {
        asked.push(String(url));
        return new Response(status === 200 ? FILE : null, { status });
    };
}

/** Show what the page was told, as often as Streamlit does. @param {string} word */
async function told(word) {
    const parentElement = { host: { toggleAttribute() {} }, textContent: "" };
    const made = { word, url: "/media/1.html", name: "lesson.html", lesson: "mine" };
    for (let run = 0; run < 2; run++) home(/** @type {any} */ ({ data: [made], parentElement }));
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
    return parentElement.textContent;
}

test("a lesson is fetched below the address of the app, filled and saved once", async () => {
    held.clear();
    new Guesses().keep("mine", "", 3, [1, null]);
    answer(200);
    assert.equal(await told("one"), "");
    assert.deepEqual(asked.splice(0), ["http://hall/below/media/1.html"]);
    const [{ name, text }] = saved.splice(0);
    assert.equal(name, "lesson.html");
    assert.equal(await text, FILE.replace("{}", '{"3":1}'));
    assert.equal(links.size, 1, "a slow browser still reads it");
});

test("a file that is not there is said, and nothing is saved", async () => {
    const { error } = console;
    console.error = () => {};
    for (const status of [404, 204]) {
        answer(status);
        assert.match(await told(`lost ${status}`), /did not arrive: press the button again/);
    }
    console.error = error;
    assert.deepEqual(saved, []);
});
