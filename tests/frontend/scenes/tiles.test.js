import assert from "node:assert/strict";
import { test } from "node:test";

import { equalRows } from "#frontend/draw/tiles.js";

const UNDER = 24;

test("tiles stand in rows as equal as can be, and as large as these fit", () => {
    for (const [width, height, least] of [
        [860, 170, 6],
        [860, 240, 6],
        [1200, 300, 6],
        [358, 330, 3],
    ])
        for (const many of [1, 2, 6, 12, 24, 48]) {
            const { across, cell } = equalRows(many, width, height, least, UNDER);
            const rows = Math.ceil(many / across);
            assert.equal(across, Math.ceil(many / rows), `${many} tiles, ${across} in a row`);
            assert.ok(cell > 0 && across * cell <= width + 1e-9, `${across} of ${cell} pixels`);
            assert.ok(rows * (cell + UNDER) <= height + 1e-9, `${rows} rows of ${cell} pixels`);
        }
    assert.deepEqual(equalRows(6, 860, 1000, 6, UNDER), { across: 6, cell: 860 / 6 });
});
