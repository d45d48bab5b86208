import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { addresses, meta, newBoard, painted, said, stand, timers, visits } from "./page.js";

const { action, busy } = await import("#frontend/frame/actions.js");
const { Board } = await import("#frontend/state/board.js");

/** @import { Data } from "#frontend/types/board.js" */

/** @type {ReturnType<typeof newBoard>["board"]} */
let board;
/** @type {typeof board.first} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;

/** The board of a new visitor. @param {string} at @param {string} page @param {Data["meta"]} [sizes] */
function arrive(at, page, sizes = meta()) {
    stand(at);
    timers.forget();
    ({ board, first, python } = newBoard());
    python.open(said(page, sizes));
    addresses.length = 0;
}

/** What Python says to the last address. @param {Data["meta"]} [sizes] */
function answer(sizes = meta()) {
    python.open(said(location.pathname.slice(1), sizes));
}

beforeEach(() => arrive("/heads?layer=2&query=5", "heads"));

test("what was said ahead of the first forward pass, and comes after it, takes nothing from the board", () => {
    python.open({ ...said("heads", null), ahead: true });
    assert.equal(first.meta.digest, "one");
    python.open(said("growth", null));
    assert.equal(first.data.meta, null, "a page without a forward pass does");
});

test("a picture that is there ahead of its numbers opens, and they are not asked for: they are on their way", () => {
    visits.length = 0;
    first.scene = { draw() {}, needs: () => ["maps-1"] };
    const other = { ...meta(), digest: "other" };
    python.open({ ...said("heads", other), ahead: true });
    timers.pass(1000);
    assert.deepEqual([first.meta.digest, first.lacks, visits], ["other", false, []]);
    python.open(said("heads", other));
    python.open({ ...said("heads", other), ahead: true });
    assert.equal(first.lacks, true, "what was said ahead and comes after it takes nothing away");
});

test("a scene is asked for nothing that another page needs, when one without a scene came between them", () => {
    /** @type {string[]} */
    const asked = [];
    const needs = (/** @type {{ page: string }} */ { page }) => {
        asked.push(page);
        return [page];
    };
    first.scene = { page: "heads", draw() {}, needs };
    python.open(said("heads"));
    assert.equal(first.lacks, true);
    for (const [page, sizes] of /** @type {const} */ ([
        ["growth", null],
        ["depth", meta()],
    ])) {
        board.store.go(page);
        python.open(said(page, sizes));
    }
    assert.equal(first.lacks, false);
    assert.deepEqual([...new Set(asked)], ["heads"]);
});

test("a preview covers the choice and gives it back; nothing is written", () => {
    first.look({ query: 9 });
    assert.deepEqual([first.shown.query, first.chosen.query], [9, 6]);
    first.look({});
    assert.equal(first.shown.query, 6);
    timers.pass(1000);
    assert.deepEqual(addresses, []);
});

test("the address follows a choice when the hand rests, once, and Python is not asked", () => {
    for (const query of [7, 8, 9]) first.choose({ query });
    assert.deepEqual(addresses, []);
    timers.pass(150);
    assert.deepEqual(addresses, ["/heads?layer=2&query=8"]);
    timers.pass(1000);
    assert.equal(addresses.length, 1);
});

test("as long as the hand slides nothing is written or asked; where it lets go, once", () => {
    visits.length = 0;
    first.scene = { draw() {}, needs: ({ layer }) => [`maps-${layer}`] };
    first.choose({ layer: 0 });
    for (const layer of [1, 2, 3]) {
        board.store.set({ layer }, "slide");
        timers.pass(1000);
    }
    assert.deepEqual([first.shown.layer, addresses, visits], [3, [], []]);
    first.choose({ layer: 3 });
    timers.pass(1000);
    assert.deepEqual([addresses.length, visits.length], [1, 0]);
});

test("Python is asked at rest for an open drawer, and for no number", () => {
    visits.length = 0;
    first.scene = { draw() {}, needs: ({ layer }) => [`maps-${layer}`] };
    first.receive({ digest: "one", name: "maps-0", arrays: {} });
    first.choose({ layer: 2 });
    timers.pass(1000);
    assert.equal(visits.length, 0, "numbers come by the route");
    first.scene = null;
    python.drawer("details");
    assert.equal(visits.length, 1, "at once when it is opened");
    first.choose({ head: 1 });
    timers.pass(399);
    assert.equal(visits.length, 1);
    timers.pass(1);
    assert.equal(visits.length, 2);
});

test("a page change keeps the selection and moves before Python answers", () => {
    first.choose({ head: 1 });
    board.store.go("depth");
    assert.deepEqual([first.chosen.page, first.chosen.head], ["depth", 1]);
    assert.deepEqual(addresses, ["/depth?layer=2&query=5&head=2"]);
    python.open(said("heads")); // a run that was under way
    assert.equal(first.chosen.page, "depth");
    answer();
    assert.deepEqual([first.chosen.page, first.chosen.layer, python.awaited], ["depth", 1, undefined]);
});

test("another page is painted at once and once, what else changes with the next frame", async () => {
    let paints = 0;
    board.paint = () => paints++;
    board.store.choose({ head: 2 });
    await Promise.resolve();
    assert.equal(paints, 0);
    board.store.go("depth");
    assert.equal(paints, 0, "whoever else is told hears it first");
    await Promise.resolve();
    assert.equal(paints, 1);
    painted();
    assert.equal(paints, 1);
    board.store.choose({ head: 1 });
    painted();
    assert.equal(paints, 2);
});

test("what was asked for while the connection was away is asked for again, later and later, until it comes", () => {
    visits.length = 0;
    board.store.go("depth");
    painted();
    assert.deepEqual(visits, ["/depth?layer=2&query=5"]);
    timers.pass(14_999);
    assert.equal(visits.length, 1);
    timers.pass(1);
    assert.deepEqual(visits.slice(1), ["/depth?layer=2&query=5"]);
    timers.pass(30_000);
    assert.equal(visits.length, 3);
    answer();
    timers.pass(600_000);
    assert.equal(visits.length, 3, "it has come");
});

test("moments come before pages, both ways, and the walk has two ends", () => {
    const walked = [];
    arrive("/", "");
    for (let step = 0; step < 6; step++) {
        walked.push(`${first.chosen.page} ${first.chosen.moment}`);
        board.turn(1);
        answer(first.chosen.page === "growth" ? null : meta());
    }
    assert.deepEqual(walked, [" light", "heads first", "heads second", "depth only", "growth ", "growth "]);
    board.turn(-1);
    board.turn(-1);
    assert.deepEqual([first.chosen.page, first.chosen.moment], ["heads", "second"]);
});

test("Back shows what the address says, and nothing of what was chosen since", () => {
    first.choose({ layer: 3, head: 1 });
    stand("/depth?query=class");
    board.store.returned();
    const { page, layer, head, query } = first.chosen;
    assert.deepEqual([page, layer, head, query], ["depth", 0, 0, 0]);
});

test("after a page that shows no picture the address decides", () => {
    board.store.go("growth");
    answer(null);
    assert.equal(location.search, "?layer=2&query=5");
    stand("/heads?layer=4&moment=second"); // Back, to another entry
    board.store.returned();
    answer();
    assert.deepEqual([first.chosen.layer, first.chosen.moment, first.chosen.query], [3, "second", 0]);
});

test("a moment is said by its name, or by the number that old links call it, and written by its name", () => {
    for (const [said, moment] of Object.entries({ second: "second", 2: "second", 9: "second", 1: "first" })) {
        ({ board, first, python } = newBoard());
        arrive(`/heads?moment=${said}`, "heads");
        assert.equal(first.chosen.moment, moment, said);
        assert.equal(location.search, moment === "second" ? "?moment=second" : "", said);
    }
    for (const none of ["third", "0", "10", "-1", ""]) {
        ({ board, first, python } = newBoard());
        arrive(`/heads?moment=${none}`, "heads");
        assert.deepEqual([first.chosen.moment, location.search], ["first", ""], none);
    }
});

test("Back and another page go by the names of their moments", () => {
    board.store.go("heads", "second");
    timers.pass(1000);
    assert.equal(location.pathname + location.search, "/heads?layer=2&query=5&moment=second");
    board.store.go("depth");
    answer();
    assert.deepEqual([first.chosen.moment, location.search], ["only", "?layer=2&query=5"]);
    stand("/heads?layer=2&query=5&moment=second");
    board.store.returned();
    assert.equal(first.chosen.moment, "second");
    stand("/heads?moment=2");
    board.store.returned();
    assert.equal(first.chosen.moment, "second");
});

test("another model is shown at the same moment, or at its first where it has none of that name", () => {
    board.store.go("heads", "second");
    answer();
    const [one, heads, depth] = said("heads").stages;
    const other = (/** @type {string[]} */ names) => [
        one,
        { ...heads, moments: names.map((name) => ({ name, sentence: "" })) },
        depth,
    ];
    python.open({ ...said("heads", { ...meta(), digest: "two" }), stages: other(["new", "first", "second"]) });
    assert.equal(first.chosen.moment, "second");
    python.open({ ...said("heads", { ...meta(), digest: "three" }), stages: other(["first", "only"]) });
    assert.deepEqual([first.chosen.moment, location.search.includes("moment")], ["first", false]);
});

test("another model keeps of the selection what it has, and its numbers only", () => {
    first.choose({ layer: 3 });
    first.receive({ digest: "one", name: "maps-0", arrays: { codes: { shape: [], data: new Uint8Array() } } });
    python.open(said("heads", meta("two", 2)));
    first.receive({ digest: "one", name: "maps-1", arrays: {} });
    assert.deepEqual([first.chosen.layer, first.chosen.query, first.chosen.after], [0, 6, 2]);
    assert.equal(first.array("maps-0", "codes"), undefined);
    assert.equal(first.parcels.count, 0, "nor what comes late of the one before");
});

test("an answer to an older square of the picture does not take the newer one back", () => {
    const of = (/** @type {string} */ digest, /** @type {string} */ crop) => ({ ...meta(digest), crop });
    first.scene = { draw() {}, needs: () => ["patches"] };
    const [cut, whole] = ["/heads?layer=2&query=5&crop=0-0-500", "/heads?layer=2&query=5"];
    visits.length = 0;
    first.choose({ crop: "0-0-500" });
    timers.pass(150);
    first.choose({ crop: "" });
    timers.pass(150);
    assert.deepEqual(visits, [cut, whole]);
    answer(of("two", "0-0-500"));
    timers.pass(1000);
    assert.deepEqual([first.chosen.crop, addresses.at(-1)], ["", whole]);
    assert.equal(visits.length, 2, "the answer is on its way");
    answer(of("one", ""));
    first.receive({ digest: "one", name: "patches", arrays: {} });
    timers.pass(600_000);
    assert.deepEqual([first.chosen.crop, visits.length], ["", 2]);
});

test("where a script on the page leads is chosen at once, and Streamlit reads it", () => {
    visits.length = addresses.length = 0;
    python.visit("/depth?layer=3&sample=right", true);
    assert.deepEqual([first.chosen.page, first.chosen.layer], ["depth", 2]);
    assert.deepEqual([addresses[0], visits], ["/depth?layer=3&sample=right", ["/depth?layer=3&sample=right"]]);
    python.visit("/depth?layer=3&sample=right", false);
    assert.equal(visits.length, 2, "the same once more");
});

test("a square that was asked for while the connection was away is asked for again", () => {
    visits.length = 0;
    first.choose({ crop: "0-0-500" });
    timers.pass(150 + 15_000);
    assert.equal(visits.length, 2);
});

test("another picture is seen as Python says", () => {
    const picture = { title: "", alt: "", digest: "other" };
    first.choose({ crop: "0-0-500" });
    answer({ ...meta("two"), picture });
    assert.equal(first.chosen.crop, "");
});

test("a link outside of the board keeps the selection", () => {
    stand("/depth"); // as Streamlit's own links do
    python.open(said("depth"));
    assert.deepEqual(addresses, ["/depth?layer=2&query=5"]);
    assert.equal(first.chosen.layer, 1);
});

test("Space plays until the end, and Escape stops it", () => {
    first.scene = { draw() {}, play: ({ layer }) => (layer < 3 ? { layer: layer + 1 } : null) };
    board.play();
    assert.equal(first.chosen.layer, 2);
    timers.pass(900);
    assert.equal(first.chosen.layer, 3);
    timers.pass(900);
    assert.equal(board.playing, 0);
    first.choose({ layer: 0 });
    board.play();
    board.letGo();
    timers.pass(5000);
    assert.equal(first.chosen.layer, 1);
    assert.equal(first.chosen.query, 6, "and lets nothing else go");
});

/** A key that is pressed in an element. @param {string} key @param {object} target @param {object} [more] */
const pressed = (key, target, more = {}) => ({
    ...{ key, ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false },
    ...{ composedPath: () => /** @type {EventTarget[]} */ ([target]) },
    ...more,
});
/** An element that is what these selectors find. @param {string} tagName @param {string[]} is */
const element = (tagName, is = [], type = "") => ({
    tagName,
    type,
    isContentEditable: false,
    closest: (/** @type {string} */ wanted) => (wanted.split(", ").some((one) => is.includes(one)) ? {} : null),
});

test("what is typed somewhere is never taken for a key", () => {
    for (const where of [
        element("INPUT", [], "text"),
        element("INPUT", [], "number"),
        element("TEXTAREA", ["textarea"]),
        element("DIV", ["[role=slider]"]),
        { ...element("DIV"), isContentEditable: true },
    ])
        for (const key of ["l", "f", " ", "ArrowLeft", "Home"]) assert.ok(busy(pressed(key, where)), key);
    for (const key of ["PageDown", "PageUp"])
        assert.ok(busy(pressed(key, element("TEXTAREA", ["textarea"]))), "a text is turned page by page");
    assert.ok(busy(pressed("l", element("BODY"), { ctrlKey: true })));
    assert.ok(busy(pressed("f", element("BODY"), { metaKey: true })));
    assert.ok(busy(pressed(" ", element("BUTTON", ["button"]))), "a button has Space");
    assert.ok(!busy(pressed("l", element("BUTTON", ["button"]))));
    assert.ok(!busy(pressed("l", element("INPUT", [], "checkbox"))));
    assert.ok(!busy(pressed(" ", element("BODY"))));
    for (const key of ["ArrowLeft", "Home"]) assert.ok(busy(pressed(key, element("INPUT", [], "range"))), key);
    for (const key of ["b", ".", "l", "Enter"]) assert.ok(!busy(pressed(key, element("INPUT", [], "range"))), key);
});

test("keys of a scene come first, and on other pages only the frame's own work", () => {
    const own = () => {};
    first.scene = { draw() {}, actions: { own: { keys: ["l"], label: "its own", perform: own } } };
    board.photo = /** @type {any} */ ({ steps: [{ says: "head", many: 4 }] });
    assert.equal(action(board, "l"), own);
    assert.ok(action(board, "h"));
    assert.equal(action(board, "q"), undefined);
    board.helping = true;
    assert.equal(action(board, "h"), undefined);
    assert.ok(action(board, "Escape"));
    board.helping = false;
    board.store.go("growth");
    answer(null);
    for (const key of ["PageDown", "PageUp", "s", "?"]) assert.ok(action(board, key), key);
    for (const key of ["l", "h", "d", " ", "ArrowLeft"]) assert.equal(action(board, key), undefined, key);
});

test("a board without a script asks what its numbers come by, and nobody else", async () => {
    const asked = /** @type {string[]} */ ([]);
    const alone = new Board(async ({ name }) => {
        asked.push(name);
        return null;
    });
    alone.store.write = () => {};
    alone.first.take(said("heads"));
    alone.store.set({ page: "heads", moment: "first" });
    alone.first.scene = { draw() {}, needs: ({ layer }) => [`maps-${layer}`] };
    visits.length = 0;
    for (const act of [
        () => alone.store.choose({ layer: 3, crop: "0-0-9" }),
        () => alone.letGo(),
        () => alone.turn(1),
    ]) {
        act();
        timers.pass(100_000);
    }
    assert.deepEqual([alone.store.chosen.layer, alone.store.chosen.moment, visits, addresses], [3, "second", [], []]);
    alone.store.choose({ layer: 2, crop: "" });
    assert.deepEqual(asked, ["maps-2", ""]);
});
