import assert from "node:assert/strict";
import { test } from "node:test";
import { canRise, OUTCOMES, outcome, RULE } from "#frontend/editing/outcome.js";
import { whatHappened } from "#frontend/editing/words.js";
import { read } from "#frontend/edits/edits.js";
import { coveredBy, reached, saysMean, saysOff } from "#frontend/edits/effects.js";
import { allInWords } from "#frontend/edits/words.js";
import { worthABar } from "#pages/laboratory/intervene/bars.js";
import { EXPERIMENTS, lacking, verdict } from "#pages/laboratory/intervene/panels/experiments.js";
import { meta as small } from "../page.js";

/** @import { Lens } from "#frontend/state/lens.js" */

const meta = { ...small("one", 6), heads: 4, patches: 144, rows: 12, columns: 12, tokens: 145, prefix: ["class"] };

/** A run that gives these probabilities to the classes. @param {number[]} probabilities */
const lens = (probabilities) =>
    /** @type {Lens} */ (
        /** @type {unknown} */ ({
            probabilities: () => probabilities,
            label: (/** @type {number} */ at) => ["cat", "mushroom"][at],
        })
    );

test("what counts is how far the probability moves, in the digits on screen", () => {
    for (const [before, after, came] of /** @type {[number, number, string][]} */ ([
        [0.948, 0.93, "same"],
        [0.9484, 0.8486, "same"],
        [0.9484, 0.8476, "less"],
        [0.948, 0.6, "less"],
        [0.6, 0.699, "same"],
        [0.6, 0.7, "surer"],
        [0.948, 0.084, "other"],
    ])) {
        assert.equal(outcome([before, 1 - before], [after, 1 - after]), came, `${before} → ${after}`);
    }
    assert.deepEqual([0.9, 0.901].map(canRise), [true, false]);
    assert.match(RULE, /less than 0\.1\.$/);
});

test("every experiment has a sentence of its own for each of its outcomes, and does something", () => {
    const said = EXPERIMENTS.flatMap(({ means }) => OUTCOMES.map(([name]) => means[name]));
    assert.equal(new Set(said).size, 4 * EXPERIMENTS.length);
    for (const { edits } of EXPERIMENTS) assert.ok(read(edits(meta), meta).length);
});

test("each experiment says of the model's own answers what they are", () => {
    // Of the demo model's samples: what its first answer has before and after, and what another class has after.
    const came = /** @type {[number, number, number, number, string][]} */ ([
        [0, 0.948, 0.936, 0.01, "the same, about as sure. The other heads"],
        [1, 0.948, 0.832, 0.05, "the same, less sure. It still comes first; what it lost came through the attention"],
        [1, 0.796, 0.168, 0.15, "the same, less sure. It still comes first; what it lost came through the attention"],
        [1, 0.949, 0.124, 0.232, "another answer. What the answer needs"],
        [2, 0.95, 0.244, 0.2, "the same, less sure. It still comes first; what it lost came through the MLPs."],
        [2, 0.948, 0.003, 0.277, "another answer. Attention moves"],
        [3, 0.948, 0.084, 0.81, "another answer. Here every fifth patch is not enough."],
        [3, 0.972, 0.586, 0.1, "the same, less sure. It still comes first; what it lost came from the other patches."],
        [3, 0.97, 0.872, 0.05, "the same, about as sure. Here every fifth patch is enough."],
        [4, 0.949, 0.019, 0.894, "another answer. Without positions"],
        [4, 0.953, 0.858, 0.08, "the same, about as sure. Nothing says where a patch was"],
        [5, 0.97, 0.939, 0.01, "the same, about as sure. The largest weight"],
    ]);
    for (const [at, before, after, other, says] of came) {
        const said = verdict(at, "surer", [before, 1 - before], [after, other]);
        assert.ok(said.startsWith(`Not so: ${says}`), said);
    }
    for (const { means } of EXPERIMENTS) assert.match(means.less, /^It still comes first; what it lost/);
});

test("maps are said to be made before a change that comes later", () => {
    const first = (/** @type {string} */ text) => reached(read(text, meta));
    assert.deepEqual(["h3.1*0", "a3*0", "m3*0 b5*0", "t3=2", "k=1", "p4", "r2.x1"].map(first), [3, 3, 3, 2, 0, 0, 1]);
});

test("hidden patches are one change, and what is done alike is said once", () => {
    const words = (/** @type {string} */ text) => allInWords(read(text, meta), meta);
    assert.equal(words(EXPERIMENTS[3].edits(meta)), "115 patches hidden: masked as keys");
    assert.equal(words(EXPERIMENTS[1].edits(meta)), "Attention of 3 layers off");
    assert.equal(words(EXPERIMENTS[2].edits(meta)), "MLPs of 6 layers off");
    assert.equal(words("h3.1*0 h4.2-3*0"), "3 heads off");
    assert.equal(words("b3*0 b4*0"), "2 layers off");
    assert.equal(words("p2-5 p7 p9=grey h3.1*0"), "3 changes");
    assert.equal(words("h3.1*0"), "Head 1 of layer 3 off");
});

test("a switch in what is off already has no effect, and that is said", () => {
    const covered = (/** @type {string} */ text, /** @type {string} */ letter, layer = 2) =>
        coveredBy(read(text, meta), { letter, layer });
    assert.equal(covered("b3*0", "h"), "the block of layer 3 is off already");
    assert.equal(covered("b3*0", "m"), "the block of layer 3 is off already");
    assert.equal(covered("a3*0", "h"), "the attention of layer 3 is off already");
    assert.equal(covered("a3=mean", "t"), "the attention of layer 3 is at its mean already");
    for (const [text, letter, layer] of /** @type {[string, string, number][]} */ ([
        ["a3*0", "m", 2],
        ["b3*0", "b", 2],
        ["b3*0", "h", 3],
        ["b3*0.5", "h", 2],
        ["b3*0", "t", -1],
    ]))
        assert.equal(covered(text, letter, layer), "", `${text} ${letter}${layer}`);
    const both = [0.9, 0.1];
    const said = whatHappened(read("h3.1*0 b3*0", meta), meta, lens(both), lens(both));
    assert.ok(said.endsWith("Head 1 of layer 3 off: no effect, the block of layer 3 is off already."), said);
});

test("the answer of now stands first", () => {
    assert.deepEqual(worthABar([0.7, 0.2, 0.06, 0.04], [0.1, 0.5, 0.1, 0.3], 3), [1, 3, 0]);
});

test("a head that adds nothing is said to be off, with what is off", () => {
    const off = (/** @type {string} */ text, head = 0) => saysOff(read(text, meta), meta, 2, head);
    assert.equal(off("h3.1*0"), " · adds nothing: it is off");
    assert.equal(off("a3*0"), " · adds nothing: the attention of layer 3 is off");
    assert.equal(off("h3.1*0 b3*0"), " · adds nothing: layer 3 is off");
    assert.equal(off("h3.1-4*0", meta.heads), " · adds nothing: its heads are off", "the mean of the heads");
    assert.equal(off("h3.1-3*0", meta.heads), "", "one of them is on");
    for (const text of ["", "h3.2*0", "h2.1*0", "h3.1*0.5", "m3*0", "b2*0"]) assert.equal(off(text), "", text);
});

test("a mean of heads says how many that are off it holds, and that it adds nothing where all are", () => {
    const said = (/** @type {string} */ text) => saysMean(read(text, meta), meta, 2);
    assert.equal(said("h3.1-3*0"), " · 3 off included");
    assert.equal(said("h3.1-4*0"), " · adds nothing: its heads are off");
    for (const text of ["", "h2.1-3*0", "h3.1*0.5"]) assert.equal(said(text), "", text);
});

test("a model without positions is not asked what they are for", () => {
    const asked = (/** @type {string} */ positions) => EXPERIMENTS.map((_, at) => lacking(at, { positions }));
    assert.deepEqual(asked("learned").filter(Boolean), []);
    assert.deepEqual(asked("none"), ["", "", "", "", "Not here: this model has none.", ""]);
});
