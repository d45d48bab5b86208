// Patch embedding: patch times filter is one component of the token; the filters; tokens as colours.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { divergingCss, font, onCanvas, outline, pixels, place } from "../draw/surface.js";
import { small, tokenName, whole } from "../draw/text.js";
import { drawStrips, reach } from "../draw/vectors.js";

/** A box on the canvas that can be pointed at, and what a place in it means.
 *  @typedef {{ x: number, y: number, width: number, height: number, at(x: number, y: number): Partial<Selection> | null }} Area */

/** A vector of `c ph pw` as a picture: grey is 0, the largest size is black or full colour.
 *  @param {ArrayLike<number>} values @param {number} p @param {number} channels */
export function asPicture(values, p, channels) {
    let most = 1e-12;
    for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
    return pixels(p, p, (at) => {
        const [r, g, b] = [0, 1, 2].map((channel) => {
            const value = values[Math.min(channel, channels - 1) * p * p + at];
            return Math.round(127.5 + (127.5 * value) / most);
        });
        return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function patchEmbedding(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const unroll = new Motion(() => board.invalidate(), 400);
    let last = -1;
    /** @type {Area[]} */
    let areas = [];
    /** @type {{ key: string, pictures: OffscreenCanvas[] }} */
    let tiles = { key: "", pictures: [] };

    const pointed = (/** @type {MouseEvent} */ event) => {
        const spot = place(event, canvas);
        const [x, y] = [spot.x * canvas.clientWidth, spot.y * canvas.clientHeight];
        const area = areas.find((it) => x >= it.x && x < it.x + it.width && y >= it.y && y < it.y + it.height);
        return area?.at((x - area.x) / area.width, (y - area.y) / area.height) ?? null;
    };
    canvas.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch") board.look(pointed(event) ?? {});
    });
    canvas.addEventListener("pointerleave", () => board.look({}));
    canvas.addEventListener("click", (event) => {
        const found = pointed(event);
        if (found) board.choose(found);
    });

    const data = (/** @type {string} */ parcel, /** @type {string} */ name) =>
        /** @type {Float32Array | undefined} */ (board.array(parcel, name)?.data);

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown
     *  @param {string} colour */
    const drawProduct = (context, width, height, shown, colour) => {
        const { patch_size: p, channels, dim } = board.meta;
        const [xs, filters, bias, tokens] = ["patches", "filters", "bias", "tokens"].map((name) =>
            data("projection", name),
        );
        if (!xs || !filters || !bias || !tokens) return;
        const [patch, component, many] = [board.patchOf(shown), Math.min(shown.component, dim - 1), p * p * channels];
        const x = xs.subarray(patch * many, (patch + 1) * many);
        const filter = filters.subarray(component * many, (component + 1) * many);
        const product = Float64Array.from(x, (value, at) => value * filter[at]);
        const sum = product.reduce((a, b) => a + b, 0);
        const added = Float64Array.from({ length: p * p }, (_, at) => {
            let all = 0;
            for (let channel = 0; channel < channels; channel++) all += product[channel * p * p + at];
            return all;
        });
        const side = Math.min((width - 180) / 3, height * 0.42);
        const gap = 34;
        const three = /** @type {const} */ ([
            ["x: the patch", asPicture(x, p, channels)],
            [`filter ${component + 1}`, asPicture(filter, p, channels)],
            ["product, colours added", picture(added, p)],
        ]);
        font(context, 17);
        context.textBaseline = "alphabetic";
        for (const [at, [name, image]] of three.entries()) {
            const left = at * (side + gap);
            context.fillStyle = colour;
            context.textAlign = "left";
            context.fillText(name, left, 18);
            context.imageSmoothingEnabled = false;
            context.drawImage(image, left, 28, side, side);
            if (at < 2) {
                font(context, 26);
                context.textAlign = "center";
                context.fillText(at === 0 ? "×" : "=", left + side + gap / 2, 28 + side / 2 + 8);
                font(context, 17);
            }
        }
        context.textAlign = "left";
        const right = 3 * side + 2 * gap + 14;
        context.fillText("added up", right, 28 + side / 2 - 42);
        font(context, 26, 600);
        context.fillText(small(sum), right, 28 + side / 2 - 10);
        font(context, 17);
        context.fillText(`+ b: ${small(bias[component])}`, right, 28 + side / 2 + 18);
        font(context, 22, 600);
        context.fillText(`= ${small(sum + bias[component])}`, right, 28 + side / 2 + 48);
        const token = tokens.subarray(patch * dim, (patch + 1) * dim);
        const shownToken = [{ name: `its token: ${whole(dim)} components. Point at one: its filter`, values: token }];
        const [box] = drawStrips(context, shownToken, {
            x: 0,
            y: side + 54,
            width: width * (0.2 + 0.8 * unroll.share),
            height: height - side - 80,
            limit: reach(shownToken),
            colour,
        });
        const cell = width / dim;
        outline(context, component * cell, box.y - 2, Math.max(4, cell), box.height + 4, board.data.palette.chosen);
        areas.push({ ...box, at: (share) => ({ component: Math.floor(share * dim) }) });
    };

    /** Small pictures in rows. @param {CanvasRenderingContext2D} context @param {OffscreenCanvas[]} pictures
     *  @param {number} width @param {number} height @param {number} chosen @param {((at: number) => Partial<Selection> | null)} means */
    const drawTiles = (context, pictures, width, height, chosen, means) => {
        let across = 1;
        while (Math.ceil(pictures.length / across) * (width / across) > height) across++;
        const cell = width / across;
        context.imageSmoothingEnabled = false;
        for (const [at, image] of pictures.entries()) {
            const [x, y] = [(at % across) * cell, Math.floor(at / across) * cell];
            context.drawImage(image, x, y, cell * 0.92, cell * 0.92);
            areas.push({ x, y, width: cell, height: cell, at: () => means(at) });
        }
        if (chosen >= 0)
            outline(
                context,
                (chosen % across) * cell,
                Math.floor(chosen / across) * cell,
                cell * 0.92,
                cell * 0.92,
                board.data.palette.chosen,
            );
    };

    /** Filters or their principal components as pictures, made once. @param {string} kind @param {Float32Array} values */
    const made = (kind, values) => {
        const { digest, patch_size: p, channels } = board.meta;
        const [key, many] = [`${digest} ${kind}`, p * p * channels];
        if (tiles.key !== key) {
            const pictures = Array.from({ length: values.length / many }, (_, at) =>
                asPicture(values.subarray(at * many, (at + 1) * many), p, channels),
            );
            tiles = { key, pictures };
        }
        return tiles.pictures;
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} patch */
    const drawColours = (context, width, height, patch) => {
        const { rows, columns, patches, prefix } = board.meta;
        const points = data("token-colours", "coordinates");
        if (!points) return;
        const kept = points.length / patches;
        const most = [0, 1, 2].map((axis) => {
            let largest = 1e-12;
            for (let at = 0; at < patches && axis < kept; at++)
                largest = Math.max(largest, Math.abs(points[at * kept + axis]));
            return largest;
        });
        const size = Math.min(width, height);
        const image = pixels(columns, rows, (at) => {
            const [r, g, b] = most.map((limit, axis) =>
                axis < kept ? Math.round(127.5 + (127.5 * points[at * kept + axis]) / limit) : 128,
            );
            return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
        });
        context.imageSmoothingEnabled = false;
        context.drawImage(image, 0, 0, size, (size * rows) / columns);
        const cell = size / columns;
        outline(
            context,
            (patch % columns) * cell,
            Math.floor(patch / columns) * cell,
            cell,
            cell,
            board.data.palette.chosen,
        );
        const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
            query: prefix.length + Math.floor(y * rows) * columns + Math.floor(x * columns),
        });
        areas.push({ x: 0, y: 0, width: size, height: (size * rows) / columns, at });
    };

    return {
        draw(shown) {
            const moment = Math.min(shown.moment, 3);
            if (moment !== last) unroll.start();
            last = moment;
            areas = [];
            const patch = board.patchOf(shown);
            photo.grid = true;
            photo.frames = [{ token: board.meta.prefix.length + patch, colour: board.data.palette.chosen }];
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                if (moment === 0) drawProduct(context, width, height, shown, colour);
                if (moment === 1) {
                    const filters = data("projection", "filters");
                    if (filters)
                        drawTiles(context, made("filters", filters), width, height, shown.component, (component) => ({
                            component,
                        }));
                }
                if (moment === 2) {
                    const [directions, share] = [
                        data("filter-components", "directions"),
                        data("filter-components", "share"),
                    ];
                    if (!directions || !share) return;
                    drawTiles(context, made("components", directions), width, height * 0.86, -1, () => null);
                    context.fillStyle = colour;
                    font(context, 18);
                    const all = share.reduce((a, b) => a + b, 0);
                    context.fillText(
                        `${share.length} principal components hold ${(100 * all).toFixed(1)} % of the variance; the first ${(100 * share[0]).toFixed(1)} %`,
                        0,
                        height * 0.95,
                    );
                }
                if (moment === 3) drawColours(context, width, height, patch);
            });
            canvas.setAttribute(
                "aria-label",
                `${tokenName(board.meta, board.meta.prefix.length + patch)}, component ${shown.component + 1}`,
            );
        },
        readout(shown) {
            const { dim, prefix } = board.meta;
            const patch = board.patchOf(shown);
            const value = data("projection", "tokens")?.[patch * dim + Math.min(shown.component, dim - 1)];
            const says = value === undefined ? "" : ` of its token: ${small(value)}`;
            return `{patch} ${tokenName(board.meta, prefix.length + patch).replace("patch ", "")} · component ${shown.component + 1}${says}`;
        },
        keys: {
            n: () => board.choose({ component: (board.chosen.component + 1) % board.meta.dim }),
            N: () => board.choose({ component: (board.chosen.component - 1 + board.meta.dim) % board.meta.dim }),
        },
        play: ({ component }) => (component + 1 < board.meta.dim ? { component: component + 1 } : null),
    };
}

/** Numbers of `p p` as red and blue. @param {ArrayLike<number>} values @param {number} p */
function picture(values, p) {
    let most = 1e-12;
    for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
    const canvas = new OffscreenCanvas(p, p);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    for (let at = 0; at < values.length; at++) {
        context.fillStyle = divergingCss(values[at], most);
        context.fillRect(at % p, Math.floor(at / p), 1, 1);
    }
    return canvas;
}
