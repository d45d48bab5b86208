// Why this answer: the sum from its parts, names of what is asked for, the point of a trial, maps without a message.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingIn } from "#frontend/draw/vectors.js";
import { progressOf } from "#pages/model/why_this_answer/begun.js";
import { atPatch, rowsOf } from "#pages/model/why_this_answer/maps.js";
import { askedOf, inWords, latest, pointOf, randomOf, sumOf } from "#pages/model/why_this_answer/reasons.js";
import { readTrial } from "#pages/model/why_this_answer/trial.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

const META = { depth: 2, heads: 2, tokens: 3, patches: 2, prefix: ["class"], classes: 4 };
const FACTS = {
    maps: {
        sum: "exact sum",
        attention: "attention, last layer",
        rollout: "attention rollout",
        gradient_attention: "gradient × attention",
        gradient_input: "gradient × input",
        occlusion: "occlusion",
        chance: "chance",
    },
    depends: ["sum"],
    signed: ["sum"],
    parts: ["as it is", "head", "block 2"],
    prices: {},
    counts: [0, 1, 2],
};

class Parcels {
    /** @param {object} held */
    constructor(held) {
        this.held = new Map(Object.entries(held));
    }

    /** @param {string} name */
    get(name) {
        return this.held.get(name);
    }
}

/** A column that holds some numbers. @param {Record<string, Record<string, { shape: number[], data: ArrayLike<number> }>>} held
 *  @param {object} [meta] */
const columnOf = (held, meta = {}) =>
    /** @type {Column} */ (
        /** @type {unknown} */ ({
            meta: { ...META, ...meta },
            data: { facts: FACTS },
            label: (/** @type {number} */ at) => `class ${at}`,
            parcels: new Parcels(held),
            array: (/** @type {string} */ parcel, /** @type {string} */ name) => held[parcel]?.[name],
        })
    );

/** @param {object} fields */
const shownOf = (fields) =>
    /** @type {Selection} */ (
        /** @type {unknown} */ ({ answer: -1, against: -1, component: 0, map: "sum", ...fields })
    );

const of = (/** @type {number[]} */ ...data) => ({ shape: [data.length], data: Float32Array.from(data) });

test("all parts of a sum add up to its logit, and what came of a token through a head to what came through all", () => {
    const heads = [...Array(12).keys()].map((at) => at / 4 - 1);
    const [embedding, mlps, biases, constant, pooling] = [[0.5, 0, 0], [1, -2], [0.25, 0.5], [3], [0.125]];
    const logit = [heads, embedding, mlps, biases, constant, pooling].flat().reduce((a, b) => a + b, 0);
    const column = columnOf({
        "sum--1--1": {
            heads: of(...heads),
            embedding: of(...embedding),
            mlps: of(...mlps),
            biases: of(...biases),
            constant: of(...constant),
            pooling: of(...pooling),
            logit: of(logit),
            classes: of(2, -1),
        },
    });
    const sum = sumOf(column, shownOf({}));
    assert.ok(sum);
    const parts = [sum.embedding, ...sum.attention, ...sum.mlps, sum.constants, sum.pooling];
    assert.equal(
        parts.reduce((a, b) => a + b, 0),
        sum.logit,
    );
    assert.equal(sum.says, "class 2");
    const tokens = (/** @type {object} */ fields) => [...sum.tokens(shownOf(fields))];
    assert.deepEqual(tokens({ opened: "head", layer: 1, head: 1 }), heads.slice(9));
    const layer = [0, 1].map((head) => tokens({ opened: "head", layer: 1, head }));
    assert.deepEqual(
        tokens({ opened: "layer", layer: 1 }),
        layer[0].map((value, at) => value + layer[1][at]),
    );
    const [first, second] = [0, 1].map((layer) => tokens({ opened: "layer", layer }));
    assert.deepEqual(
        tokens({ opened: "all" }),
        first.map((value, at) => value + second[at] + embedding[at]),
    );
    assert.equal(sumOf(column, shownOf({ answer: 1 })), null);
});

test("numbers are asked for by what is chosen, of a model without classes by its component", () => {
    const column = columnOf({});
    assert.equal(askedOf(column, shownOf({})), "-1--1");
    assert.equal(askedOf(column, shownOf({ answer: 3, against: 1 })), "3-1");
    assert.equal(askedOf(columnOf({}, { classes: 0 }), shownOf({ answer: 3, component: 5 })), "5--1");
    assert.deepEqual(
        rowsOf(column, shownOf({ against: 1 })).map(({ ends, says }) => [says, ends]),
        [
            ["A", "-1--1"],
            ["B", "1--1"],
            ["A − B", "-1-1"],
        ],
    );
    assert.equal(rowsOf(column, shownOf({})).length, 1);
    const same = columnOf({ "maps--1-1": { classes: { shape: [2], data: [1, -1] } } });
    assert.equal(rowsOf(same, shownOf({ against: 1 })).length, 1, "B is the answered class");
    assert.equal(inWords(column, [2, 0]), "class 2 − class 0");
    assert.equal(inWords(columnOf({}, { classes: 0 }), [4, -1]), "component 5");
});

test("a map that says nothing is told from one that does", () => {
    assert.equal(nothingIn([1, Number.NaN]), "not a number: NaN");
    assert.equal(nothingIn([0.25, 0.25]), "the same for every patch");
    assert.equal(nothingIn([0, 1e-3]), "");
    assert.equal(nothingIn([0.25]), ""); // a single patch has nobody to differ from
    assert.equal(atPatch(columnOf({}), shownOf({ query: 2 }), [0.5, -0.25]), " · {chosen} patch 2: −0.250");
    assert.equal(atPatch(columnOf({}), shownOf({ query: 0 }), [0.5, -0.25]), "");
});

test("a trial is at the last point that is not beyond the chosen number of patches", () => {
    const counts = Int32Array.of(0, 1, 2, 5, 9);
    for (const [removed, at] of [
        [0, 0],
        [1, 1],
        [4, 2],
        [5, 3],
        [600, 4],
    ])
        assert.equal(pointOf(counts, shownOf({ removed })), at);
});

test("maps of random models are told apart in the order in which they come", () => {
    const maps = (/** @type {number} */ from) => ({
        shape: [3, 2],
        data: Float32Array.from({ length: 6 }, (_, at) => from + at),
    });
    const alike = { shape: [2, 3], data: Float32Array.of(1, 0.5, 0.25, 1, 0, -0.5) };
    const column = columnOf({ "randomised--1": { classes: of(2, -1), rollout: maps(0), sum: maps(10), alike } });
    const random = randomOf(column, shownOf({ randomised: 9 }));
    assert.ok(random);
    assert.deepEqual([random.steps, random.at, random.part(2)], [3, 2, "block 2"]);
    assert.deepEqual([...random.map("sum", 1)], [12, 13]);
    assert.deepEqual([...random.alike("sum")], [1, 0, -0.5]);
    assert.deepEqual([...random.alike("rollout")], [1, 0.5, 0.25]);
});

test("of what is being made the part that came last counts, until all of it is here", () => {
    const [first, second, whole] = [1, 2, 3].map((value) => ({ kept: of(value) }));
    const parts = { "trial-sum--1-grey part 2": first, "trial-sum--1-grey part 10": second };
    assert.equal(latest(columnOf(parts), "trial-sum--1-grey"), second);
    assert.equal(latest(columnOf(parts), "trial-sum--1-blur"), undefined);
    assert.equal(latest(columnOf({ ...parts, "trial-sum--1-grey": whole }), "trial-sum--1-grey"), whole);
});

test("how far a trial is, and of a map that tells no patch from another in which order they go", () => {
    const trial = (/** @type {number[]} */ kept, /** @type {number[]} */ order) => ({
        removed: of(1, 0.5, 0),
        kept: of(...kept),
        order: of(...order),
        classes: of(2, -1),
    });
    const chosen = { moment: "trial", fill: "grey", removed: 1, query: 2, sees: "removed", begun: "nothing" };
    const held = {
        "trial-sum--1-grey": trial([0, 0.5, 1], [0, 1]),
        "trial-rollout--1-grey part 1": trial([Number.NaN, Number.NaN, 1], [1, 0]),
    };
    const column = columnOf(held);
    const [told, all] = progressOf(column, shownOf(chosen));
    assert.deepEqual([told, all], [6 + 4, 7 * 2 * 3]);
    assert.equal(
        readTrial(column, shownOf(chosen)),
        "exact sum tells no patch from another, so they go as they stand: class 2 0.500",
    );
    assert.equal(
        readTrial(column, shownOf({ ...chosen, map: "rollout", sees: "kept" })),
        "attention rollout: 1 of 2 patches are there · class 2 is on its way · {chosen} patch 2 is number 1 of its order",
    );
    assert.equal(readTrial(column, shownOf({ ...chosen, map: "chance" })), "chance: waits its turn.");
});
