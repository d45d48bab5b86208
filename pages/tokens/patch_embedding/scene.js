// Patch embedding: patch times filter is one component of the token; the filters; tokens as colours and as points.

import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { Caption } from "#frontend/draw/info.js";
import { Motion } from "#frontend/draw/motion.js";
import {
    diverging,
    enlarged,
    frame,
    onCanvas,
    outline,
    outlineToken,
    pixels,
    tokenAt,
} from "#frontend/draw/surface.js";
import { addend, small, tokenName, tokenPlace, whole } from "#frontend/draw/text.js";
import { colourGrid } from "#frontend/draw/tiles.js";
import { drawStrips, frameComponent, largestSize } from "#frontend/draw/vectors.js";
import { coming, write } from "#frontend/draw/words.js";
import { drawPoints } from "./points.js";

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */

/** A vector of channels, rows and columns as a picture: grey is 0, the largest size is black or full colour.
 *  @param {ArrayLike<number>} values @param {number[]} sizes */
export function asPicture(values, [channels, rows, columns]) {
    const [most, many] = [largestSize(values) || 1, rows * columns];
    return pixels(columns, rows, (at) => {
        const [r, g, b] = [0, 1, 2].map((channel) => tint(values[Math.min(channel, channels - 1) * many + at] / most));
        return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** From -1 to 1 as a byte. @param {number} share */
export const tint = (share) => Math.round(127.5 + 127.5 * share);

/** How many squares stand side by side so that all fit and the last row is as full as can be.
 *  @param {number} many @param {number} width @param {number} height @param {number} [spare] by how much smaller they may be
 *  for that */
export function across(many, width, height, spare = 1.25) {
    let least = 1;
    while (Math.ceil(many / least) * (width / least) > height) least++;
    const left = (/** @type {number} */ side) => Math.ceil(many / side) * side - many;
    let best = least;
    for (let side = least; side <= Math.min(many, Math.ceil(least * spare)); side++)
        if (left(side) < left(best)) best = side;
    return best;
}

/** Width and height of a picture that fills a square one way. @param {OffscreenCanvas} picture @param {number} side
 *  @returns {[number, number]} */
export function fitted({ width, height }, side) {
    const scale = side / Math.max(width, height);
    return [width * scale, height * scale];
}

/** One number for each pixel as red and blue. @param {Float64Array} values @param {number[]} sizes */
export function redAndBlue(values, [, rows, columns]) {
    const most = largestSize(values);
    return pixels(columns, rows, (at) => diverging(values[at], most));
}

const NARROW = 560; // CSS pixels below which numbers stand under the pictures

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function patchEmbedding(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const caption = new Caption();
    root.replaceChildren(element("div", { class: "captioned" }, canvas, caption.root));
    const areas = new Areas(canvas, column);
    const unroll = new Motion(() => column.invalidate(), 400);
    let last = "";
    /** Filters and their principal components as pictures. @type {Map<string, OffscreenCanvas[]>} */
    const tiles = new Map();
    /** The principal component under the pointer. */
    let pointed = 0;

    const data = (/** @type {string} */ parcel, /** @type {string} */ name) =>
        /** @type {Float32Array | undefined} */ (column.array(parcel, name)?.data);

    const step = (/** @type {number} */ by) =>
        column.choose({ component: (column.chosen.component + by + column.meta.dim) % column.meta.dim });

    const choose = (/** @type {number} */ component) => ({ component });

    /** Patch, filter and product of what is shown, and the numbers that they make. @param {Selection} shown */
    const product = (shown) => {
        const { read, dim } = column.meta;
        const [channels, rows, columns] = read;
        const [xs, filters, bias, tokens] = ["patches", "filters", "bias", "tokens"].map((name) =>
            data("projection", name),
        );
        if (!xs || !filters || !bias || !tokens) return null;
        const [patch, component, cells] = [column.patchOf(shown), Math.min(shown.component, dim - 1), rows * columns];
        const many = cells * channels;
        const x = xs.subarray(patch * many, (patch + 1) * many);
        const filter = filters.subarray(component * many, (component + 1) * many);
        const products = Float64Array.from(x, (value, at) => value * filter[at]);
        return {
            x,
            filter,
            added: Float64Array.from({ length: cells }, (_, at) => {
                let all = 0;
                for (let channel = 0; channel < channels; channel++) all += products[channel * cells + at];
                return all;
            }),
            sum: products.reduce((a, b) => a + b, 0),
            bias: bias[component],
            made: tokens[patch * dim + component],
            token: tokens.subarray(patch * dim, (patch + 1) * dim),
        };
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown */
    const drawProduct = (context, width, height, shown) => {
        const { read, dim } = column.meta;
        const parts = product(shown);
        if (!parts) return coming(context, width);
        const [narrow, normalised, gap] = [width < NARROW, column.meta.switches.patch_norm, 34];
        const side = Math.min((width - 2 * gap - (narrow ? 0 : 150)) / 3, height * 0.42);
        const three = /** @type {const} */ ([
            [
                normalised ? "x = LN(patch)" : column.meta.stem ? "x: of the stem" : "x: the patch",
                asPicture(parts.x, read),
            ],
            [`filter ${shown.component + 1}`, asPicture(parts.filter, read)],
            [narrow || read[0] === 1 ? "product" : "product, colours added", redAndBlue(parts.added, read)],
        ]);
        const sign = /** @type {const} */ ({ as: "number", bold: false, align: "center" });
        for (const [at, [name, image]] of three.entries()) {
            const left = at * (side + gap);
            write(context, name, left, 18, { as: narrow ? "tick" : "text" });
            enlarged(context, image, left, 28, ...fitted(image, side));
            frame(context, left, 28, ...fitted(image, side));
            if (at < 2) write(context, at ? "=" : "×", left + side + gap / 2, 28 + side / 2 + 8, sign);
        }
        const says = /** @type {const} */ ([
            ["added up", "text"],
            [small(parts.sum), "number"],
            [`+ b: ${small(parts.bias)}`, "text"],
            [`= ${small(parts.made)}`, "number"],
        ]);
        for (const [at, [text, as]] of says.entries()) {
            if (narrow) write(context, text, (at * width) / 4, side + 52, { as: "tick", bold: as === "number" });
            else write(context, text, 3 * side + 2 * gap + 14, 28 + side / 2 - 42 + at * 31, { as });
        }
        const top = side + (narrow ? 68 : 54);
        const all = `${whole(dim)} components. Point at one: its filter`;
        const strip = [{ name: `${normalised ? "x·E + b" : "its token"}: ${all}`, values: parts.token }];
        const grown = width * (0.2 + 0.8 * unroll.share);
        const boxes = drawStrips(context, strip, { y: top, width: grown, height: height - top });
        frameComponent(context, areas, boxes, dim, shown.component, column.data.palette.chosen, choose);
    };

    /** Small pictures in rows, in a box; returns how far down they reach. @param {CanvasRenderingContext2D} context
     *  @param {OffscreenCanvas[]} pictures @param {{ left: number, top: number, width: number, height: number }} box
     *  @param {number} chosen @param {((at: number) => Partial<Selection> | null)} means @param {number} [spare] */
    const drawTiles = (context, pictures, { left, top, width, height }, chosen, means, spare = 1.25) => {
        const columns = across(pictures.length, width, height, spare);
        const cell = width / columns;
        const place = (/** @type {number} */ at) => [
            left + (at % columns) * cell,
            top + Math.floor(at / columns) * cell,
        ];
        for (const [at, image] of pictures.entries()) {
            const [x, y] = place(at);
            enlarged(context, image, x, y, ...fitted(image, cell * 0.92));
            areas.add({ x, y, width: cell, height: cell, at: () => means(at) });
        }
        const [x, y] = place(chosen);
        outline(context, x + 2, y + 2, cell * 0.92 - 4, cell * 0.92 - 4, column.data.palette.chosen);
        return top + Math.ceil(pictures.length / columns) * cell;
    };

    /** Filters or their principal components as pictures, made once. @param {string} kind @param {Float32Array} values */
    const made = (kind, values) => {
        const { read } = column.meta;
        const many = read.reduce((all, one) => all * one);
        const known = tiles.get(kind);
        if (known) return known;
        const pictures = Array.from({ length: values.length / many }, (_, at) =>
            asPicture(values.subarray(at * many, (at + 1) * many), read),
        );
        tiles.set(kind, pictures);
        return pictures;
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown */
    const drawFilters = (context, width, height, shown) => {
        const filters = data("projection", "filters");
        if (!filters) return coming(context, width);
        const pictures = made("filters", filters);
        const bottom = drawTiles(context, pictures, { left: 0, top: 0, width, height }, shown.component, choose);
        const side = Math.min(160, height - bottom - 20);
        if (side < 80) return;
        const picture = pictures[shown.component];
        enlarged(context, picture, 0, bottom + 20, ...fitted(picture, side));
        write(context, `filter ${shown.component + 1} of ${pictures.length}`, side + 20, bottom + side / 2 + 26);
    };

    /** The filters, and beside them what they are mixed of. @param {CanvasRenderingContext2D} context @param {number} width
     *  @param {number} height @param {Selection} shown */
    const drawComponents = (context, width, height, shown) => {
        const [directions, share] = [data("filter-components", "directions"), data("filter-components", "share")];
        const filters = data("projection", "filters");
        if (!directions || !share || !filters) return coming(context, width);
        const [components, narrow] = [made("components", directions), width < NARROW];
        const chosen = Math.min(pointed, components.length - 1);
        const half = { left: 0, top: 28, width: width * 0.48, height: height - 34 };
        const as = narrow ? "cell" : "text";
        write(context, narrow ? "filters" : `the ${whole(column.meta.dim)} filters`, 0, 18, { as });
        write(context, "principal components", width * 0.52, 18, { as });
        drawTiles(context, made("filters", filters), half, shown.component, choose, 1);
        drawTiles(
            context,
            components,
            { ...half, left: width * 0.52 },
            chosen,
            (at) => {
                pointed = at;
                column.invalidate();
                return null;
            },
            1,
        );
        const percent = (/** @type {number} */ part) => `${(100 * part).toFixed(1)} %`;
        caption.say(
            `Principal component ${chosen + 1} holds ${percent(share[chosen])} of the filters' variance.`,
            `Principal components are no filters of the model, but what its filters are mixed of, largest variance first: ` +
                `these ${share.length} hold ${percent(share.reduce((a, b) => a + b, 0))} of it.`,
        );
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Selection} shown */
    const drawColours = (context, width, height, shown) => {
        const { rows, columns, prefix } = column.meta;
        const [points, share] = [data("token-colours", "coordinates"), data("token-colours", "share")];
        if (!points || !share) return coming(context, width);
        const cell = Math.min(width / columns, height / rows);
        const box = /** @type {const} */ ([0, 0, cell * columns, cell * rows]);
        enlarged(context, colourGrid(points, columns, rows), ...box);
        outlineToken(context, column.meta, prefix.length + column.patchOf(shown), box, column.data.palette.chosen);
        const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ query: tokenAt(column.meta, x, y) });
        areas.add({ x: 0, y: 0, width: box[2], height: box[3], at });
        const shares = Array.from(share, (one) => `${(100 * one).toFixed(1)} %`).join(", ");
        caption.say(
            "Colours: the first three principal components of the tokens as red, green, blue.",
            `They hold ${shares} of the tokens' variance. Patches of like colour have tokens that are alike.`,
        );
    };

    return {
        middle: true,
        draw(shown) {
            const { moment } = shown;
            if (moment !== last) unroll.start();
            last = moment;
            areas.clear();
            caption.root.hidden = ["product", "filters"].includes(moment);
            const token = column.meta.prefix.length + column.patchOf(shown);
            photo.grid = true;
            photo.frames = [{ token, colour: column.data.palette.chosen }];
            onCanvas(canvas, (context, width, height) => {
                if (moment === "product") drawProduct(context, width, height, shown);
                if (moment === "filters") drawFilters(context, width, height, shown);
                if (moment === "components") drawComponents(context, width, height, shown);
                if (moment === "colours") drawColours(context, width, height, shown);
                if (moment !== "points") return;
                const [points, share] = [data("token-colours", "coordinates"), data("token-colours", "share")];
                if (!points || !share) return coming(context, width);
                drawPoints(context, { width, height }, column, photo.picture, areas, shown, points, share);
                caption.say(
                    "Points near each other: tokens that are alike in what varies most.",
                    "Principal components are the directions in which the tokens spread most; both axes have one scale.",
                );
            });
            const says = `${tokenName(column.meta, token)}, component ${shown.component + 1}`;
            canvas.ariaLabel = `${says}: ${small(product(shown)?.made ?? Number.NaN)}`;
        },
        readout(shown) {
            const token = column.meta.prefix.length + column.patchOf(shown);
            const place = `{patch} ${tokenName(column.meta, token).replace("patch ", "")}, ${tokenPlace(column.meta, token)}`;
            const parts = product(shown);
            if (!parts) return place;
            const sum = `${small(parts.sum)} + ${addend(parts.bias)} = ${small(parts.made)}`;
            return `${place} · component ${shown.component + 1}: ${sum}`;
        },
        actions: {
            component: {
                keys: ["n", "N"],
                label: "component, with Shift back",
                perform: ({ key }) => step(key === "n" ? 1 : -1),
            },
        },
        play: ({ component }) => (component + 1 < column.meta.dim ? { component: component + 1 } : null),
    };
}
