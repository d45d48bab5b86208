import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { meta, stand, timers, visits } from "../page.js";

const { default: carrier } = await import("#frontend/transport/carrier.js");
const { attend } = await import("#frontend/transport/inbox.js");
const { unpack } = await import("#frontend/transport/parcels.js");
const { Board } = await import("#frontend/state/board.js");
const { found, has, now, painting } = await import("#frontend/state/edited.js");

/** @type {InstanceType<typeof Board>} */
let board;

/** Numbers come. @param {string} name @param {number} value */
const come = (name, value) =>
    board.keep({ digest: "one", name, arrays: { it: { shape: [1], data: Float32Array.of(value) } } });
const shown = (/** @type {string} */ name) => now(board, name, "it")?.data[0];

/** Edits on a page that has the switches, or another. @param {string} edits @param {boolean} [switched] */
function edit(edits, switched = true) {
    board.data.facts = switched ? { folded: "folded.js" } : {};
    board.choose({ edits });
}

beforeEach(() => {
    if (board) clearTimeout(board.asking.timer);
    stand("/heads");
    board = new Board();
    board.open({
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
        ...{ own: "", arrived: "", palette: {}, weights: [], second: null },
    });
    visits.length = 0;
});

test("numbers of the run with edits cover those of the plain one, and stay until the next have come", () => {
    come("lens", 1);
    edit("a1*0");
    assert.equal(shown("lens"), 1, "nothing has come: what was there stays");
    assert.equal(has(board, "lens"), false);
    come("lens a1*0", 2);
    assert.deepEqual([shown("lens"), has(board, "lens")], [2, true]);
    edit("a1*0.5");
    assert.deepEqual([shown("lens"), has(board, "lens")], [2, false]);
    come("lens a1*0.5", 3);
    assert.equal(shown("lens"), 3);
    edit("");
    assert.equal(shown("lens"), 1);
});

test("numbers that were let go are read again where they stand on the page", () => {
    board.scene = /** @type {any} */ ({ needs: () => ["values"] });
    edit("a1*0");
    const header = new TextEncoder().encode(JSON.stringify({ digest: "one", name: "values a1*0", arrays: [] }));
    const sent = Uint8Array.from([...new Uint8Array(Uint32Array.of(header.length).buffer), ...header]);
    const parentElement = /** @type {any} */ ({});
    attend((it) => it instanceof Uint8Array && board.keep(unpack(it)));
    const gone = carrier(/** @type {any} */ ({ data: sent, parentElement }));
    assert.equal(has(board, "values"), true);
    for (const edits of ["a2*0", "a3*0"]) come(`lens ${edits}`, 1); // made here, before Python was asked
    assert.equal(has(board, "values"), false, "of the edits before the last");
    edit("a1*0");
    board.asking.rested();
    assert.equal(has(board, "values"), true);
    for (const edits of ["a2*0", "a3*0"]) come(`lens ${edits}`, 1);
    gone?.();
    board.asking.rested();
    assert.equal(has(board, "values"), false);
    assert.equal(visits.length > 0, true, "Python sends it anew");
});

test("a painted picture is no run, and ends none", () => {
    edit("a1*0");
    const names = ["lens p3=grey", "painted p3=grey", "lens p3=grey a1*0", "lens p3=grey a2*0"];
    for (const name of names) come(name, 1);
    assert.deepEqual(
        names.map((name) => Boolean(board.parcels.get(name))),
        [false, true, true, true],
    );
});

test("of two parcels that would do, the one of the chosen edits goes before an older one", () => {
    come("maps-1", 1);
    edit("h1.1*0");
    come("rows-4 h1.1*0", 2);
    assert.equal(found(board, ["maps-1", "rows-4"])?.name, "rows-4");
});

test("numbers of many positions of a hand are not kept", () => {
    edit("a1*0");
    for (let at = 0; at < 50; at++) come(`lens a1*0.${10 + at}`, at);
    assert.equal([...board.parcels.held.keys()].filter((name) => name.startsWith("lens ")).length, 2);
    come("second right", 1);
    assert.equal(shown("second right"), 1);
});

test("on a page without switches the numbers are those that Python sent for its edits", () => {
    come("lens", 1);
    come("lens a1*0", 2);
    edit("a1*0", false);
    assert.equal(shown("lens"), 1);
});

test("while a hand drags, Python is asked for the newest position when the last answer is here, and at rest", () => {
    board.scene = { draw() {}, needs: () => ["lens"] };
    come("lens", 0);
    const at = (/** @type {number} */ scale) => {
        edit(`a1*0.${scale}`);
        board.asking.hurry();
        timers.pass(30);
    };
    for (const scale of [11, 12, 13, 14]) at(scale);
    assert.deepEqual(visits, ["/heads?edits=a1*0.11"], "one question at a time");
    come("lens a1*0.11", 1);
    for (const scale of [15, 16, 17]) at(scale);
    assert.deepEqual(visits.slice(1), ["/heads?edits=a1*0.15"], "those in between are never asked for");
    timers.pass(400);
    assert.deepEqual(visits.slice(2), ["/heads?edits=a1*0.17"], "and at rest the exact one");
});

test("a hand that rests where it was asked for is not asked for twice, before its answer has come", () => {
    board.scene = { draw() {}, needs: () => ["lens"] };
    edit("a1*0.11");
    board.asking.hurry();
    timers.pass(1000);
    assert.deepEqual(visits, ["/heads?edits=a1*0.11"]);
    edit("a1*0.12");
    edit("a1*0.11");
    timers.pass(1000);
    assert.equal(visits.length, 1, "nor when it comes back there");
    edit("a1*0.13");
    timers.pass(1000);
    assert.equal(visits.length, 2);
    stand("/heads?edits=a1*0.11");
    board.returned();
    edit("a1*0.13");
    timers.pass(1000);
    assert.equal(visits.length, 3, "another question has interrupted the first");
});

test("a hand that rests is not asked for again where its answer has come while it came to rest", () => {
    board.scene = { draw() {}, needs: () => ["lens"] };
    edit("a1*0.11");
    board.asking.hurry();
    timers.pass(200);
    come("lens a1*0.11", 1);
    timers.pass(1000);
    assert.deepEqual(visits, ["/heads?edits=a1*0.11"]);
});

test("Python is not asked again while the pieces of an answer come", () => {
    board.scene = { draw() {}, needs: () => ["map"] };
    board.ask(false);
    assert.equal(visits.length, 1);
    for (let at = 0; at < 4; at++) {
        timers.pass(14_000);
        come(`map from ${at}`, at);
    }
    timers.pass(14_000);
    assert.equal(visits.length, 1);
    timers.pass(30_000);
    assert.equal(visits.length, 2, "and is when none has come for a while");
});

test("nothing is asked for while a hand drags what this browser runs", () => {
    board.scene = { draw() {}, needs: () => ["lens"] };
    board.folded = { draw() {}, keys: [], needs: () => [] };
    for (const scale of [11, 12, 13]) {
        edit(`a1*0.${scale}`);
        board.asking.hurry();
    }
    timers.pass(1000);
    assert.deepEqual(visits, []);
});

test("edits that change pixels are told from the others", () => {
    assert.equal(painting("h1.1*0 p4 p5=removed p6=grey i3=4 e=off"), "p6=grey i3=4");
});
