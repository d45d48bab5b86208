import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { meta, newBoard, said, stand, timers, visits } from "../page.js";

const { Applying, isHere } = await import("#frontend/lecture/apply.js");

/** @type {ReturnType<typeof newBoard>["first"]} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;
/** @type {InstanceType<typeof Applying>} */
let applying;

beforeEach(() => {
    stand("/heads?layer=2&query=5");
    ({ first, python } = newBoard());
    python.open(said("heads"));
    applying = new Applying(python);
    visits.length = 0;
});

test("what the browser has is shown here; page, model, picture, edits, crop and drawers are Python's", () => {
    const here = (/** @type {string} */ view) => isHere(first, python, view, "heads?layer=2&query=5");
    for (const view of ["heads", "heads?layer=3&head=2&moment=matrix", "heads?query=class&shows=column"])
        assert.equal(here(view), true, view);
    for (const view of ["depth", "growth", "heads?sample=left", "heads?edits=h1.1*0", "heads?crop=0-0-9"])
        assert.equal(here(view), false, view);
    assert.equal(here("heads?open=details"), false);
    first.data = { ...first.data, facts: { folded: "script" } };
    assert.equal(here("heads?edits=h1.1*0"), true);
    python.awaited = "depth";
    assert.equal(here("heads"), false);
});

test("on a page without a scene only the same view is here", () => {
    python.open(said("growth", null));
    assert.equal(isHere(first, python, "growth?depth=2", "growth?depth=2"), true);
    assert.equal(isHere(first, python, "growth?depth=3", "growth?depth=2"), false);
});

test("a view of this page is shown at once and without Python; what it does not say is as usual", () => {
    applying.show("/heads?layer=3&room=BCDF", { wait: 500 });
    assert.deepEqual([first.chosen.layer, first.chosen.query], [2, 0]);
    assert.equal(location.search, "?layer=3&room=BCDF");
    timers.pass(3000);
    assert.deepEqual(visits, []);
});

test("the board goes to another page at once, and Python is asked when its turn has come", () => {
    applying.show("/depth?through=3&room=BCDF", { wait: 1200 });
    assert.deepEqual([first.chosen.page, first.chosen.through], ["depth", 3]);
    timers.pass(1199);
    assert.deepEqual(visits, []);
    timers.pass(1);
    assert.deepEqual(visits, ["/depth?through=3&room=BCDF"]);
    assert.equal(applying.answered(), false);
    python.open(said("depth"));
    assert.equal(applying.answered(), true);
    assert.deepEqual([first.chosen.page, first.chosen.through], ["depth", 3]);
});

test("of another model the address decides, also what this one has not", () => {
    applying.show("/heads?model=other&layer=9", { wait: 100 });
    timers.pass(100);
    python.open(said("heads", meta("other", 12)));
    assert.equal(applying.answered(), true);
    assert.equal(first.chosen.layer, 8);
});

test("a newer view takes the place of one that Python was not asked for", () => {
    applying.show("/depth", { wait: 1000 });
    timers.pass(500);
    applying.show("/heads?sample=left&layer=4", { wait: 1000 });
    timers.pass(999);
    assert.deepEqual(visits, []);
    timers.pass(1);
    assert.deepEqual(visits, ["/heads?sample=left&layer=4"]);
});

test("a hand that goes on need not wait for its turn", () => {
    applying.show("/depth", { wait: 1500 });
    applying.hurry();
    assert.deepEqual(visits, ["/depth"]);
    timers.pass(2000);
    assert.equal(visits.length, 1);
});
