// Patch grid: the photo falls into squares, the squares into a sequence, a square into numbers; and what smaller ones cost.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Action, Scene } from "#frontend/types/board.js" */

import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { Motion } from "#frontend/draw/motion.js";
import { enlarged, frame, onCanvas, outline } from "#frontend/draw/surface.js";
import { small, tokenName, tokenPlace, whole } from "#frontend/draw/text.js";
import { drawStrips } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { Crop } from "./crop.js";
import { inSequence, onGrid } from "./layouts.js";
import { Sizes } from "./sizes.js";

/** What the channels of a picture are called. @param {number} channels */
const names = (channels) =>
    channels === 3 ? ["red", "green", "blue"] : Array.from({ length: channels }, (_, at) => `channel ${at + 1}`);

/** @typedef {import("./layouts.js").Box} Box */

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function patchGrid(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const note = element("p", { class: "note" });
    const sizes = new Sizes(column, photo);
    const crop = new Crop(column, photo);
    root.replaceChildren(canvas, note, sizes.root, crop.root);
    const areas = new Areas(canvas, column);
    const flight = new Motion(() => column.invalidate(), 400);
    let from = "patches";
    let to = "patches";
    /** The pixel under the pointer, by row and column in its patch. @type {[number, number] | null} */
    let pointed = null;
    /** The pixel that was clicked, or chosen by keys. @type {[number, number] | null} */
    let taken = null;
    /** @type {Uint8ClampedArray | null} */
    let bytes = null;

    /** The picture's own numbers, read once. */
    const pixels = () => {
        if (bytes || !photo.picture) return bytes;
        const [h, w] = column.meta.image_sides;
        const context = new OffscreenCanvas(w, h).getContext("2d");
        context?.drawImage(photo.picture, 0, 0);
        bytes = context?.getImageData(0, 0, w, h).data ?? null;
        return bytes;
    };

    canvas.addEventListener("pointerleave", () => {
        pointed = null;
    });

    /** @param {number} patch */
    const drawPatches = (patch) => {
        const { columns, patches, patch_sides, prefix } = column.meta;
        const [ph, pw] = patch_sides;
        onCanvas(canvas, (context, width, height) => {
            const picture = photo.picture;
            if (!picture) return;
            const share = flight.share;
            const [start, end] = [from, to].map((moment) => layout(moment, column.meta, width, height));
            for (let at = 0; at < patches; at++) {
                const [a, b] = [start(at), end(at)];
                const mix = (/** @type {keyof Box} */ side) => a[side] + (b[side] - a[side]) * share;
                const [x, y, w, h] = [mix("x"), mix("y"), mix("width"), mix("height")];
                context.drawImage(picture, (at % columns) * pw, Math.floor(at / columns) * ph, pw, ph, x, y, w, h);
                if (at === patch) outline(context, x, y, w, h, column.data.palette.chosen);
                areas.add({ ...b, at: () => ({ query: prefix.length + at }) });
                const under = /** @type {const} */ ({ as: "cell", align: "center" });
                if (to === "sequence" && share === 1 && w > 23)
                    write(context, String(at + 1), x + w / 2, y + h + 0.7 * w, under);
            }
        });
    };

    /** The patch enlarged, and its numbers: a row of cells for each colour. @param {number} patch */
    const drawNumbers = (patch) => {
        const { columns, patch_sides, channels } = column.meta;
        const [ph, pw] = patch_sides;
        const flat = /** @type {Float32Array | undefined} */ (column.array("patches", "normalised")?.data);
        onCanvas(canvas, (context, width, height) => {
            const side = width < 560 ? Math.min(width * 0.5, height - 130) : Math.min(width * 0.62, height - 64);
            note.style.top = `${side + 16}px`;
            if (!photo.picture) return;
            const [left, top] = [(patch % columns) * pw, Math.floor(patch / columns) * ph];
            const cell = side / Math.max(ph, pw);
            enlarged(context, photo.picture, left, top, pw, ph, 0, 0, pw * cell, ph * cell);
            /** What pointing at a place and clicking there do. @param {(x: number, y: number) => [number, number]} where */
            const answers = (where) => ({
                at: (/** @type {number} */ x, /** @type {number} */ y) => {
                    pointed = where(x, y);
                    return null;
                },
                click: (/** @type {number} */ x, /** @type {number} */ y) => {
                    taken = where(x, y);
                    column.invalidate();
                },
            });
            const pixel = pointed ?? taken;
            areas.add({
                ...{ x: 0, y: 0, width: pw * cell, height: ph * cell },
                ...answers((x, y) => [Math.floor(y * ph), Math.floor(x * pw)]),
            });
            frame(context, 0.5, 0.5, pw * cell - 1, ph * cell - 1);
            const { chosen } = column.data.palette;
            if (pixel) outline(context, pixel[1] * cell, pixel[0] * cell, cell, cell, chosen);
            if (!flat) return;
            const many = ph * pw;
            const numbers = flat.subarray(patch * many * channels, (patch + 1) * many * channels);
            const vectors = names(channels).map((name, channel) => ({
                name,
                values: numbers.subarray(channel * many, (channel + 1) * many),
            }));
            const room = { x: side + 30, width: width - side - 30, height: side };
            for (const box of drawStrips(context, vectors, room)) {
                const across = box.width / many;
                const at = (/** @type {number} */ x) => Math.floor(x * many);
                areas.add({ ...box, ...answers((x) => [Math.floor(at(x) / pw), at(x) % pw]) });
                if (pixel)
                    outline(context, box.x + (pixel[0] * pw + pixel[1]) * across, box.y, across, box.height, chosen);
            }
        });
    };

    /** The pixel in numbers, or what to do. @param {number} patch */
    const pixelText = (patch) => {
        const { columns, image_sides, patch_sides, channels } = column.meta;
        const [ph, pw] = patch_sides;
        const [flat, values, facts] = [column.array("patches", "normalised")?.data, pixels(), column.data.facts];
        if (!flat || !values || !facts.mean) return "The numbers are on their way.";
        const pixel = pointed ?? taken;
        if (!pixel)
            return `${ph} · ${pw} · ${channels} = ${whole(ph * pw * channels)} numbers, normalised. Point at a pixel, or press N.`;
        const [y, x] = pixel;
        const at = 4 * ((Math.floor(patch / columns) * ph + y) * image_sides[1] + (patch % columns) * pw + x);
        return `Row ${y + 1}, column ${x + 1}: ${names(channels)
            .map((name, channel) => {
                const number = flat[((patch * channels + channel) * ph + y) * pw + x];
                return `${name} ${values[at + Math.min(channel, 2)]} → ${small(number)}`;
            })
            .join(" · ")}`;
    };

    /** Take the next pixel, or the one before. @param {number} by */
    const step = (by) => {
        const [ph, pw] = column.meta.patch_sides;
        const many = ph * pw;
        const at = taken ? taken[0] * pw + taken[1] + by + many : many;
        taken = [Math.floor((at % many) / pw), at % pw];
        column.invalidate();
    };
    const moment = () => column.chosen.moment;

    /** @type {Record<string, Action>} */
    const PIXELS = {
        pixel: { keys: ["n", "N"], label: "pixel, with Shift back", perform: ({ key }) => step(key === "n" ? 1 : -1) },
    };

    return {
        middle: true,
        draw(shown) {
            areas.clear();
            const { prefix } = column.meta;
            const patch = column.patchOf(shown);
            const now = moment();
            if (now !== to) {
                [from, to] = [to === "patches" ? to : "sequence", now];
                flight.start();
            }
            photo.grid = ["patches", "sequence", "pixels"].includes(now);
            photo.frames = [{ token: prefix.length + patch, colour: column.data.palette.chosen }];
            canvas.hidden = ["sizes", "crop"].includes(now);
            note.hidden = now !== "pixels";
            sizes.root.hidden = now !== "sizes";
            crop.root.hidden = now !== "crop";
            canvas.ariaLabel = `The patches; ${tokenName(column.meta, prefix.length + patch)} is chosen.`;
            if (["patches", "sequence"].includes(now)) drawPatches(patch);
            if (now === "pixels") {
                note.textContent = pixelText(patch);
                drawNumbers(patch);
            }
            if (now === "sizes") sizes.draw(shown);
            if (now === "crop") {
                photo.grid = true;
                photo.frames = [];
                photo.chooses = null;
                crop.draw();
            }
        },
        play({ tried }) {
            if (moment() === "sizes") return sizes.next(tried);
            if (moment() === "sequence") {
                [from, to] = ["patches", "sequence"];
                flight.start();
            }
            if (moment() === "pixels") step(1);
            return null;
        },
        needs: () => ["patches", ...(moment() === "crop" ? ["cropping"] : [])],
        get actions() {
            return moment() === "crop" ? crop.actions : moment() === "pixels" ? PIXELS : {};
        },
        readout(shown) {
            if (moment() === "crop") return "Drag the square, or its corner. Arrows move it, + and − change its size.";
            const token = column.meta.prefix.length + column.patchOf(shown);
            return `{patch} ${tokenName(column.meta, token).replace("patch ", "")}: ${tokenPlace(column.meta, token)}`;
        },
        count: (shown) => (moment() === "sizes" ? sizes.size(shown)?.count : undefined),
    };
}

/** @param {string} moment @param {import("#frontend/types/board.js").Meta} meta @param {number} width @param {number} height */
const layout = (moment, { columns, rows, patches, patch_sides: [ph, pw] }, width, height) =>
    moment === "patches" ? onGrid(columns, rows, width, height, pw / ph) : inSequence(patches, width, height, pw / ph);
