// Patch grid: the photo falls into squares, the squares into a sequence, a square into numbers; and what smaller ones cost.

/** @import { Photo } from "../../frame/photo.js" */
/** @import { Board } from "../../state/board.js" */
/** @import { Scene } from "../../types.js" */

import { Areas } from "../../draw/areas.js";
import { element } from "../../draw/elements.js";
import { Motion } from "../../draw/motion.js";
import { font, onCanvas, outline } from "../../draw/surface.js";
import { small, tokenName, tokenPlace, whole } from "../../draw/text.js";
import { drawStrips, reach } from "../../draw/vectors.js";
import { Crop } from "./crop.js";
import { inSequence, onGrid } from "./layouts.js";
import { Sizes } from "./sizes.js";

/** What the channels of a picture are called. @param {number} channels */
const names = (channels) =>
    channels === 3 ? ["red", "green", "blue"] : Array.from({ length: channels }, (_, at) => `channel ${at + 1}`);

/** @typedef {import("./layouts.js").Box} Box */

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function patchGrid(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const note = element("p", { class: "note" });
    const sizes = new Sizes(board, photo);
    const crop = new Crop(board, photo);
    root.replaceChildren(canvas, note, sizes.root, crop.root);
    const areas = new Areas(canvas, board);
    const flight = new Motion(() => board.invalidate(), 400);
    let from = 0;
    let to = 0;
    /** The pixel under the pointer, by row and column in its patch. @type {[number, number] | null} */
    let pointed = null;
    /** The pixel that was clicked, or chosen by keys. @type {[number, number] | null} */
    let taken = null;
    /** @type {Uint8ClampedArray | null} */
    let bytes = null;

    /** The picture's own numbers, read once. */
    const pixels = () => {
        if (bytes || !photo.picture) return bytes;
        const size = board.meta.image_size;
        const context = new OffscreenCanvas(size, size).getContext("2d");
        context?.drawImage(photo.picture, 0, 0);
        bytes = context?.getImageData(0, 0, size, size).data ?? null;
        return bytes;
    };

    canvas.addEventListener("pointerleave", () => {
        pointed = null;
    });

    /** @param {number} patch */
    const drawPatches = (patch) => {
        const { columns, rows, patches, patch_size: p, prefix } = board.meta;
        onCanvas(canvas, (context, width, height) => {
            const picture = photo.picture;
            if (!picture) return;
            const share = flight.share;
            const [start, end] = [from, to].map((moment) => layout(moment, columns, rows, patches, width, height));
            context.fillStyle = getComputedStyle(canvas).color;
            context.textAlign = "center";
            context.textBaseline = "alphabetic";
            for (let at = 0; at < patches; at++) {
                const [a, b] = [start(at), end(at)];
                const mix = (/** @type {keyof Box} */ side) => a[side] + (b[side] - a[side]) * share;
                const [x, y, w, h] = [mix("x"), mix("y"), mix("width"), mix("height")];
                context.drawImage(picture, (at % columns) * p, Math.floor(at / columns) * p, p, p, x, y, w, h);
                if (at === patch) outline(context, x, y, w, h, board.data.palette.chosen);
                areas.add({ ...b, at: () => ({ query: prefix.length + at }) });
                if (to === 1 && share === 1 && w > 23) {
                    font(context, 14);
                    context.fillText(String(at + 1), x + w / 2, y + h + 0.7 * w);
                }
            }
        });
    };

    /** The patch enlarged, and its numbers: a row of cells for each colour. @param {number} patch */
    const drawNumbers = (patch) => {
        const { columns, patch_size: p, channels } = board.meta;
        const flat = /** @type {Float32Array | undefined} */ (board.array("patches", "normalised")?.data);
        onCanvas(canvas, (context, width, height) => {
            const side = Math.min(width * 0.5, height - (width < 560 ? 130 : 90));
            note.style.top = `${side + 16}px`;
            if (!photo.picture) return;
            context.imageSmoothingEnabled = false;
            const [left, top] = [(patch % columns) * p, Math.floor(patch / columns) * p];
            context.drawImage(photo.picture, left, top, p, p, 0, 0, side, side);
            /** What pointing at a place and clicking there do. @param {(x: number, y: number) => [number, number]} where */
            const answers = (where) => ({
                at: (/** @type {number} */ x, /** @type {number} */ y) => {
                    pointed = where(x, y);
                    return null;
                },
                click: (/** @type {number} */ x, /** @type {number} */ y) => {
                    taken = where(x, y);
                    board.invalidate();
                },
            });
            const pixel = pointed ?? taken;
            areas.add({
                ...{ x: 0, y: 0, width: side, height: side },
                ...answers((x, y) => [Math.floor(y * p), Math.floor(x * p)]),
            });
            const cell = side / p;
            const { chosen } = board.data.palette;
            if (pixel) outline(context, pixel[1] * cell, pixel[0] * cell, cell, cell, chosen);
            if (!flat) return;
            const numbers = flat.subarray(patch * p * p * channels, (patch + 1) * p * p * channels);
            const vectors = names(channels).map((name, channel) => ({
                name,
                values: numbers.subarray(channel * p * p, (channel + 1) * p * p),
            }));
            const how = { x: side + 30, y: 0, width: width - side - 30, height: side, limit: reach(vectors) };
            for (const box of drawStrips(context, vectors, { ...how, colour: getComputedStyle(canvas).color })) {
                const across = box.width / (p * p);
                const at = (/** @type {number} */ x) => Math.floor(x * p * p);
                areas.add({ ...box, ...answers((x) => [Math.floor(at(x) / p), at(x) % p]) });
                if (pixel)
                    outline(context, box.x + (pixel[0] * p + pixel[1]) * across, box.y, across, box.height, chosen);
            }
        });
    };

    /** The pixel in numbers, or what to do. @param {number} patch */
    const pixelText = (patch) => {
        const { columns, image_size: size, patch_size: p, channels } = board.meta;
        const [flat, values, facts] = [board.array("patches", "normalised")?.data, pixels(), board.data.facts];
        if (!flat || !values || !facts.mean) return "The numbers are on their way.";
        const pixel = pointed ?? taken;
        if (!pixel)
            return `${p} · ${p} · ${channels} = ${whole(p * p * channels)} numbers, normalised. Point at a pixel.`;
        const [row, column] = pixel;
        const at = 4 * ((Math.floor(patch / columns) * p + row) * size + (patch % columns) * p + column);
        return `Row ${row + 1}, column ${column + 1}: ${names(channels)
            .map((name, channel) => {
                const number = flat[((patch * channels + channel) * p + row) * p + column];
                return `${name} ${values[at + Math.min(channel, 2)]} → ${small(number)}`;
            })
            .join(" · ")}`;
    };

    /** Take the next pixel, or the one before. @param {number} by */
    const step = (by) => {
        const many = board.meta.patch_size ** 2;
        const at = taken ? taken[0] * board.meta.patch_size + taken[1] + by + many : many;
        taken = [Math.floor((at % many) / board.meta.patch_size), at % board.meta.patch_size];
        board.invalidate();
    };
    const moment = () => Math.min(board.chosen.moment, 4);

    return {
        middle: true,
        draw(shown) {
            areas.clear();
            const { prefix } = board.meta;
            const patch = board.patchOf(shown);
            const now = moment();
            if (now !== to) {
                [from, to] = [Math.min(to, 1), now];
                flight.start();
            }
            photo.grid = now < 3;
            photo.frames = [{ token: prefix.length + patch, colour: board.data.palette.chosen }];
            canvas.hidden = now > 2;
            note.hidden = now !== 2;
            sizes.root.hidden = now !== 3;
            crop.root.hidden = now !== 4;
            canvas.setAttribute(
                "aria-label",
                `The patches; ${tokenName(board.meta, prefix.length + patch)} is chosen.`,
            );
            if (now < 2) drawPatches(patch);
            if (now === 2) {
                note.textContent = pixelText(patch);
                drawNumbers(patch);
            }
            if (now === 3) sizes.draw(shown);
            if (now === 4) {
                photo.grid = true;
                photo.frames = [];
                photo.chooses = null;
                crop.draw();
            }
        },
        play({ tried }) {
            if (moment() === 3) return sizes.next(tried);
            if (moment() === 1) {
                [from, to] = [0, 1];
                flight.start();
            }
            if (moment() === 2) step(1);
            return null;
        },
        needs: () => ["patches", ...(moment() === 4 ? ["cropping"] : [])],
        get keys() {
            if (moment() === 4) return crop.keys;
            return moment() === 2 ? { n: () => step(1), N: () => step(-1) } : undefined;
        },
        readout(shown) {
            if (moment() === 4) return "Drag the square, or its corner. Arrows move it, + and − change its size.";
            const token = board.meta.prefix.length + board.patchOf(shown);
            const place = `{patch} ${tokenName(board.meta, token).replace("patch ", "")}: ${tokenPlace(board.meta, token)}`;
            return moment() === 2 ? `${place} · N: next pixel` : place;
        },
    };
}

/** @param {number} moment @param {number} columns @param {number} rows @param {number} patches @param {number} width
 *  @param {number} height */
const layout = (moment, columns, rows, patches, width, height) =>
    moment === 0 ? onGrid(columns, rows, width, height) : inSequence(patches, width, height);
