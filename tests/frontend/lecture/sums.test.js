import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { meta } from "../page.js";

const { binOf, caught, clicksOf, isRight, numberAt, ofOthers, placeOf, sharesOf, tally } = await import(
    "#frontend/questions/sums.js"
);
const { circles, hit, legend } = await import("#frontend/questions/clicks.js");
const { ticks } = await import("#frontend/questions/scale.js");
const { guessed, number } = await import("#frontend/questions/words.js");

/** @param {Partial<import("#frontend/types/lecture.js").Question>} asked */
const question = (asked) => ({
    kind: /** @type {const} */ ("choose"),
    asks: "?",
    options: [],
    low: 1,
    high: 1,
    unit: "",
    ...asked,
});
const millions = question({ kind: "number", low: 1e3, high: 1e9, unit: "parameters" });

test("the sums of clicks are a sentence, and the legend names what is on the photo alone", () => {
    const two = { patches: 2, share: 0.9981, best: 0.9993 };
    assert.equal(hit(two), "the 2 guessed patches get 99.8 % of the light; the best 2 would get 99.9 %.");
    const one = { patches: 1, share: 0.5, best: 0.5 };
    assert.equal(hit(one), "the guessed patch gets 50.0 % of the light; the best one would get 50.0 %.");
    const result = { rounds: [], truth: { pair: /** @type {[number, number]} */ ([1, 2]), text: "" } };
    assert.equal(legend({ result, own: [null, [1, 2]] }, 0), "On the photo: ✓ right.");
    assert.equal(legend({ result, own: [[1, 2], null] }, -1), "On the photo: ✓ right · orange: yours.");
});

test("the bins of a log scale are equally wide in the logarithm, and its ends belong to the last ones", () => {
    assert.deepEqual(
        [1e3, 1.99e3, 2.01e3, 1e6, 1e9, 1, 1e12].map((value) => binOf(millions, value)),
        [0, 0, 1, 10, 19, 0, 19],
    );
    assert.ok(Math.abs(numberAt(millions, placeOf(millions, 86e6)) - 86e6) < 1);
});

test("guesses are counted, and right, as on the server, in tests/unit/lecture/rooms/test_in_the_browser.py", () => {
    const cases = JSON.parse(readFileSync(new URL("guesses.json", import.meta.url), "utf-8"));
    for (const { question: asked, votes, truth, sums } of cases)
        assert.deepEqual([asked, votes, tally(question(asked), votes, truth)], [asked, votes, sums]);
});

test("who is alone is counted as a class is", () => {
    const options = question({ options: ["a", "b", "c"] });
    const truth = { option: 1, text: "" };
    assert.deepEqual(tally(options, [1, 1, 2], truth), { voted: 3, right: 2, choose: [0, 2, 1] });
    const numbers = tally(millions, [1e6, 1.9e6, 2.1e6, 0.4e6], { value: 1e6, text: "" });
    assert.deepEqual([numbers.voted, numbers.right, numbers.number?.[10], numbers.number?.[11]], [4, 2, 2, 1]);
    const pairs = tally(question({ kind: "pair" }), [[3, 5]], { pair: [3, 5], text: "" });
    assert.deepEqual([pairs.right, ...clicksOf(pairs)], [1, 0, 0, 0, 1, 0, 1]);
});

test("a number is right within a bin's width, a pair in either order", () => {
    const right = [1e6, 1.9e6, 2.1e6, 0.51e6, 0.4e6].map((value) => isRight(millions, value, { value: 1e6, text: "" }));
    assert.deepEqual(right, [true, true, false, true, false]);
    const swapped = { pair: /** @type {[number, number]} */ ([3, 5]), text: "" };
    assert.ok(isRight(question({ kind: "pair" }), [5, 3], swapped));
    assert.ok(!isRight(question({ kind: "pair" }), [3, 4], swapped));
});

/** A map of shares as Python packs it: little-endian u2 of share / most. @param {number[]} shares */
function packed(shares) {
    const most = Math.max(...shares);
    const words = new Uint16Array(shares.map((share) => Math.round((share / most) * 65535)));
    return { map: btoa(String.fromCharCode(...new Uint8Array(words.buffer))), most };
}

test("what was clicked holds the sum of its shares, each patch once", () => {
    const truth = { text: "", patch: 2, ...packed([0.1, 0.05, 0.4, 0.3, 0.15]) };
    const asked = question({ kind: "patch" });
    const clicks = clicksOf({ voted: 4, right: null, patch: btoa("\x02\0\0\x01\x01") });
    assert.deepEqual([...clicks], [2, 0, 0, 1, 1]);
    const { patches, share, best } = caught(clicks, sharesOf(truth));
    assert.equal(patches, 3);
    assert.ok(Math.abs(share - 0.55) < 1e-4);
    assert.ok(Math.abs(best - 0.85) < 1e-4);
    const right = [0, 1, 2, 3, 4].map((patch) => isRight(asked, patch, truth));
    assert.deepEqual(right, [false, false, true, true, false], "0.3 is more than half of 0.4, 0.15 is not");
    assert.deepEqual(caught(new Uint8Array(), sharesOf(truth)), { patches: 0, share: 0, best: 0 });
});

test("circles lie on their patches, and their areas are as their counts", () => {
    const found = circles([0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], meta(), 400, 300);
    assert.deepEqual(
        found.map(({ patch, x, y, radius }) => [patch, x, y, radius]),
        [
            [1, 150, 50, 50],
            [5, 150, 150, 25],
        ],
    );
});

test("numbers are said as in a lecture", () => {
    assert.deepEqual([86_567_656, 1.1e9, 197, 4096, 0.13, 5.7e6].map(number), [
        "86.6 million",
        "1.1 billion",
        "197",
        "4,096",
        "0.130",
        "5.7 million",
    ]);
    assert.deepEqual(ticks(millions), [1e3, 1e4, 1e6, 1e7, 1e9]);
    assert.equal(
        guessed(meta(), question({ kind: "pair" }), [0, 5]),
        "patch 1 (row 1, column 1) and patch 6 (row 2, column 2)",
    );
    assert.equal(guessed(meta(), millions, 4.2e7), "42 million parameters");
});

test("one guess is shown as a sum to whoever has not made it, as on the class's screen", () => {
    const one = [{ voted: 1, right: 1, choose: [0, 1] }];
    assert.equal(ofOthers(one, [null, null]), true);
    assert.equal(ofOthers(one, [1, null]), false);
    assert.equal(ofOthers([{ voted: 0, right: 0, choose: [0, 0] }], [null, null]), false);
    assert.equal(ofOthers([...one, { voted: 2, right: 2, choose: [1, 1] }], [1, 1]), true);
});
