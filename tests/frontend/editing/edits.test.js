import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { meta as sizes } from "../page.js";

const { ALL, parse, put, read, take, textOf, whatAt, write } = await import("#frontend/edits/edits.js");
const { inWords } = await import("#frontend/edits/words.js");

/** @typedef {{ rows: number, columns: number, prefix: string[], depth: number, heads: number }} Sizes */

const file = JSON.parse(readFileSync(new URL("edits.json", import.meta.url), "utf-8"));
const models = /** @type {Record<string, { sizes: Sizes }>} */ (file.models);
const cases = /** @type {{ model: string, text: string, written: string, words?: string[], refused?: string[] }[]} */ (
    file.cases
);
const demo = { ...sizes(), ...models.demo.sizes };

test("edits are read, written and said as Python does, in tests/unit/edits/test_in_the_browser.py", () => {
    for (const { model, text, written, words = [], refused = [] } of cases) {
        const { sizes } = models[model];
        const found = parse(text, sizes);
        assert.deepEqual([text, write(found.edits, sizes), found.refused], [text, written, refused]);
        const again = read(written, sizes);
        assert.deepEqual([text, ...again.map((edit) => inWords(edit, sizes))], [text, ...words]);
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
