// Patch embedding: patch times filter is one component of the token; the filters; tokens as colours.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Selection, Scene } from "../types.js" */

import { Areas } from "../draw/areas.js";
import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { diverging, font, onCanvas, outline, pixels, wrapped } from "../draw/surface.js";
import { addend, small, tokenName, tokenPlace, whole } from "../draw/text.js";
import { colourGrid } from "../draw/tiles.js";
import { drawStrips, reach } from "../draw/vectors.js";

const NARROW = 560; // CSS pixels below which numbers stand under the pictures

/** A vector of `c ph pw` as a picture: grey is 0, the largest size is black or full colour.
 *  @param {ArrayLike<number>} values @param {number} p @param {number} channels */
export function asPicture(values, p, channels) {
    const most = reach([{ name: "", values }]) || 1;
    return pixels(p, p, (at) => {
        const [r, g, b] = [0, 1, 2].map((channel) => tint(values[Math.min(channel, channels - 1) * p * p + at] / most));
        return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** From -1 to 1 as a byte. @param {number} share */
export const tint = (share) => Math.round(127.5 + 127.5 * share);

/** How many squares stand side by side so that all fit and the last row is as full as can be.
 *  @param {number} many @param {number} width @param {number} height */
export function across(many, width, height) {
    let least = 1;
    while (Math.ceil(many / least) * (width / least) > height) least++;
    const left = (/** @type {number} */ side) => Math.ceil(many / side) * side - many;
    let best = least;
    for (let side = least; side <= Math.min(many, Math.ceil(least * 1.25)); side++)
        if (left(side) < left(best)) best = side;
    return best;
}

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function patchEmbedding(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const areas = new Areas(canvas, board);
    const unroll = new Motion(() => board.invalidate(), 400);
    let last = -1;
    /** @type {{ key: string, pictures: OffscreenCanvas[] }} */
    let tiles = { key: "", pictures: [] };
    /** The principal component under the pointer. */
    let pointed = 0;

    const data = (/** @type {string} */ parcel, /** @type {string} */ name) =>
        /** @type {Float32Array | undefined} */ (board.array(parcel, name)?.data);

    /** Patch, filter and product of what is shown, and the numbers that they make. @param {Selection} shown */
    const product = (shown) => {
        const { patch_size: p, channels, dim } = board.meta;
        const [xs, filters, bias, tokens] = ["patches", "filters", "bias", "tokens"].map((name) =>
            data("projection", name),
        );
        if (!xs || !filters || !bias || !tokens) return null;
        const [patch, component, many] = [board.patchOf(shown), Math.min(shown.component, dim - 1), p * p * channels];
        const x = xs.subarray(patch * many, (patch + 1) * many);
        const filter = filters.subarray(component * many, (component + 1) * many);
        const products = Float64Array.from(x, (value, at) => value * filter[at]);
        return {
            x,
            filter,
            added: Float64Array.from({ length: p * p }, (_, at) => {
                let all = 0;
                for (let channel = 0; channel < channels; channel++) all += products[channel * p * p + at];
                return all;
            }),
            sum: products.reduce((a, b) => a + b, 0),
            bias: bias[component],
            made: tokens[patch * dim + component],
            token: tokens.subarray(patch * dim, (patch + 1) * dim),
        };
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown
     *  @param {string} colour */
    const drawProduct = (context, width, height, shown, colour) => {
        const { patch_size: p, channels, dim } = board.meta;
        const parts = product(shown);
        if (!parts) return coming(context, width);
        const [narrow, normalised, gap] = [width < NARROW, board.meta.switches.patch_norm, 34];
        const side = Math.min((width - 2 * gap - (narrow ? 0 : 150)) / 3, height * 0.42);
        const three = /** @type {const} */ ([
            [normalised ? "x = LN(patch)" : "x: the patch", asPicture(parts.x, p, channels)],
            [`filter ${shown.component + 1}`, asPicture(parts.filter, p, channels)],
            [narrow ? "product" : "product, colours added", redAndBlue(parts.added, p)],
        ]);
        context.imageSmoothingEnabled = false;
        for (const [at, [name, image]] of three.entries()) {
            const left = at * (side + gap);
            font(context, narrow ? 15 : 17);
            context.textAlign = "left";
            context.fillText(name, left, 18);
            context.drawImage(image, left, 28, side, side);
            font(context, 26);
            context.textAlign = "center";
            if (at < 2) context.fillText(at === 0 ? "×" : "=", left + side + gap / 2, 28 + side / 2 + 8);
        }
        const says = /** @type {const} */ ([
            ["added up", 17, 400],
            [small(parts.sum), 26, 600],
            [`+ b: ${small(parts.bias)}`, 17, 400],
            [`= ${small(parts.made)}`, 24, 600],
        ]);
        context.textAlign = "left";
        for (const [at, [text, size, weight]] of says.entries()) {
            font(context, narrow ? 15 : size, weight);
            if (narrow) context.fillText(text, (at * width) / 4, side + 52);
            else context.fillText(text, 3 * side + 2 * gap + 14, 28 + side / 2 - 42 + at * 31);
        }
        const top = side + (narrow ? 68 : 54);
        const all = `${whole(dim)} components. Point at one: its filter`;
        const strip = [{ name: `${normalised ? "x·E + b" : "its token"}: ${all}`, values: parts.token }];
        const [box] = drawStrips(context, strip, {
            x: 0,
            y: top,
            width: width * (0.2 + 0.8 * unroll.share),
            height: height - top,
            limit: reach(strip),
            colour,
        });
        const cell = box.width / dim;
        const left = shown.component * cell;
        outline(context, left, box.y, Math.max(4, cell), box.height, board.data.palette.chosen);
        areas.add({ ...box, at: (share) => ({ component: Math.floor(share * dim) }) });
    };

    /** Small pictures in rows; returns how far down they reach. @param {CanvasRenderingContext2D} context
     *  @param {OffscreenCanvas[]} pictures @param {number} width @param {number} height @param {number} chosen
     *  @param {((at: number) => Partial<Selection> | null)} means */
    const drawTiles = (context, pictures, width, height, chosen, means) => {
        const columns = across(pictures.length, width, height);
        const cell = width / columns;
        context.imageSmoothingEnabled = false;
        for (const [at, image] of pictures.entries()) {
            const [x, y] = [(at % columns) * cell, Math.floor(at / columns) * cell];
            context.drawImage(image, x, y, cell * 0.92, cell * 0.92);
            areas.add({ x, y, width: cell, height: cell, at: () => means(at) });
        }
        const [x, y] = [(chosen % columns) * cell, Math.floor(chosen / columns) * cell];
        outline(context, x + 2, y + 2, cell * 0.92 - 4, cell * 0.92 - 4, board.data.palette.chosen);
        return Math.ceil(pictures.length / columns) * cell;
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

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown */
    const drawFilters = (context, width, height, shown) => {
        const filters = data("projection", "filters");
        if (!filters) return coming(context, width);
        const pictures = made("filters", filters);
        const choose = (/** @type {number} */ component) => ({ component });
        const bottom = drawTiles(context, pictures, width, height, shown.component, choose);
        const side = Math.min(160, height - bottom - 20);
        if (side < 80) return;
        context.drawImage(pictures[shown.component], 0, bottom + 20, side, side);
        font(context, 18);
        context.fillText(`filter ${shown.component + 1} of ${pictures.length}`, side + 20, bottom + side / 2 + 26);
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height */
    const drawComponents = (context, width, height) => {
        const [directions, share] = [data("filter-components", "directions"), data("filter-components", "share")];
        if (!directions || !share) return coming(context, width);
        const pictures = made("components", directions);
        const chosen = Math.min(pointed, pictures.length - 1);
        const room = height - (width < NARROW ? 100 : 56);
        const bottom = drawTiles(context, pictures, width, room, chosen, (at) => {
            pointed = at;
            board.invalidate();
            return null;
        });
        const all = 100 * share.reduce((a, b) => a + b, 0);
        font(context, 17);
        wrapped(
            context,
            `No filters of the model, but what they are mixed of: ${share.length} principal components hold ` +
                `${all.toFixed(1)} % of the filters' variance; number ${chosen + 1} alone ${(100 * share[chosen]).toFixed(1)} %.`,
            0,
            bottom + 18,
            width,
        );
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown */
    const drawColours = (context, width, height, shown) => {
        const { rows, columns, prefix } = board.meta;
        const [points, share] = [data("token-colours", "coordinates"), data("token-colours", "share")];
        if (!points || !share) return coming(context, width);
        const room = height - (width < NARROW ? 70 : 34);
        const cell = Math.min(width / columns, room / rows);
        const [wide, tall] = [cell * columns, cell * rows];
        context.imageSmoothingEnabled = false;
        context.drawImage(colourGrid(points, columns, rows), 0, 0, wide, tall);
        const patch = board.patchOf(shown);
        const [x, y] = [(patch % columns) * cell, Math.floor(patch / columns) * cell];
        outline(context, x, y, cell, cell, board.data.palette.chosen);
        areas.add({
            x: 0,
            y: 0,
            width: wide,
            height: tall,
            at: (x, y) => ({
                query: prefix.length + Math.floor(y * rows) * columns + Math.floor(x * columns),
            }),
        });
        const shares = Array.from(share, (one) => `${(100 * one).toFixed(1)} %`).join(", ");
        font(context, 16);
        wrapped(
            context,
            `Red, green, blue: the first principal components of the tokens, ${shares} of their variance.`,
            0,
            tall + 24,
            width,
        );
    };

    return {
        middle: true,
        draw(shown) {
            const moment = Math.min(shown.moment, 3);
            if (moment !== last) unroll.start();
            last = moment;
            areas.clear();
            const token = board.meta.prefix.length + board.patchOf(shown);
            photo.grid = true;
            photo.frames = [{ token, colour: board.data.palette.chosen }];
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                context.fillStyle = colour;
                context.textAlign = "left";
                context.textBaseline = "alphabetic";
                if (moment === 0) drawProduct(context, width, height, shown, colour);
                if (moment === 1) drawFilters(context, width, height, shown);
                if (moment === 2) drawComponents(context, width, height);
                if (moment === 3) drawColours(context, width, height, shown);
            });
            const says = `${tokenName(board.meta, token)}, component ${shown.component + 1}`;
            canvas.setAttribute("aria-label", `${says}: ${small(product(shown)?.made ?? Number.NaN)}`);
        },
        readout(shown) {
            const token = board.meta.prefix.length + board.patchOf(shown);
            const place = `{patch} ${tokenName(board.meta, token).replace("patch ", "")}, ${tokenPlace(board.meta, token)}`;
            const parts = product(shown);
            if (!parts) return place;
            const sum = `${small(parts.sum)} + ${addend(parts.bias)} = ${small(parts.made)}`;
            return `${place} · component ${shown.component + 1}: ${sum}`;
        },
        keys: {
            n: () => board.choose({ component: (board.chosen.component + 1) % board.meta.dim }),
            N: () => board.choose({ component: (board.chosen.component - 1 + board.meta.dim) % board.meta.dim }),
        },
        play: ({ component }) => (component + 1 < board.meta.dim ? { component: component + 1 } : null),
    };
}

/** @param {CanvasRenderingContext2D} context @param {number} width */
function coming(context, width) {
    font(context, 18);
    wrapped(context, "The numbers are on their way.", 0, 24, width);
}

/** Numbers of `p p` as red and blue. @param {Float64Array} values @param {number} p */
function redAndBlue(values, p) {
    const most = reach([{ name: "", values }]);
    return pixels(p, p, (at) => diverging(values[at], most));
}
