import assert from "node:assert/strict";
import { test } from "node:test";

import { shuffled } from "#frontend/forward/chance.js";
import { planOf } from "#frontend/forward/plan.js";
import { config } from "./sizes.js";

const [FIRST, SECOND, THIRD] = [0, 1, 2];

/** @param {string} text */
const layers = (text) => planOf(text, config).layers;

/** @param {string} text */
const embedding = (text) => planOf(text, config).embedding;

test("a word says where, counted from 1, and what", () => {
    assert.deepEqual(layers("h3.1*0 a1=mean m2*0.5 b3*0 r2.x1 r2.9"), [
        { attention: "mean" },
        { mlp: 0.5, donor: [0, 10] },
        { heads: [[0, 0]], block: 0 },
    ]);
    assert.deepEqual(layers("h1.1-2=mean.all")[FIRST], {
        heads: [
            [0, "mean.all"],
            [1, "mean.all"],
        ],
    });
    assert.equal(layers("r1.all")[FIRST].donor?.length, config.tokens);
});

test("of two words about one place the later counts, and a layer's own before that of all", () => {
    assert.deepEqual(layers("h1.1*0 h1.1-2*0.5")[FIRST].heads, [
        [0, 0.5],
        [1, 0.5],
    ]);
    assert.deepEqual(layers("t2=1 t=4"), [{ temperature: 4 }, {}, { temperature: 4 }]);
    assert.deepEqual(layers("c c2=full"), [{ causal: "causal" }, {}, { causal: "causal" }]);
    assert.deepEqual(layers("k=4 k=7 s=dh s3=sqrt w=0"), [
        { scale: "dh", top: 7, window: 0 },
        { scale: "dh", top: 7, window: 0 },
        { top: 7, window: 0 },
    ]);
});

test("what leaves things as they are is nothing", () => {
    const neutral = "h1.1*1 a1*1 m1*1 b1*1 t=1 t1=1 s=sqrt k=11 w=2 c=full i3=3 e3=3 d=0";
    assert.deepEqual(planOf(neutral, config), { embedding: {}, layers: [{}, {}, {}], refused: [] });
});

test("a number is cut off after three digits and moved to where numbers may be", () => {
    assert.equal(layers("a1*0.5709")[FIRST].attention, 0.57);
    assert.equal(layers("a1*7")[FIRST].attention, 2);
    assert.equal(layers("t2=0")[SECOND].temperature, 0.01);
    assert.deepEqual(layers("h3.2-40*0")[THIRD].heads, [[1, 0]]);
});

test("hidden patches are tokens behind the prefix, and what is painted is none of them", () => {
    const { embedding, layers } = planOf("p2-3 p5=removed p1=grey p9=paste p3=blur", config);
    assert.deepEqual(embedding, {
        painted: [
            [0, "grey"],
            [2, "blur"],
            [8, "paste"],
        ],
    });
    for (const layer of layers) assert.deepEqual(layer, { hidden: [3, 6], removed: [6] });
});

test("patches change places: all of them first, then pairs", () => {
    const order = shuffled(9, 5);
    [order[1], order[6]] = [order[6], order[1]];
    assert.deepEqual(embedding("i7=2 i=shuffled@5").pixels, order);
    assert.deepEqual(embedding("e=off e1=2").positions, "off");
    assert.deepEqual(embedding("e1=2 e2=3").positions, [1, 2, 0, 3, 4, 5, 6, 7, 8]);
});

test("positions are moved patch by patch, whatever changes places", () => {
    assert.deepEqual(embedding("o2-3=0.5 o5=2 o5=0").shifts, [
        [1, 0.5],
        [2, 0.5],
    ]);
    assert.deepEqual(embedding("o1=40 e1=2"), { shifts: [[0, 32]], positions: [1, 0, 2, 3, 4, 5, 6, 7, 8] });
});

test("dropout counts its sites", () => {
    const dropout = { rate: 0.25, seed: 9 };
    assert.deepEqual(embedding("d=0.25@9"), { dropout: { ...dropout, site: 0 } });
    assert.deepEqual(
        layers("d=0.25@9").map((layer) => layer.dropout),
        [1, 5, 9].map((site) => ({ ...dropout, site })),
    );
});

test("drop path takes branches with a share that grows with the layers", () => {
    const paths = Array.from({ length: 400 }, (_, seed) => layers(`l=0.5@${seed}`).map((layer) => layer.paths));
    const taken = [FIRST, SECOND, THIRD].map((at) => paths.filter((of) => of[at]?.[0] === 0).length / 400);
    assert.equal(taken[FIRST], 0);
    assert.ok(Math.abs(taken[SECOND] - 0.25) < 0.07 && Math.abs(taken[THIRD] - 0.5) < 0.07, `${taken}`);
    assert.ok(paths.some((of) => of[THIRD]?.includes(2)));
});

test("what this model cannot have is told, and the rest is read", () => {
    const wrong = [
        "h4.1*0",
        "h1.3*0",
        "h1*0",
        "a1",
        "a1=0.5",
        "b1=mean",
        "t1*2",
        "s=dv",
        "k1=1.5x",
        "p10",
        "p3-2",
        "x9",
    ];
    const { layers, refused } = planOf([...wrong, "r1.x3", "i1", "i1=off", "e=grey", "m3*0"].join(" "), config);
    assert.deepEqual(refused, [...wrong, "r1.x3", "i1", "i1=off", "e=grey"]);
    assert.deepEqual(layers, [{}, {}, { mlp: 0 }]);
});
