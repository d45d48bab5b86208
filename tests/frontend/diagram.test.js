// The diagram of the board's data names scripts and what is in them, as tests/unit/project/test_diagram.py holds of the rest.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, SCRIPTS } from "./parsed.js";

const ROW = /^\| \w+ \| [^|]+ \| `([^`|]+\.js)` \| ([^|]+) \|$/gm;

test("what the diagram names in scripts is there", () => {
    const rows = [...readFileSync(join(ROOT, "docs/board.md"), "utf-8").matchAll(ROW)];
    assert.ok(rows.length > 10);
    for (const [, path, names] of rows) {
        const declares = SCRIPTS.get(path)?.declares;
        for (const [, name] of names.matchAll(/`(\w+)`/g)) assert.ok(declares?.has(name), `${path} has no ${name}`);
    }
});
