// How far a vector is from the unedited one.

import assert from "node:assert/strict";
import test from "node:test";
import { moved } from "../../../vitviz/ui/board/frontend/scenes/intervene/compared/moved.js";

test("a vector that stays is at cosine 1, a turned one at 0, and lengths are those of the unedited", () => {
    assert.deepEqual(moved([9, 3, 4], [7, 3, 4], 1, 2), { cosine: 1, length: 0 });
    assert.deepEqual(moved([3, 4], [-4, 3], 0, 2), { cosine: 0, length: Math.SQRT2 });
    assert.deepEqual(moved([3, 4], [6, 8], 0, 2), { cosine: 1, length: 1 });
});
