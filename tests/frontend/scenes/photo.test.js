import assert from "node:assert/strict";
import { test } from "node:test";

import { meta, newBoard, said } from "../page.js";

const { Photo } = await import("#frontend/frame/photo.js");

test("Of two pictures that are opened the later one stands, whichever is read first", async () => {
    /** @type {((bitmap: unknown) => void)[]} */
    const opened = [];
    Object.assign(globalThis, { createImageBitmap: () => new Promise((done) => opened.push(done)) });
    const { first, python } = newBoard();
    const canvas = /** @type {HTMLCanvasElement} */ (/** @type {unknown} */ ({ addEventListener() {} }));
    const photo = new Photo(canvas, first);
    for (const digest of ["one", "two"]) {
        python.open(said("", meta(digest)));
        const arrays = { picture: { shape: [1], data: Uint8Array.of(0) } };
        first.receive({ digest, name: "opening", arrays });
        photo.bring();
        assert.equal(photo.stands, "");
    }
    opened[1]("second");
    opened[0]("first");
    await new Promise(setImmediate);
    assert.equal(photo.picture, "second");
    assert.equal(photo.stands, "two opening");
});
