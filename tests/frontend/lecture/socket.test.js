import assert from "node:assert/strict";
import { test } from "node:test";

import { timers } from "../page.js";

const { pauseAfter, Throttle } = await import("#frontend/lecture/socket.js");

test("of what is given too quickly the newest goes out, and nothing twice", () => {
    /** @type {number[]} */
    const sent = [];
    /** @type {InstanceType<typeof Throttle<number>>} */
    const throttle = new Throttle(100, (it) => sent.push(it));
    for (const it of [1, 2, 3]) throttle.give(it);
    assert.deepEqual(sent, [1]);
    timers.pass(100);
    assert.deepEqual(sent, [1, 3]);
    timers.pass(500);
    assert.deepEqual(sent, [1, 3]);
    for (let ms = 0; ms < 1000; ms += 10) {
        throttle.give(ms);
        timers.pass(10);
    }
    assert.ok(sent.length <= 2 + 11, `${sent.length - 2} in a second`);
});

test("a line that broke is opened anew within a second, and a hall not all at once", () => {
    const pauses = [0, 1, 2, 3, 10].flatMap((tries) => [pauseAfter(tries, 0), pauseAfter(tries, 1)]);
    assert.deepEqual(pauses, [100, 200, 200, 400, 400, 800, 500, 1000, 500, 1000]);
});
