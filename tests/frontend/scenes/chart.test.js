import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleOf } from "../../../vitviz/ui/widgets/live/frontend/chart/scale.js";

test("half of a number at the right edge has room beside the chart", () => {
    const down = { low: 0, high: 1, title: "", ticks: [], log: false };
    for (const text of ["5", "1,200", "1,000,000"]) {
        const across = {
            low: 0,
            high: 1,
            title: "",
            ticks: /** @type {[number, string][]} */ ([[1, text]]),
            log: false,
        };
        const { right, x } = scaleOf({ across, down, left: 0, height: 300 }, 600);
        assert.equal(x(1), right);
        assert.ok(600 - right >= 4.5 * text.length, `${600 - right} pixels for half of ${text}`);
    }
});
