import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { addresses, meta, newBoard, said, stand, timers } from "./page.js";

/** @type {ReturnType<typeof newBoard>["first"]} */
let column;
/** @type {typeof column.store} */
let store;
/** What a listener heard. @type {(string | undefined)[]} */
let heard;

beforeEach(() => {
    stand("/heads?layer=2&query=5");
    timers.forget();
    ({ first: column } = newBoard());
    store = column.store;
    column.take(said("heads"));
    store.returned();
    heard = [];
    store.subscribe((what) => heard.push(what));
    addresses.length = 0;
});

test("who listens hears what has happened, once each, and the same as all others", () => {
    /** @type {number[]} */
    const before = [];
    store.subscribe((_what, { layer }) => before.push(layer));
    store.look({ query: 9 });
    store.set({ layer: 1 }, "slide");
    store.choose({ layer: 2 });
    timers.pass(150);
    store.go("depth");
    column.invalidate();
    assert.deepEqual(heard, ["look", "slide", "choose", "rest", "go", undefined]);
    assert.deepEqual(before, [1, 1, 0 + 1, 2, 2, 2], "what was chosen until then");
});

test("a listener finds the store as it is after what it hears of", () => {
    /** @type {unknown[]} */
    const found = [];
    store.subscribe(() => found.push([store.chosen.layer, store.shown.query]));
    const { query } = store.chosen;
    store.look({ query: 9 });
    store.choose({ layer: 3 });
    assert.deepEqual(found, [
        [1, 9],
        [3, query],
    ]);
});

test("a choice is a value: what was chosen before stays as it was", () => {
    const before = store.chosen;
    store.choose({ layer: 3 });
    assert.deepEqual([before.layer, store.chosen.layer], [1, 3]);
});

test("the address follows a choice at rest, and neither a preview nor a hand that slides", () => {
    store.look({ query: 9 });
    store.set({ layer: 3 }, "slide");
    timers.pass(1000);
    assert.deepEqual(addresses, []);
    store.choose({ layer: 3 });
    timers.pass(150);
    assert.deepEqual(addresses, ["/heads?layer=4&query=5"]);
});

test("Back is exact: all is what the address says, and a choice that was not yet written is gone", () => {
    const before = { ...store.chosen };
    store.choose({ layer: 3, head: 1, moment: "second" });
    timers.pass(150);
    store.go("depth");
    store.choose({ query: 0 });
    stand("/heads?layer=2&query=5");
    store.returned();
    assert.deepEqual(store.chosen, before);
    addresses.length = 0;
    timers.pass(1000);
    assert.deepEqual(addresses, [], "nothing is written behind it");
    heard.length = 0;
    store.returned();
    assert.deepEqual(heard, [], "the board is there already");
});

test("while a lecturer points nothing is previewed", () => {
    store.steady = true;
    store.look({ query: 9 });
    assert.deepEqual(store.preview, {});
});

test("a column without the first one's store has one of its own", () => {
    const { first: other } = newBoard();
    other.take(said("heads", meta("two")));
    store.choose({ layer: 3 });
    assert.equal(other.chosen.layer, 0);
});
