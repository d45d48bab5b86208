// A file that somebody chose as the picture that Python makes of it: upright, on white, no larger than a screen shows. The
// decoder is the browser's; what comes before and after it is done as vitviz/images/opening.py does it.

import { LIMITS, NOTES } from "../schema/pictures.js";
import { checkLength, checkSize, container, filled, PictureError, readContainer, refusal } from "./container.js";
import { reduce, resize } from "./resize.js";

/** @import { Container } from "./container.js" */
/** @import { Picture } from "./resize.js" */

/** @typedef {{ picture: Picture, notes: string[], transparent: boolean }} Opened */

const STRIP_PIXELS = 2 ** 20; // taken from the bitmap at once, so that there is no second copy of a huge picture
const PATIENCE = 20; // seconds for a decoder that may never come back
const LARGEST_DRAFT = 8; // times that Python's decoder of JPEG makes a picture smaller on its way

/** The first picture of a file: RGB, upright, with sentences worth telling. Throws `PictureError`, whatever the bytes are.
 *  A format that the app does not read is one here where the browser knows it.
 *  @param {Blob} file @returns {Promise<Opened>} */
export async function open(file) {
    checkLength(file.size);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = await containerOf(file, bytes);
    const { format, frames, width, height, orientation, whole, colours, deep } = found;
    if (!whole) throw refusal("damaged", { format });
    const drawing = new Blob([joined(found.drawing)], { type: `image/${format.toLowerCase()}` });
    const bitmap = await decoded(drawing, refusal("damaged", { format }));
    if (bitmap.width !== width || bitmap.height !== height) throw refusal("damaged", { format });
    try {
        const { picture, transparent } = await small(bitmap, format === "JPEG");
        const notes = [
            ...(frames > 1 ? [filled(NOTES.frames, { frames: frames.toLocaleString("en-GB") })] : []),
            ...(colours === 4 ? [NOTES.printing] : []),
            ...(deep ? [NOTES.deep] : []),
            ...(transparent ? [NOTES.transparent] : []),
        ];
        return { picture: upright(picture, orientation), notes, transparent };
    } catch (error) {
        throw error instanceof RangeError ? refusal("memory") : error;
    } finally {
        bitmap.close();
    }
}

/** Bytes as one piece: of several some browsers look at the first alone to see what they are. @param {Uint8Array[]} parts */
function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

/** What the file says; of a format that the app does not read what the browser says, or why not.
 *  @param {Blob} file @param {Uint8Array} bytes @returns {Promise<Container>} */
async function containerOf(file, bytes) {
    try {
        return readContainer(bytes);
    } catch (error) {
        if (!(error instanceof PictureError && error.other)) throw error;
        const bitmap = await decoded(file, error);
        const found = {
            ...container({ format: "", kind: "pictures" }),
            width: bitmap.width,
            height: bitmap.height,
            drawing: [bytes],
        };
        bitmap.close();
        checkSize(found);
        return found;
    }
}

/** What the browser makes of a file, as it is stored. @param {Blob} file @param {PictureError} otherwise
 *  @returns {Promise<ImageBitmap>} */
function decoded(file, otherwise) {
    const bitmap = createImageBitmap(file, { colorSpaceConversion: "none" });
    return new Promise((done, fail) => {
        const late = setTimeout(() => {
            fail(refusal("time", { seconds: PATIENCE }));
            bitmap.then((it) => it.close());
        }, 1000 * PATIENCE);
        const failed = () => fail(otherwise);
        bitmap.then(done, failed).finally(() => clearTimeout(late));
    });
}

/** The size at which a picture is kept: whole, or as much smaller as the limits allow. @param {number} width
 *  @param {number} height @returns {[number, number]} */
export function kept(width, height) {
    const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
    const enough = Math.min(LIMITS.rows / shorter, Math.sqrt(LIMITS.kept / (shorter * longer)));
    const scale = Math.min(1, Math.max(LIMITS.side / longer, enough));
    const rows = Math.trunc(shorter * scale + 1e-9);
    const exact = (longer * rows) / shorter;
    const columns = exact % 1 === 0.5 ? 2 * Math.round(exact / 2) : Math.round(exact); // as Python rounds
    return width < height ? [rows, columns] : [columns, rows];
}

/** By what whole number a picture can be made smaller and still be no smaller than it is kept. @param {number} width
 *  @param {number} height */
const shrinkOf = (width, height) => Math.floor(Math.max(width, height) / Math.max(...kept(width, height)));

/** The picture on white, at the size that is kept, and whether anything in it was transparent.
 *  @param {ImageBitmap} bitmap @param {boolean} drafts whether Python's decoder would make it smaller first */
async function small(bitmap, drafts) {
    const { width, height } = bitmap;
    const shrink = shrinkOf(width, height);
    const draft = drafts ? Math.min(LARGEST_DRAFT, 2 ** Math.floor(Math.log2(shrink))) : 1;
    const first = await strips(bitmap, drafts ? draft : shrink);
    const again = drafts ? shrinkOf(first.picture.width, first.picture.height) : 1;
    const second = reduce(first.picture, again);
    const whole = drafts ? first.picture : { width, height };
    const by = drafts ? again : shrink;
    const size = kept(whole.width, whole.height);
    if (second.width === size[0] && second.height === size[1]) return { ...first, picture: second };
    const box = /** @type {const} */ ([0, 0, whole.width / by, whole.height / by]);
    return { ...first, picture: resize(second, ...size, "bicubic", box) };
}

/** The pixels of a bitmap on white, smaller by a whole number, in strips of whole rows.
 *  @param {ImageBitmap} bitmap @param {number} shrink */
async function strips(bitmap, shrink) {
    const { width, height } = bitmap;
    const rows = Math.max(1, Math.floor(STRIP_PIXELS / (width * shrink))) * shrink;
    const canvas = new OffscreenCanvas(width, Math.min(rows, height));
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw refusal("memory");
    context.globalCompositeOperation = "copy";
    context.imageSmoothingEnabled = false;
    const [across, down] = [width, height].map((length) => Math.ceil(length / shrink));
    const picture = { width: across, height: down, channels: 3, data: new Uint8Array(across * down * 3) };
    let transparent = false;
    for (let top = 0; top < height; top += rows) {
        const tall = Math.min(rows, height - top);
        context.drawImage(bitmap, 0, top, width, tall, 0, 0, width, tall);
        const strip = onWhite(context.getImageData(0, 0, width, tall).data);
        transparent ||= strip.transparent;
        const part = reduce({ width, height: tall, channels: 3, data: strip.data }, shrink);
        picture.data.set(part.data, (top / shrink) * across * 3);
        await new Promise((done) => setTimeout(done)); // whoever draws the page comes first
    }
    return { picture, transparent };
}

/** RGBA laid on white, in Pillow's rounding: RGB, and whether anything was transparent. @param {Uint8ClampedArray} rgba */
function onWhite(rgba) {
    const data = new Uint8Array((rgba.length / 4) * 3);
    let transparent = false;
    for (let from = 0, to = 0; from < rgba.length; from += 4) {
        const alpha = rgba[from + 3];
        if (alpha === 255) {
            for (let channel = 0; channel < 3; channel++) data[to++] = rgba[from + channel];
            continue;
        }
        transparent = true;
        for (let channel = 0; channel < 3; channel++) {
            const sum = 255 * (255 - alpha) + rgba[from + channel] * alpha + 128;
            data[to++] = ((sum >> 8) + sum) >> 8;
        }
    }
    return { data, transparent };
}

/** Turned and mirrored as EXIF says that the camera was held. @param {Picture} picture @param {number} orientation 1 to 8
 *  @returns {Picture} */
export function upright(picture, orientation) {
    if (orientation === 1) return picture;
    const { width, height, channels, data } = picture;
    const lying = orientation > 4;
    const [wide, tall] = lying ? [height, width] : [width, height];
    const [right, bottom] = [[2, 3, 7, 8].includes(orientation), [3, 4, 6, 7].includes(orientation)];
    const made = new Uint8Array(data.length);
    for (let y = 0, to = 0; y < tall; y++)
        for (let x = 0; x < wide; x++) {
            const [across, down] = lying ? [y, x] : [x, y];
            const column = right ? width - 1 - across : across;
            const row = bottom ? height - 1 - down : down;
            const from = (row * width + column) * channels;
            for (let channel = 0; channel < channels; channel++) made[to++] = data[from + channel];
        }
    return { width: wide, height: tall, channels, data: made };
}
