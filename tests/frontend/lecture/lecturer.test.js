import assert from "node:assert/strict";
import { test } from "node:test";

import "../page.js";

const { advice, rightOf } = await import("#frontend/doors/lecturer/counted.js");
const { clock, planned, skipping } = await import("#frontend/doors/lecturer/parts.js");
const { hall } = await import("#frontend/doors/lecturer/parts.js");
const { newCode } = await import("#frontend/doors/lecturer/room.js");

const asked = { asks: "?", options: ["a", "b"], low: 1e3, high: 1e9, unit: "" };
const step = (/** @type {number} */ minutes, optional = false) => ({
    minutes,
    optional,
    says: "",
    view: "",
    notes: "",
    question: null,
    explains: "",
});

test("the clock stands beside what was planned until this step", () => {
    const steps = [1, 2.5, 4].map((minutes) => step(minutes));
    assert.deepEqual(
        [1, 2, 3].map((at) => planned(steps, at)),
        [0, 1, 3.5],
    );
    assert.equal(clock(0, 9e9, 0, 7.5), "0 min · plan 0 of 8");
    assert.equal(clock(1000, 1000 + 12.9 * 60_000, 10, 45), "12 min · plan 10 of 45");
});

test("an optional step is not in the plan, and how to skip it is said", () => {
    const steps = [step(1), step(2, true), step(3, true), step(4), step(5, true)];
    assert.deepEqual(
        [1, 2, 3, 4, 5].map((at) => planned(steps, at)),
        [0, 1, 1, 1, 5],
    );
    assert.equal(skipping(steps, 2), "optional: 4 ⏎ goes past");
    assert.equal(skipping(steps, 3), "optional: 4 ⏎ goes past");
    assert.equal(skipping(steps, 5), "optional", "nothing comes after it");
});

test("before the server knows what is right, the window counts it from the sums", () => {
    const choose = { voted: 5, right: null, choose: [2, 3] };
    assert.equal(rightOf({ ...asked, kind: "choose" }, choose, { option: 1, text: "" }), 3);
    const number = { voted: 4, right: null, number: [...Array(9).fill(0), 1, 2, 1, ...Array(8).fill(0)] };
    assert.equal(rightOf({ ...asked, kind: "number" }, number, { value: 1.4e6, text: "" }), 3, "the bins around 1.4e6");
    const map = btoa(String.fromCharCode(0, 0, 255, 255, 0, 128, 255, 127));
    const patch = { voted: 9, right: null, patch: btoa("\x04\x02\x02\x01") };
    assert.equal(rightOf({ ...asked, kind: "patch" }, patch, { patch: 1, map, most: 0.3, text: "" }), 4);
    const pair = { voted: 2, right: null, pair: btoa("\x02\x02") };
    assert.equal(rightOf({ ...asked, kind: "pair" }, pair, { pair: [0, 1], text: "" }), null, "sums do not tell");
    assert.equal(rightOf({ ...asked, kind: "pair" }, { ...pair, right: 2 }, { pair: [0, 1], text: "" }), 2);
});

test("a second guess is advised where three to seven in ten are right", () => {
    const again = [2, 3, 5, 7, 8].map((right) => advice(right, 10, 1).endsWith("ask again."));
    assert.deepEqual(again, [false, true, true, true, false]);
    assert.equal(advice(11, 20, 1), "11 of 20 right (55.0 %): let them talk, then ask again.");
    assert.equal(advice(11, 20, 2), "11 of 20 right (55.0 %): show the answer.");
    assert.equal(advice(null, 20, 1) + advice(0, 0, 1), "");
});

test("a room has four letters, or six where the lecturer wants, none of which make a word", () => {
    for (let time = 0; time < 50; time++) {
        assert.match(newCode(false), /^[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
        assert.match(newCode(true), /^[BCDFGHJKLMNPQRSTVWXZ]{6}$/);
    }
});

test("whether the class's screen is open, and how many pages are on their way, is one quiet line", () => {
    const lines = [0, 1, 2].map((screens) => hall({ screens, waiting: 4 }));
    assert.deepEqual(lines, ["no screen open · 4 wait", "screen open · 4 wait", "2 screens · 4 wait"]);
});
