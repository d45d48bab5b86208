// What a token knows: the way of a patch, cosines from few directions, their scale, quantiles of lengths.

import assert from "node:assert/strict";
import { test } from "node:test";
import { aloneOf, thresholdOf } from "#pages/attention/what_a_token_knows/colours.js";
import { Lengths, quantile } from "#pages/attention/what_a_token_knows/lengths.js";
import {
    Cosines,
    endsOf,
    indexOf,
    lightOf,
    means,
    nameOf,
    pairsOf,
    placeOf,
    placeOfRow,
    products,
    rowOf,
    signOf,
    summed,
    wayOf,
} from "#pages/attention/what_a_token_knows/patches.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

const META = { depth: 3, tokens: 5, patches: 4, prefix: ["class"] };

/** A column that holds some numbers. @param {Record<string, Record<string, { shape: number[], data: ArrayLike<number> }>>} parcels */
const columnOf = (parcels) =>
    /** @type {Column} */ (
        /** @type {unknown} */ ({
            meta: META,
            data: { facts: {} },
            array: (/** @type {string} */ parcel, /** @type {string} */ name) => parcels[parcel]?.[name],
        })
    );

const shownOf = (/** @type {object} */ fields) => /** @type {Selection} */ (/** @type {unknown} */ (fields));

test("a state comes by its pixels and its token, a query by layers alone; every place means itself", () => {
    const column = columnOf({});
    const way = wayOf(column, "token");
    assert.deepEqual(way.map(nameOf), ["pixels", "token", "after layer 1", "after layer 2", "after layer 3"]);
    assert.deepEqual(wayOf(column, "q").map(nameOf), ["q, layer 1", "q, layer 2", "q, layer 3"]);
    for (const of of /** @type {const} */ (["state", "pixels", "token", "q", "v"]))
        for (const [at, place] of wayOf(column, of).entries()) {
            const shown = shownOf({ of: "state", layer: 2, ...means(place) });
            assert.equal(indexOf(wayOf(column, of), placeOf(shown)), at);
        }
    assert.deepEqual(means({ of: "pixels", layer: 0 }), { of: "pixels" }); // the layer stays for the way back
});

test("states count from before the first layer, whatever else of a patch is shown", () => {
    const rows = [
        ["pixels", 2, 0],
        ["token", 2, 0],
        ["state", 0, 1],
        ["k", 2, 3],
    ].map(([of, layer, row]) => [rowOf(shownOf({ of, layer })), row]);
    for (const [found, row] of rows) assert.equal(found, row);
    assert.deepEqual([0, 3].map(placeOfRow), [
        { of: "token", layer: 0 },
        { of: "state", layer: 2 },
    ]);
});

test("a cosine is the product of two patches of its own layer, and what is told of a map leaves the patch itself out", () => {
    const of = (/** @type {number} */ angle) => [Math.cos(angle), 2 * Math.sin(angle)];
    const angles = [0, 0.5, 1, 2];
    const data = Float32Array.from([...angles, ...angles.map((it) => 2 * it), ...angles].flatMap(of));
    const steps = { shape: [3, 2], data: Float32Array.of(1, 0.5, 1, 0.5, 1, 0.5) };
    const error = { shape: [3], data: Float32Array.of(0, 0.2, 0) };
    const column = columnOf({ "alike-q": { coordinates: { shape: [3, 4, 2], data }, steps, error } });
    const cosines = new Cosines(column);
    const found = cosines.nearly({ of: "q", layer: 1 }, 1);
    for (const [at, angle] of angles.entries())
        assert.ok(Math.abs((found?.values[at] ?? 9) - Math.cos(2 * (angle - 0.5))) < 1e-6);
    const others = [0, 1, 2].map((at) => Math.cos(2 * (angles[at < 1 ? at : at + 1] - 0.5)));
    assert.ok(Math.abs((found?.mean ?? 9) - others.reduce((a, b) => a + b) / 3) < 1e-6);
    assert.ok(Math.abs((found?.most ?? 9) - Math.max(...others)) < 1e-6);
    assert.equal(cosines.nearly({ of: "q", layer: 1 }, 1), found); // made once
    assert.equal(cosines.nearly({ of: "v", layer: 1 }, 1), null);
    assert.deepEqual(
        [0, 1].map((layer) => signOf(cosines.nearly({ of: "q", layer }, 1) ?? { error: 9 })),
        ["", "≈ "],
    );
    assert.deepEqual([...products([1, 2, 3, 4, 5, 6], 2, [9, 1, 10], 1)], [21, 43, 65]);
});

test("pairs stand once each, and numbers of a place alone count before those of all", () => {
    const pairs = [1, 0.1, 1, 0.2, 0.3, 1, 0.4, 0.5, 0.6, 1]; // of patches 0 to 3
    assert.deepEqual([...pairsOf(pairs, 4, 2, 0)], [...Float32Array.of(0.2, 0.3, 1, 0.6)]);
    assert.deepEqual([...pairsOf([7, ...pairs], 4, 0, 1)], [...Float32Array.of(1, 0.1, 0.2, 0.4)]);
    const error = { shape: [5], data: Float32Array.of(0, 0, 0, 0.1, 0) };
    const rows = {
        shape: [5, 10],
        data: Float32Array.from([0, 1, 2, 3, 4].flatMap((row) => pairs.map((it) => row + it))),
    };
    const alone = { shape: [1, 10], data: Float32Array.from(pairs) };
    const none = { shape: [1], data: Float32Array.of(0) };
    const column = columnOf({ "alike-state": { pairs: rows, error }, "alike-token-0": { pairs: alone, error: none } });
    const cosines = new Cosines(column);
    const found = /** @type {const} */ ([
        { of: "pixels", layer: 0 },
        { of: "token", layer: 0 },
        { of: "state", layer: 1 },
    ]).map((place) => cosines.nearly(place, 3));
    assert.deepEqual(
        found.map((it) => Math.round(it?.values[3] ?? 9)),
        [1, 1, 4],
    );
    assert.deepEqual(
        found.map((it) => signOf(it ?? { error: 9 })),
        ["", "", "≈ "],
    );
});

test("one scale goes from 0 to 1, one's own from its least to the largest of the others; a flat map is light", () => {
    const alike = summed(Float32Array.of(1, 0.25, 0.75, 0.5), 0);
    assert.deepEqual(
        [endsOf("shared", alike), endsOf("own", alike)],
        [
            [0, 1],
            [0.25, 0.75],
        ],
    );
    assert.deepEqual(
        [-1, 0.25, 0.5, 1].map((it) => lightOf(it, [0.25, 0.75])),
        [0, 0, 0.5, 1],
    );
    assert.equal(lightOf(0.3, [0.3, 0.3]), 1);
    assert.ok(Number.isNaN(summed(Float32Array.of(Number.NaN, Number.NaN), 0).mean));
});

test("a threshold asks one component, and none asks nothing", () => {
    assert.equal(thresholdOf(shownOf({ principal: "all", threshold: "20" })), null);
    assert.equal(thresholdOf(shownOf({ principal: "2", threshold: "none" })), null);
    assert.equal(thresholdOf(shownOf({ principal: "2", threshold: "-35" })), -0.35);
    assert.deepEqual(
        ["all", "1", "3"].map((principal) => aloneOf(shownOf({ principal }))),
        [-1, 0, 2],
    );
});

test("ordinary patches are all but outliers and tokens without a place", () => {
    const data = Float32Array.of(90, 1, 3, 2, 50, 0, 0, 0, 0, 0);
    const lengths = new Lengths(
        columnOf({
            lengths: { before: { shape: [2, 5], data }, outliers: { shape: [1], data: Int32Array.of(4) } },
        }),
    );
    assert.deepEqual([...(lengths.sorted("before", 0) ?? [])], [1, 2, 3]);
    assert.deepEqual(
        [0, 0.5, 0.75, 1].map((share) => quantile(Float32Array.of(1, 2, 3), share)),
        [1, 2, 2.5, 3],
    );
});
