import assert from "node:assert/strict";
import { test } from "node:test";
import { packed } from "#frontend/forward/forward.js";
import { allHeads, causalTrace, occlusion } from "#frontend/forward/jobs.js";
import { planOf } from "#frontend/forward/plan.js";
import { config, numbers, parameters, passes } from "./sizes.js";

/** @import { Passes } from "#frontend/forward/passes.js" */

const { depth, tokens, dim, classes } = config;
const all = passes();

/** @param {string} text @param {Passes} [on] */
const run = (text, on = all) => on.run(planOf(text, config));

/** The residual stream before a layer. @param {import("#frontend/forward/model.js").Pass} pass
 *  @param {number} layer */
const stream = ({ stream }, layer) => packed(stream[layer]);

test("without edits nothing runs, and all is as it was", () => {
    const { lens, from } = run("");
    assert.equal(from, depth + 1);
    assert.deepEqual(stream(all.edited, depth), stream(all.picture.pass, depth));
    assert.equal(lens.length, (depth + 1) * classes);
});

test("every row of attention weights sums to 1", () => {
    for (const words of ["t2=0.3 k3=4 w1=1 p4", "d=0.5@7 p4"]) {
        run(words);
        for (const weights of all.edited.weights.flat().map((it) => packed(it))) {
            for (let q = 0; q < tokens; q++) {
                const row = weights.subarray(q * tokens, (q + 1) * tokens);
                assert.ok(Math.abs(row.reduce((sum, it) => sum + it) - 1) < 1e-6, words);
                assert.equal(row[config.prefix + 3], 0, "nobody looks at the hidden patch");
            }
        }
    }
});

test("dropout takes from the weights on their way to the values, not from those that are shown", () => {
    const weights = (/** @type {string} */ words) => {
        run(words);
        return all.edited.weights[0].map((it) => packed(it));
    };
    const before = passes();
    before.edited.made = [];
    const plan = planOf("d=0.5@7", config);
    const { lens } = before.run({ ...plan, embedding: {} });
    assert.deepEqual(
        before.edited.weights[0].map((it) => packed(it)),
        weights(""),
        "the first block reads what it read",
    );
    assert.notDeepEqual(lens, run("").lens);
});

test("a block that is off is the identity", () => {
    run("b2*0");
    assert.deepEqual(stream(all.edited, 2), stream(all.edited, 1));
    assert.deepEqual(stream(all.edited, 1), stream(all.picture.pass, 1));
});

test("all heads off leave the bias of the output projection, attention off does not", () => {
    run("h2.1-2*0 m2*0");
    const bias = parameters()["blocks.1.attn.proj.bias"].data;
    const [before, after] = [stream(all.edited, 1), stream(all.edited, 2)];
    for (const [at, value] of after.entries()) assert.ok(Math.abs(value - before[at] - bias[at % dim]) < 1e-6);
    run("a2*0 m2*0");
    assert.deepEqual(stream(all.edited, 2), stream(all.edited, 1));
});

test("what all heads add, and the bias, is what attention adds", () => {
    const added = (/** @type {string} */ words) => {
        run(`${words} m2*0`);
        const before = stream(all.edited, 1);
        return stream(all.edited, 2).map((value, at) => value - before[at]);
    };
    const bias = parameters()["blocks.1.attn.proj.bias"].data;
    const [whole, one, other] = ["", "h2.2*0", "h2.1*0"].map(added);
    for (const [at, value] of whole.entries()) {
        assert.ok(Math.abs(one[at] + other[at] - bias[at % dim] - value) < 1e-5);
    }
});

test("all states of the second picture at a layer are its answer exactly", () => {
    for (let layer = 1; layer <= depth; layer++) {
        run(`r${layer}.all`);
        for (let after = layer - 1; after <= depth; after++) {
            assert.deepEqual(stream(all.edited, after), stream(all.second.pass, after));
        }
    }
});

test("nothing is left of a removed patch, and to the others it is the same as a hidden one", () => {
    const removed = run("p5=removed").lens;
    const token = config.prefix + 4;
    const last = stream(all.edited, depth);
    assert.deepEqual([...new Set(last.subarray(token * dim, (token + 1) * dim))], [0]);
    assert.deepEqual(removed, run("p5").lens);
});

const SERIES = [
    "b1*0",
    "b1*0 a3*0",
    "r2.3",
    "r2.3 t3=4",
    "r2.4 t3=4",
    "",
    "p3=removed r1.1",
    "p3=removed r1.1 m3*0",
    "d=0.3",
    "e=off",
];

test("what is run from where it first differs is what is run from the start, whatever came before", () => {
    for (const words of [...SERIES, ...[...SERIES].reverse()]) {
        const fresh = passes();
        fresh.edited.made = [];
        fresh.picture.pass.made = [];
        const wanted = run(words, fresh);
        assert.equal(wanted.from, 0);
        const found = run(words);
        assert.deepEqual(found.lens, wanted.lens, words);
        for (let layer = 0; layer < depth; layer++) {
            assert.deepEqual(stream(all.edited, layer), stream(fresh.edited, layer), words);
            for (const [head, weights] of all.edited.weights[layer].entries()) {
                assert.deepEqual(packed(weights), packed(fresh.edited.weights[layer][head]), words);
            }
        }
    }
});

test("an edit runs from its own layer on", () => {
    run("");
    assert.equal(run("m3*0").from, 3);
    assert.equal(run("r3.2 m3*0").from, 3, "nothing had been put in before");
    assert.equal(run("r3.1 m3*0").from, 3, "the picture as it is has the stream without it");
    run("m1*0 r3.2");
    assert.equal(run("m1*0 r3.1").from, 2, "only the layer before has the stream without it");
    assert.equal(run("p1=grey").from, 0);
});

test("an answer alone is the last row of the lens", () => {
    for (const swapped of [false, true]) {
        const on = passes();
        if (swapped) [on.picture, on.second] = [on.second, on.picture];
        for (const words of [...SERIES, "p2=paste", "i1=2"]) {
            const found = all.answer(planOf(words, config), swapped);
            assert.deepEqual(found, run(words, on).lens.slice(-classes), words);
        }
    }
});

test("another picture forgets what was run with the one before", () => {
    const on = passes();
    run("m3*0", on);
    on.show(on.picture, numbers(9 * config.patch_values, 300));
    const { lens, from } = run("m3*0", on);
    assert.equal(from, 3);
    assert.notDeepEqual(lens, run("m3*0").lens);
    on.show(on.second, numbers(9 * config.patch_values, 400));
    run("r2.all", on);
    assert.deepEqual(stream(on.edited, depth), stream(on.second.pass, depth));
});

test("a map asks for each of its cells once, layer by layer", () => {
    assert.deepEqual(allHeads(config), ["h1.1*0", "h1.2*0", "h2.1*0", "h2.2*0", "h3.1*0", "h3.2*0"]);
    assert.deepEqual(occlusion(config, "=blur").slice(0, 2), ["p1=blur", "p2=blur"]);
    const trace = causalTrace(config);
    assert.deepEqual([trace[0], trace[1], trace[2], trace.at(-1)], ["r1.x1", "r1.x2", "r1.1", "r3.9"]);
    for (const each of [allHeads(config, "=mean"), occlusion(config), trace]) {
        assert.equal(new Set(each).size, each.length);
        assert.deepEqual(planOf(each.join(" "), config).refused, []);
    }
});
