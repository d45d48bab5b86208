import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { meta, newBoard, packed, questions, read, stand, timers, visits } from "../page.js";

const { found, has, now, painting } = await import("#frontend/state/edited.js");

/** @type {ReturnType<typeof newBoard>["first"]} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;

/** Numbers come. @param {string} name @param {number} value */
const come = (name, value) =>
    first.receive({ digest: "one", name, arrays: { it: { shape: [1], data: Float32Array.of(value) } } });
const shown = (/** @type {string} */ name) => now(first, name, "it")?.data[0];

/** Edits on a page that has the switches, or another. @param {string} edits @param {boolean} [switched] */
function edit(edits, switched = true) {
    first.data.facts = switched ? { folded: "folded.js" } : {};
    first.choose({ edits });
}

beforeEach(() => {
    if (python) clearTimeout(python.watching);
    stand("/heads");
    ({ first, python } = newBoard());
    python.open({
        ...{
            page: "heads",
            picture: "",
            model: "",
            model_title: "",
            device: "",
            meta: meta(),
            facts: {},
            stages: [],
            others: [],
        },
        ...{ own: "", key: "secret", arrived: "", palette: {}, weights: [], second: null },
    });
    visits.length = 0;
    questions.length = 0;
});

test("numbers of the run with edits cover those of the plain one, and stay until the next have come", () => {
    come("lens", 1);
    edit("a1*0");
    assert.equal(shown("lens"), 1, "nothing has come: what was there stays");
    assert.equal(has(first, "lens"), false);
    come("lens a1*0", 2);
    assert.deepEqual([shown("lens"), has(first, "lens")], [2, true]);
    edit("a1*0.5");
    assert.deepEqual([shown("lens"), has(first, "lens")], [2, false]);
    come("lens a1*0.5", 3);
    assert.equal(shown("lens"), 3);
    edit("");
    assert.equal(shown("lens"), 1);
});

test("a painted picture is no run, and ends none", () => {
    edit("a1*0");
    const names = ["lens p3=grey", "painted p3=grey", "lens p3=grey a1*0", "lens p3=grey a2*0"];
    for (const name of names) come(name, 1);
    assert.deepEqual(
        names.map((name) => Boolean(first.parcels.get(name))),
        [false, true, true, true],
    );
});

test("of two parcels that would do, the one of the chosen edits goes before an older one", () => {
    come("maps-1", 1);
    edit("h1.1*0");
    come("rows-4 h1.1*0", 2);
    assert.equal(found(first, ["maps-1", "rows-4"])?.name, "rows-4");
});

test("numbers of many positions of a hand are not kept", () => {
    edit("a1*0");
    for (let at = 0; at < 50; at++) come(`lens a1*0.${10 + at}`, at);
    assert.equal([...first.parcels.held.keys()].filter((name) => name.startsWith("lens ")).length, 2);
    come("second right", 1);
    assert.equal(shown("second right"), 1);
});

test("on a page without switches the numbers are those that Python sent for its edits", () => {
    come("lens", 1);
    come("lens a1*0", 2);
    edit("a1*0", false);
    assert.equal(shown("lens"), 1);
});

/** The list comes. @param {string} name the one that it names */
async function listed(name) {
    questions.at(-1)?.answer(200, JSON.stringify([name]));
    await read();
}

test("while a hand drags, the server is asked for the newest position when the last answer is here, and at rest", async () => {
    first.scene = { draw() {}, needs: () => ["lens"] };
    come("lens", 0);
    for (const scale of [11, 12, 13, 14]) edit(`a1*0.${scale}`);
    assert.deepEqual([...new Set(questions.map(({ words }) => words.get("edits")))], ["a1*0.11"], "one run at a time");
    await listed("lens a1*0.11");
    assert.equal(questions[0].name, "lens a1*0.11");
    questions[0].answer(200, packed("one", "lens a1*0.11"));
    await read();
    assert.deepEqual(
        questions.map(({ name, words }) => [name, words.get("edits")]),
        [
            ["lens a1*0.14", "a1*0.14"],
            ["", "a1*0.14"],
        ],
        "those in between are never asked for",
    );
    edit("a1*0.15");
    timers.pass(400);
    assert.equal(questions.at(-1)?.words.get("edits"), "a1*0.15", "and at rest the exact one");
    assert.deepEqual(visits, []);
});

test("a hand that rests where it was asked for is not asked for twice, before its answer has come", async () => {
    first.scene = { draw() {}, needs: () => ["lens"] };
    edit("a1*0.11");
    await listed("lens a1*0.11");
    edit("a1*0.12");
    edit("a1*0.11");
    timers.pass(1000);
    assert.deepEqual([questions.length, questions[0].name], [1, "lens a1*0.11"]);
    questions[0].answer(200, packed("one", "lens a1*0.11"));
    await read();
    timers.pass(1000);
    assert.equal(questions.length, 0);
});

test("nothing is asked for while a hand drags what this browser runs", () => {
    first.scene = { draw() {}, needs: () => ["lens"] };
    first.folded = { draw() {}, actions: {}, needs: () => [] };
    for (const scale of [11, 12, 13]) {
        edit(`a1*0.${scale}`);
    }
    timers.pass(1000);
    assert.deepEqual([visits, questions], [[], []]);
});

test("edits that change pixels are told from the others", () => {
    edit("h1.1*0 p2 p3=removed p4=grey i3=4 e=off");
    assert.equal(painting(first), "p4=grey i3=4");
});
