// Heads: the maps of one query in all layers and heads as light on the photo; the matrix of a head; two heads side by side.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Shows } from "../state/maps.js" */
/** @import { Scene, Selection } from "../types.js" */

import { strongest } from "../draw/attention.js";
import { element } from "../draw/elements.js";
import { font, onCanvas, outline, place } from "../draw/surface.js";
import { small, tokenName } from "../draw/text.js";
import { exactWeights, matrix, weights } from "../state/maps.js";

const TIMES_UNIFORM = 8; // the shared scale ends at this many times the weight of uniform attention
const DARK = 0.72;
const CHOICES = /** @type {const} */ ({
    shows: [
        ["row", "looks at"],
        ["column", "is looked at by"],
        ["rollout", "rollout"],
    ],
    scale: [
        ["shared", "one scale"],
        ["own", "own scale"],
    ],
    drawn: [
        ["light", "light"],
        ["colours", "colours"],
    ],
});

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function heads(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const choices = element("div", { class: "choices foot" });
    /** @type {{ name: string, value: string, button: HTMLButtonElement }[]} */
    const buttons = [];
    for (const [name, values] of Object.entries(CHOICES)) {
        const group = element("span", { role: "group", "aria-label": name });
        for (const [value, text] of values) {
            const button = element("button", { type: "button" }, text);
            button.addEventListener("click", () => board.choose({ [name]: value }));
            buttons.push({ name, value, button });
            group.append(button);
        }
        choices.append(group);
    }
    const specials = element("span", { role: "group", "aria-label": "Tokens without a place" });
    choices.prepend(specials);
    root.replaceChildren(canvas, choices);

    /** @type {{ key: string, held: boolean[], maps: Float32Array[], largest: Float64Array }} */
    let wall = { key: "", held: [], maps: [], largest: new Float64Array(0) };
    /** @type {{ key: string, picture: OffscreenCanvas | null }} */
    let drawnMatrix = { key: "", picture: null };
    /** Where things lie on the canvas. @type {{ kind: "tile" | "matrix", x: number, y: number, width: number, height: number }[]} */
    let areas = [];

    const shared = () => Math.min(1, TIMES_UNIFORM / board.meta.tokens);
    const colours = () => board.data.weights;
    const what = (/** @type {Selection} */ { query, shows }) => ({ query, shows: /** @type {Shows} */ (shows) });
    /** The row of the wall that is on the photo: a head, or below the heads their mean or the rollout.
     *  @param {Selection} shown */
    const rowOf = ({ head, mean, shows }) => (mean === "1" || shows === "rollout" ? board.meta.heads : head);

    /** All maps of the query, read when query, direction or what is held has changed. @param {Selection} shown */
    const read = (shown) => {
        const { depth, heads: many, tokens, prefix, digest } = board.meta;
        const key = `${digest} ${shown.query} ${shown.shows} ${board.parcels.held.size}`;
        if (key === wall.key) return;
        const count = depth * (many + 1);
        if (wall.maps.length !== count || wall.maps[0].length !== tokens) {
            wall.maps = Array.from({ length: count }, () => new Float32Array(tokens));
        }
        wall = { ...wall, key, held: [], largest: new Float64Array(count) };
        for (let layer = 0; layer < depth; layer++) {
            for (let head = 0; head <= many; head++) {
                const at = layer * (many + 1) + head;
                wall.held[at] = weights(board, { layer, head, ...what(shown) }, wall.maps[at]);
                for (let token = prefix.length; token < tokens; token++) {
                    wall.largest[at] = Math.max(wall.largest[at], wall.maps[at][token]);
                }
            }
        }
    };
    const mapAt = (/** @type {number} */ layer, /** @type {number} */ row) => layer * (board.meta.heads + 1) + row;
    const top = (/** @type {Selection} */ { scale }, /** @type {number} */ at) =>
        scale === "own" ? wall.largest[at] || 1 : shared();

    /** A map as pixels that are laid over the photo: darkness where nobody looks, or the colours of weights.
     *  @param {Selection} shown @param {number} at */
    const veil = (shown, at) => {
        const { rows, columns, prefix } = board.meta;
        const over = new OffscreenCanvas(columns, rows);
        const context = /** @type {OffscreenCanvasRenderingContext2D} */ (over.getContext("2d"));
        const image = context.createImageData(columns, rows);
        const words = new Uint32Array(image.data.buffer);
        const [limit, scale] = [top(shown, at), colours()];
        for (let patch = 0; patch < words.length; patch++) {
            const share = Math.min(1, wall.maps[at][prefix.length + patch] / limit);
            if (!wall.held[at]) words[patch] = 0xb0808080;
            else if (shown.drawn === "colours") {
                const step = 3 * Math.round(255 * share);
                words[patch] = (0xff000000 | (scale[step + 2] << 16) | (scale[step + 1] << 8) | scale[step]) >>> 0;
            } else words[patch] = (Math.round(255 * DARK * (1 - Math.sqrt(share))) << 24) >>> 0;
        }
        context.putImageData(image, 0, 0);
        return over;
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} x @param {number} y
     *  @param {number} size @param {number} at */
    const drawMap = (context, shown, x, y, size, at) => {
        if (photo.picture) context.drawImage(photo.picture, x, y, size, size);
        context.imageSmoothingEnabled = false;
        context.drawImage(veil(shown, at), x, y, size, size);
        context.imageSmoothingEnabled = true;
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawWall = (context, shown, width, height, colour) => {
        const { depth, heads: many } = board.meta;
        const [left, head] = [58, 24];
        const size = Math.min((width - left) / depth, (height - head) / (many + 1));
        const gap = Math.max(1, size * 0.07);
        const tall = Math.min(15, size * 0.8);
        context.fillStyle = colour;
        font(context, Math.max(9, tall));
        for (let layer = 0; layer < depth; layer++) {
            context.textAlign = "center";
            context.fillText(
                depth > 16 ? String(layer + 1) : `layer ${layer + 1}`.slice(size < 58 ? 6 : 0),
                left + layer * size + (size - gap) / 2,
                17,
            );
            for (let row = 0; row <= many; row++) {
                const at = mapAt(layer, row);
                const [x, y] = [left + layer * size, head + row * size + (row === many ? 4 : 0)];
                drawMap(context, shown, x, y, size - gap, at);
                areas.push({ kind: "tile", x, y, width: size, height: size });
                if (layer === shown.layer && row === rowOf(shown))
                    outline(context, x, y, size - gap, size - gap, board.data.palette.chosen);
            }
        }
        context.textAlign = "right";
        context.fillStyle = colour;
        for (let row = 0; row <= many; row++) {
            const name = row < many ? String(row + 1) : shown.shows === "rollout" ? "rollout" : "mean";
            context.fillText(name, left - 8, head + row * size + size / 2 + 5);
        }
        context.textAlign = "left";
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawMatrix = (context, shown, width, height, colour) => {
        const { tokens, digest } = board.meta;
        const row = Math.min(rowOf(shown), board.meta.heads);
        const key = `${digest} ${shown.layer} ${row} ${shown.scale} ${Boolean(board.parcels.get(`maps-${shown.layer}`))}`;
        if (key !== drawnMatrix.key) {
            const values = matrix(board, shown.layer, row);
            const limit = shown.scale === "own" && values ? values.reduce((a, b) => Math.max(a, b), 0) : shared();
            drawnMatrix = { key, picture: values && picture(values, tokens, limit, colours()) };
        }
        const size = Math.min(width, height - 28);
        context.fillStyle = colour;
        font(context, 16);
        const said = drawnMatrix.picture ? "a row per query, a column per key" : "too large, or on its way";
        context.fillText(
            `layer ${shown.layer + 1}, ${row < board.meta.heads ? `head ${row + 1}` : "mean"}: ${tokens} × ${tokens}, ${said}`,
            0,
            18,
        );
        if (!drawnMatrix.picture) return;
        context.imageSmoothingEnabled = false;
        context.drawImage(drawnMatrix.picture, 0, 28, size, size);
        areas.push({ kind: "matrix", x: 0, y: 28, width: size, height: size });
        const cell = size / tokens;
        if (shown.shows === "column")
            outline(context, shown.query * cell, 28, Math.max(3, cell), size, board.data.palette.chosen);
        else outline(context, 0, 28 + shown.query * cell, size, Math.max(3, cell), board.data.palette.chosen);
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawPair = (context, shown, width, height, colour) => {
        const { heads: many } = board.meta;
        const size = Math.min((width - 20) / 2, height - 60);
        const second = shown.key >= 0 ? shown.key % many : (shown.head + 1) % many;
        for (const [place, row] of [shown.head, second].entries()) {
            const at = mapAt(shown.layer, row);
            const x = place * (size + 20);
            drawMap(context, shown, x, 28, size, at);
            context.fillStyle = colour;
            font(context, 17);
            context.fillText(`layer ${shown.layer + 1}, head ${row + 1}`, x, 18);
            const best = strongest(wall.maps[at]);
            context.fillText(
                `most at ${tokenName(board.meta, best)}: ${told({ ...shown, head: row }, best)}`,
                x,
                size + 50,
            );
        }
    };

    /** A weight in words; ≈ as long as it is read from one byte. @param {Selection} shown @param {number} token */
    const told = (shown, token) => {
        const row = Math.min(rowOf(shown), board.meta.heads);
        const exact = exactWeights(board, { layer: shown.layer, head: row, ...what(shown) });
        const value = exact ? exact[token] : wall.maps[mapAt(shown.layer, row)][token];
        return `${exact ? "" : "≈ "}${small(value)}`;
    };

    /** What is under the pointer, as a change of the selection. @param {MouseEvent} event
     *  @returns {Partial<Selection> | null} */
    const pointed = (event) => {
        const spot = place(event, canvas);
        const [x, y] = [spot.x * canvas.clientWidth, spot.y * canvas.clientHeight];
        const { heads: many, tokens } = board.meta;
        const at = areas.findIndex((it) => x >= it.x && x < it.x + it.width && y >= it.y && y < it.y + it.height);
        if (at < 0) return null;
        const area = areas[at];
        if (area.kind === "matrix") {
            const [key, query] = [(x - area.x) / area.width, (y - area.y) / area.height].map((share) =>
                Math.floor(share * tokens),
            );
            return board.shown.shows === "column" ? { query: key } : { query };
        }
        const [layer, row] = [Math.floor(at / (many + 1)), at % (many + 1)];
        return row < many ? { layer, head: row, mean: "0" } : { layer, mean: "1" };
    };
    canvas.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch") board.look(pointed(event) ?? {});
    });
    canvas.addEventListener("pointerleave", () => board.look({}));
    canvas.addEventListener("click", (event) => {
        const found = pointed(event);
        if (found) board.choose(found);
    });

    return {
        draw(shown) {
            read(shown);
            const { prefix, heads: many } = board.meta;
            const row = rowOf(shown);
            const at = mapAt(shown.layer, row);
            areas = [];
            for (const { name, value, button } of buttons)
                button.setAttribute("aria-pressed", String(shown[name] === value));
            if (specials.childElementCount !== prefix.length) {
                specials.replaceChildren(
                    ...prefix.map((name, query) => {
                        const button = element("button", { type: "button" }, `[${name}]`);
                        button.addEventListener("click", () => board.choose({ query }));
                        return button;
                    }),
                );
            }
            for (const [query, button] of [...specials.children].entries())
                button.setAttribute("aria-pressed", String(query === shown.query));
            photo.frames = [{ token: shown.query, colour: board.data.palette.query }];
            if (wall.held[at]) {
                const limit = top(shown, at);
                if (shown.drawn === "colours") {
                    photo.over = (context, size) => {
                        context.imageSmoothingEnabled = false;
                        context.globalAlpha = 0.8;
                        context.drawImage(veil(shown, at), 0, 0, size, size);
                        context.globalAlpha = 1;
                    };
                } else {
                    photo.light = wall.maps[at]
                        .subarray(prefix.length)
                        .map((weight) => Math.sqrt(Math.min(1, weight / limit)));
                }
            }
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                const room = height - 44;
                if (shown.moment === 1) drawMatrix(context, shown, width, room, colour);
                else if (shown.moment === 2 && many > 1) drawPair(context, shown, width, room, colour);
                else drawWall(context, shown, width, room, colour);
            });
            canvas.setAttribute(
                "aria-label",
                `Attention of ${tokenName(board.meta, shown.query)} in layer ${shown.layer + 1}.`,
            );
        },
        readout(shown) {
            read(shown);
            const row = Math.min(rowOf(shown), board.meta.heads);
            const at = mapAt(shown.layer, row);
            if (!wall.held[at]) return `Layer ${shown.layer + 1} is on its way.`;
            const exact = exactWeights(board, { layer: shown.layer, head: row, ...what(shown) });
            const best = strongest(exact ?? wall.maps[at]);
            const value = exact ? exact[best] : wall.maps[at][best];
            const verb = { row: "looks most at", column: "is looked at most by", rollout: "has gathered most from" }[
                String(shown.shows)
            ];
            const which =
                row < board.meta.heads
                    ? `head ${row + 1}`
                    : shown.shows === "rollout"
                      ? "rollout"
                      : "mean of the heads";
            return (
                `{query} ${tokenName(board.meta, shown.query)} · layer ${shown.layer + 1} · ${which} ${verb} ` +
                `${tokenName(board.meta, best)}: ${exact ? "" : "≈ "}${small(value)}, ${small(value * board.meta.tokens)} × uniform`
            );
        },
        needs({ layer, query, shows }) {
            const wanted = [`exact-${layer}-${query}`];
            if (shows === "rollout") wanted.push(`rollout-${query}`);
            if (!board.parcels.get(`maps-${layer}`)) wanted.push(`maps-${layer}`);
            return wanted;
        },
        play: ({ layer }) => (layer + 1 < board.meta.depth ? { layer: layer + 1 } : null),
    };
}

/** @param {Float32Array} values @param {number} tokens @param {number} limit @param {number[]} scale */
function picture(values, tokens, limit, scale) {
    const canvas = new OffscreenCanvas(tokens, tokens);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(tokens, tokens);
    const words = new Uint32Array(image.data.buffer);
    for (let at = 0; at < words.length; at++) {
        const step = 3 * Math.round(255 * Math.min(1, values[at] / limit));
        words[at] = (0xff000000 | (scale[step + 2] << 16) | (scale[step + 1] << 8) | scale[step]) >>> 0;
    }
    context.putImageData(image, 0, 0);
    return canvas;
}
