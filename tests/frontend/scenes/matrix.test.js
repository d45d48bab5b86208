import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, ticks, tokenAt, WHOLE, zoomed } from "#pages/attention/heads/matrix.js";

const near = (/** @type {number} */ a, /** @type {number} */ b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, not ${b}`);

for (const tokens of [145, 577]) {
    test(`what is under the hand stays there: ${tokens} tokens`, () => {
        let part = WHOLE;
        const [x, y] = [0.31, 0.77];
        const [column, row] = [tokenAt(part.left, part.side, x, tokens), tokenAt(part.top, part.side, y, tokens)];
        for (const times of [1.2, 3, 1 / 1.5, 4]) {
            part = zoomed(part, times, x, y, tokens);
            near(part.left + x * part.side, x);
            near(part.top + y * part.side, y);
            assert.equal(tokenAt(part.left, part.side, x, tokens), column);
            assert.equal(tokenAt(part.top, part.side, y, tokens), row);
        }
        assert.deepEqual(zoomed(part, 1e-9, x, y, tokens), WHOLE);
    });

    test(`no part is smaller than six tokens, or leaves the square: ${tokens} tokens`, () => {
        let part = zoomed(WHOLE, 1e9, 1, 0, tokens);
        near(part.side * tokens, 6);
        near(part.left + part.side, 1);
        assert.equal(part.top, 0);
        part = moved(part, -5, 0.5);
        near(part.left + part.side, 1);
        assert.equal(part.top, 0);
        part = moved(part, 1, -1);
        near(part.left, 1 - (2 * 6) / tokens);
        near(part.top, 6 / tokens);
        assert.deepEqual(moved(WHOLE, 0.4, -0.4), WHOLE);
        assert.equal(tokenAt(0, 1, 1, tokens), tokens - 1);
    });

    test(`names along a side thin out, and stand in the middle of their tokens: ${tokens} tokens`, () => {
        const meta = { tokens, prefix: ["class"] };
        const named = (/** @type {number} */ from, /** @type {number} */ side, /** @type {number[]} */ first = []) =>
            ticks({ from, side }, meta, 480, 40, first);
        const all = named(0, 1);
        assert.equal(all[0].token, 0);
        const steps = new Set(all.slice(2).map(({ token }, at) => token - all[at + 1].token));
        assert.deepEqual([...steps], [tokens === 145 ? 20 : 50]);
        for (const part of [all, named(0.4, 10 / tokens), named(0, 1, [77, 78])])
            for (const [place, one] of part.entries())
                for (const other of part.slice(place + 1)) assert.ok(Math.abs(one.at - other.at) >= 40);
        assert.ok(named(0, 1, [77]).some(({ token }) => token === 77));
        const close = named(0.4, 10 / tokens);
        assert.ok(close.length >= 9);
        for (const { token, at } of close) assert.equal(tokenAt(0.4, 10 / tokens, at / 480, tokens), token);
    });
}

test("tokens that stand before the patches are not counted with them", () => {
    const meta = { tokens: 25, prefix: ["class", "register 1"] };
    assert.deepEqual(
        ticks({ from: 0, side: 1 }, meta, 250, 24, []).map(({ token }) => token),
        [0, 6, 11, 16, 21],
    );
});
