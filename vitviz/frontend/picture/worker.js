// What runs in the worker: pictures that were opened, and what models read of them, so that the page goes on meanwhile.

import { open } from "./decode.js";
import { box, crop, patches } from "./preprocess.js";

/** @import { Picture } from "./resize.js" */
/** @import { Crop, Rule } from "./preprocess.js" */

const QUALITY = 0.9; // of the copy for the eye

/** @type {Map<number, Picture>} */
const pictures = new Map();

/** @type {Record<string, (asked: any) => unknown>} */
const ANSWERS = { open: opened, read, whole, close };
let queue = Promise.resolve();

self.onmessage = ({ data }) => {
    queue = queue.then(() => tell(data.id, ANSWERS[data.ask], data)); // of two large pictures one at a time
};

/** @param {number} id @param {(asked: any) => unknown} answer @param {unknown} asked */
async function tell(id, answer, asked) {
    try {
        postMessage({ id, done: await answer(asked) });
    } catch (error) {
        postMessage({ id, error: String(error instanceof Error ? error.message : error) });
    }
}

/** @param {{ number: number, file: Blob }} asked */
async function opened({ number, file }) {
    const { picture, ...said } = await open(file);
    pictures.set(number, picture);
    return { size: [picture.width, picture.height], ...said };
}

/** @param {{ number: number, rule: Rule, patch: number[], chosen: Crop | null }} asked */
function read({ number, rule, patch, chosen }) {
    const picture = /** @type {Picture} */ (pictures.get(number));
    return { patches: patches(crop(picture, rule, chosen), rule, patch), seen: box(picture, rule, chosen) };
}

/** @param {{ number: number }} asked */
async function whole({ number }) {
    const { width, height, data } = /** @type {Picture} */ (pictures.get(number));
    const canvas = new OffscreenCanvas(width, height);
    const shown = new ImageData(width, height);
    for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
        shown.data.set(data.subarray(from, from + 3), to);
        shown.data[to + 3] = 255;
    }
    /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(shown, 0, 0);
    const file = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    return new Uint8Array(await file.arrayBuffer());
}

/** @param {{ number: number }} asked */
function close({ number }) {
    pictures.delete(number);
}
