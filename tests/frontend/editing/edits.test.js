import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { meta as sizes } from "../page.js";

const { ALL, put, read, take, textOf, whatAt, write } = await import("#frontend/state/edits.js");
const { inWords } = await import("#frontend/state/edit_words.js");

const demo = { ...sizes(), rows: 12, columns: 12, patches: 144, tokens: 145, prefix: ["class"], depth: 6, heads: 4 };
const others = /** @type {{ text: string, written: string, words: string[] }[]} */ (
    JSON.parse(readFileSync(new URL("edits.json", import.meta.url), "utf-8"))
);

test("edits are read, written and said as Python does, in tests/unit/edits/test_in_the_browser.py", () => {
    for (const { text, written, words } of others) {
        const edits = read(text, demo);
        assert.equal(write(edits, demo), written, text);
        assert.deepEqual(
            read(written, demo).map((edit) => inWords(edit, demo)),
            words,
            text,
        );
    }
});

test("a place that is changed again counts once, and what is usual is no edit", () => {
    const off = read("h3.1-4*0", demo);
    const [second] = read("h3.2*0.5", demo);
    assert.equal(write(put(off, second, demo), demo), "h3.1*0 h3.2*0.5 h3.3-4*0");
    assert.equal(write(put(off, { ...second, what: "*1" }, demo), demo), "h3.1*0 h3.3-4*0");
    assert.equal(write(take(off, second), demo), "h3.1*0 h3.3-4*0");
    assert.equal(textOf(off[0]), "h3.1-4*0");
});

test("what is done at a place is found in the run that holds it", () => {
    const edits = read("p40-45=grey h3.2-3*0.5 t=4 r2.x1 r2.7", demo);
    assert.equal(whatAt(edits, "p", ALL, 42), "=grey");
    assert.equal(whatAt(edits, "p", ALL, 45), undefined);
    assert.equal(whatAt(edits, "h", 2, 1), "*0.5");
    assert.equal(whatAt(edits, "t"), "=4");
    assert.equal(whatAt(edits, "t", 1), undefined);
    assert.equal(whatAt(edits, "r", 1, 0), undefined, "the class token is no patch");
});

test("edits that another model does not have are left out, the rest stays", () => {
    const small = sizes();
    assert.equal(write(read("h3.1*0 h3.3*0 p40 p12 b6*0 r1.x2", small), small), "h3.1*0 p12 r1.x2");
});
