// Patch grid: the photo falls into squares, the squares into a sequence, a square into numbers; and what smaller ones cost.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene } from "../types.js" */

import { Areas } from "../draw/areas.js";
import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { font, onCanvas, outline } from "../draw/surface.js";
import { small, tokenName, tokenPlace, whole } from "../draw/text.js";
import { drawStrips, reach } from "../draw/vectors.js";

/** What the channels of a picture are called. @param {number} channels */
const names = (channels) =>
    channels === 3 ? ["red", "green", "blue"] : Array.from({ length: channels }, (_, at) => `channel ${at + 1}`);
const HEADS = ["patch size", "tokens", "attention weights of a head", "parameters", "multiply-adds"];

/** @typedef {{ size: number, tokens: string, weights: string, parameters: string, macs: string }} Cost */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** Where each patch lies on the grid, with a gap between patches. @param {number} columns @param {number} rows
 *  @param {number} width @param {number} height @returns {(patch: number) => Box} */
export function onGrid(columns, rows, width, height) {
    const cell = Math.min(width / columns, height / rows);
    const gap = Math.max(1, cell * 0.12);
    const left = (width - cell * columns) / 2;
    return (patch) => ({
        x: left + (patch % columns) * cell + gap / 2,
        y: Math.floor(patch / columns) * cell + gap / 2,
        width: cell - gap,
        height: cell - gap,
    });
}

/** Where each of `many` patches lies in the sequence, which is read like lines of text.
 *  @param {number} many @param {number} width @param {number} height @returns {(patch: number) => Box} */
export function inSequence(many, width, height) {
    let across = 1;
    while (Math.ceil(many / across) * (width / across) * 1.9 > height) across++;
    const cell = width / across;
    return (patch) => ({
        x: (patch % across) * cell + cell * 0.08,
        y: Math.floor(patch / across) * cell * 1.9 + cell * 0.1,
        width: cell * 0.84,
        height: cell * 0.84,
    });
}

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function patchGrid(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const note = element("p", { class: "note" });
    const sizes = element("table", { class: "sizes" });
    root.replaceChildren(canvas, sizes, note);
    const areas = new Areas(canvas, board);
    const flight = new Motion(() => board.invalidate(), 400);
    let from = 0;
    let to = 0;
    /** The pixel under the pointer, by row and column in its patch. @type {[number, number] | null} */
    let pixel = null;
    /** A patch size that is tried on the photo. @type {number | null} */
    let tried = null;
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
        pixel = null;
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
            const point = (/** @type {number} */ row, /** @type {number} */ column) => {
                pixel = [row, column];
                board.invalidate();
                return null;
            };
            areas.add({
                x: 0,
                y: 0,
                width: side,
                height: side,
                at: (x, y) => point(Math.floor(y * p), Math.floor(x * p)),
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
                areas.add({ ...box, at: (x) => point(Math.floor(at(x) / p), at(x) % p) });
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

    const fillSizes = () => {
        const rows = /** @type {Cost[]} */ (board.data.facts.sizes ?? []);
        const key = JSON.stringify(rows);
        if (sizes.dataset.rows === key) return;
        sizes.dataset.rows = key;
        const body = rows.map((row) => {
            const button = element("button", { type: "button" }, `${row.size} × ${row.size}`);
            const show = (/** @type {number | null} */ size) => {
                tried = size;
                board.invalidate();
            };
            const line = element(
                "tr",
                row.size === board.meta.patch_size ? { class: "here" } : {},
                element("th", { scope: "row" }, button),
                ...[row.tokens, row.weights, row.parameters, row.macs].map((text) => element("td", {}, text)),
            );
            line.addEventListener("pointerenter", () => show(row.size));
            line.addEventListener("pointerleave", () => show(null));
            button.addEventListener("focus", () => show(row.size));
            button.addEventListener("blur", () => show(null));
            return line;
        });
        const head = element("tr", {}, ...HEADS.map((name) => element("th", { scope: "col" }, name)));
        sizes.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
    };

    return {
        middle: true,
        draw(shown) {
            areas.clear();
            const { prefix } = board.meta;
            const moment = Math.min(shown.moment, 3);
            const patch = board.patchOf(shown);
            if (moment !== to) {
                [from, to] = [Math.min(to, 1), moment];
                flight.start();
            }
            photo.grid = moment < 3;
            photo.frames = [{ token: prefix.length + patch, colour: board.data.palette.chosen }];
            canvas.hidden = moment === 3;
            sizes.hidden = moment !== 3;
            note.textContent = moment === 3 ? "Point at a row: its squares lie on the photo." : pixelText(patch);
            note.hidden = moment < 2;
            note.classList.toggle("below", moment === 3);
            canvas.setAttribute(
                "aria-label",
                `The patches; ${tokenName(board.meta, prefix.length + patch)} is chosen.`,
            );
            if (moment < 2) drawPatches(patch);
            if (moment === 2) drawNumbers(patch);
            if (moment === 3) {
                fillSizes();

                const size = tried ?? board.meta.patch_size;
                photo.frames = [];
                photo.over = (context, side) => lines(context, side, board.meta.image_size / size);
            }
        },
        readout(shown) {
            const token = board.meta.prefix.length + board.patchOf(shown);
            return `{patch} ${tokenName(board.meta, token).replace("patch ", "")}: ${tokenPlace(board.meta, token)}`;
        },
    };
}

/** @param {number} moment @param {number} columns @param {number} rows @param {number} patches @param {number} width
 *  @param {number} height */
const layout = (moment, columns, rows, patches, width, height) =>
    moment === 0 ? onGrid(columns, rows, width, height) : inSequence(patches, width, height);

/** A grid of `many` squares each way. @param {CanvasRenderingContext2D} context @param {number} side @param {number} many */
function lines(context, side, many) {
    context.strokeStyle = "rgb(255 255 255 / .6)";
    context.lineWidth = 1;
    context.beginPath();
    for (let at = 1; at < many; at++) {
        const place = Math.round((at * side) / many) - 0.5;
        context.rect(place, 0, 0, side);
        context.rect(0, place, side, 0);
    }
    context.stroke();
}
