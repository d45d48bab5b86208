// Depth: one layer alone and all layers together, the reach of the heads, the journey of the class token.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { Areas } from "../draw/areas.js";
import { element } from "../draw/elements.js";
import { font, onCanvas, outline } from "../draw/surface.js";
import { small, tokenName, whole } from "../draw/text.js";
import { drawLit, largest, veil } from "../draw/tiles.js";
import { weights } from "../state/maps.js";

const CITED = "Attention rollout (Abnar & Zuidema 2020): each layer's attention, half identity, multiplied up.";

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function depth(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const areas = new Areas(canvas, board);
    let map = new Float32Array(0);

    const journey = (/** @type {number} */ query, /** @type {string} */ name) =>
        board.array(`journey-${query}`, name)?.data;
    const queryOf = (/** @type {Selection} */ { moment, query }) => (moment === 2 ? 0 : query);

    /** Weights on the patches of one layer. @param {ArrayLike<number>} rows @param {number} layer */
    const patchesOf = (rows, layer) => {
        const { tokens, prefix } = board.meta;
        return Array.prototype.slice.call(rows, layer * tokens + prefix.length, (layer + 1) * tokens);
    };
    /** The largest weight of another patch than the query, in all layers. @param {ArrayLike<number>} rows @param {number} query */
    const limitOf = (rows, query) => {
        const { tokens, prefix } = board.meta;
        let most = 1e-12;
        for (let at = 0; at < rows.length; at++) {
            const token = at % tokens;
            if (token >= prefix.length && token !== query) most = Math.max(most, rows[at]);
        }
        return most;
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawTiles = (context, shown, width, height, colour) => {
        const { depth: many, columns, rows } = board.meta;
        const query = queryOf(shown);
        const kinds = /** @type {const} */ ([
            ["alone", "each layer alone, mean of its heads"],
            ["rollout", "rollout: through all layers so far"],
        ]);
        const room = (height - 40) / 2;
        let across = 1;
        while (Math.ceil(many / across) * (width / across) > room - 30) across++;
        across = Math.max(across, Math.min(many, 6));
        const cell = width / across;
        for (const [place, [name, says]] of kinds.entries()) {
            const top = place * room;
            context.fillStyle = colour;
            font(context, 16);
            context.textAlign = "left";
            const values = journey(query, name);
            const limit = values ? limitOf(values, query) : 1;
            context.fillText(values ? `${says}; full light from ${small(limit)}` : `${says}: on its way`, 0, top + 18);
            for (let layer = 0; values && layer < many; layer++) {
                const [x, y] = [(layer % across) * cell, top + 28 + Math.floor(layer / across) * cell];
                const size = cell * 0.94;
                drawLit(context, photo.picture, veil(patchesOf(values, layer), columns, rows, limit), x, y, size);
                if (layer + 1 === shown.through)
                    outline(context, x + 1, y + 1, size - 2, size - 2, board.data.palette.chosen);
                areas.add({ x, y, width: cell, height: cell, at: () => ({ through: layer + 1, layer }) });
            }
        }
        context.fillStyle = colour;
        font(context, 15);
        context.fillText(CITED, 0, height - 8);
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawClouds = (context, shown, width, height, colour) => {
        const { depth: many, heads, tokens, patch_size: p } = board.meta;
        const uniform = board.array("by-layer", "uniform")?.data[0] ?? 1;
        const plots = /** @type {[string, string, number][]} */ ([
            ["distance", `mean attention distance: how far the patches look, in patches of ${p} pixels`, uniform],
            ["entropy", `attention entropy: nats; ln ${whole(tokens)} where all tokens count alike`, Math.log(tokens)],
        ]);
        const room = (height - 10) / 2;
        for (const [place, [name, says, limit]] of plots.entries()) {
            const values = board.array("by-layer", name)?.data;
            const [left, top, wide, tall] = [46, place * room + 30, width - 60, room - 62];
            context.fillStyle = colour;
            font(context, 16);
            context.textAlign = "left";
            context.fillText(says, 0, place * room + 18);
            if (!values) continue;
            const most = Math.max(limit, largest(values)) * 1.06;
            const y = (/** @type {number} */ value) => top + tall * (1 - value / most);
            context.strokeStyle = colour;
            context.globalAlpha = 0.5;
            context.setLineDash([6, 5]);
            context.beginPath();
            context.moveTo(left, y(limit));
            context.lineTo(left + wide, y(limit));
            context.stroke();
            context.setLineDash([]);
            context.strokeRect(left, top, wide, tall);
            context.globalAlpha = 1;
            context.fillText(small(limit), 2, y(limit) + 5);
            context.fillText("0", 22, top + tall);
            for (let layer = 0; layer < many; layer++) {
                const x = left + ((layer + 0.5) * wide) / many;
                context.fillStyle = colour;
                context.textAlign = "center";
                if (many <= 16 || layer % 4 === 0) context.fillText(`${layer + 1}`, x, top + tall + 20);
                context.textAlign = "left";
                for (let head = 0; head < heads; head++) {
                    const at = [
                        x + (head - (heads - 1) / 2) * Math.min(10, wide / many / (heads + 1)),
                        y(values[layer * heads + head]),
                    ];
                    const here = layer === shown.layer && head === shown.head;
                    context.fillStyle = here ? board.data.palette.chosen : board.data.palette.attention;
                    context.beginPath();
                    context.arc(at[0], at[1], here ? 9 : 6, 0, 7);
                    context.fill();
                    if (here) {
                        context.strokeStyle = "#000";
                        context.lineWidth = 2;
                        context.stroke();
                    }
                    const look = { layer, head };
                    areas.add({
                        x: at[0] - 8,
                        y: at[1] - 8,
                        width: 16,
                        height: 16,
                        at: () => look,
                        click: () => {
                            board.choose(look);
                            board.go("heads");
                        },
                    });
                }
            }
        }
    };

    return {
        draw(shown) {
            const { prefix, tokens, heads } = board.meta;
            areas.clear();
            const query = queryOf(shown);
            photo.frames = [{ token: query, colour: board.data.palette.query }];
            const rolled = journey(query, "rollout");
            if (shown.moment === 1) {
                if (map.length !== tokens) map = new Float32Array(tokens);
                const held = weights(
                    board,
                    { layer: shown.layer, head: Math.min(shown.head, heads - 1), query, shows: "row" },
                    map,
                );
                const onPatches = map.subarray(prefix.length);
                const most = largest(onPatches);
                if (held) photo.light = onPatches.map((weight) => Math.sqrt(weight / most));
            } else if (rolled) {
                const limit = limitOf(rolled, query);
                photo.light = patchesOf(rolled, shown.through - 1).map((/** @type {number} */ weight) =>
                    Math.sqrt(Math.min(1, weight / limit)),
                );
            }
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                if (shown.moment === 1) drawClouds(context, shown, width, height, colour);
                else drawTiles(context, shown, width, height, colour);
            });
            canvas.setAttribute("aria-label", `${tokenName(board.meta, query)} through layer ${shown.through}`);
        },
        readout(shown) {
            const name = tokenName(board.meta, queryOf(shown));
            if (shown.moment === 1) {
                const at = shown.layer * board.meta.heads + shown.head;
                const [distance, entropy] = ["distance", "entropy"].map((it) => board.array("by-layer", it)?.data[at]);
                const says =
                    distance === undefined || entropy === undefined
                        ? ""
                        : `: distance ${small(distance)} patches, entropy ${small(entropy)} nats`;
                return `Layer ${shown.layer + 1}, head ${shown.head + 1}${says}. A click opens it.`;
            }
            return `{query} ${name} · on the photo: rollout through layer ${shown.through} of ${board.meta.depth}`;
        },
        needs: ({ query, moment, layer }) => [`journey-${query}`, ...(moment === 1 ? [`maps-${layer}`] : [])],
        keys: {
            l: () =>
                board.choose({
                    through: (board.chosen.through % board.meta.depth) + 1,
                    layer: board.chosen.through % board.meta.depth,
                }),
            L: () => board.choose({ through: ((board.chosen.through - 2 + board.meta.depth) % board.meta.depth) + 1 }),
        },
        play: ({ through }) => (through < board.meta.depth ? { through: through + 1, layer: through } : null),
    };
}
