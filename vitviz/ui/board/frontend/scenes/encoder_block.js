// Encoder block: the residual stream and what is added to it; layer norm; the MLP's hidden units; reach.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { font, onCanvas } from "../draw/surface.js";
import { small, tokenName, whole } from "../draw/text.js";
import { largest } from "../draw/tiles.js";
import { drawStrips, reach } from "../draw/vectors.js";
import { weights } from "../state/maps.js";

const BINS = 61;

/** @param {ArrayLike<number>} values */
function moments(values) {
    let [sum, squares] = [0, 0];
    for (let at = 0; at < values.length; at++) [sum, squares] = [sum + values[at], squares + values[at] ** 2];
    const mean = sum / values.length;
    return { mean, variance: squares / values.length - mean ** 2, length: Math.sqrt(squares) };
}

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function encoderBlock(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    root.replaceChildren(canvas);
    const flow = new Motion(() => board.invalidate(), 400);
    let last = "";
    let map = new Float32Array(0);

    const row = (/** @type {Selection} */ { layer, query }, /** @type {string} */ name) => {
        const { dim } = board.meta;
        return /** @type {Float32Array | undefined} */ (board.array(`block-${layer}`, name)?.data)?.subarray(
            query * dim,
            (query + 1) * dim,
        );
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawStream = (context, shown, width, height, colour) => {
        const names = ["stream", "attention", "middle", "mlp", "leaving"];
        const values = names.map((name) => row(shown, name));
        if (values.some((it) => !it)) return;
        const said = [
            "x: the token as it enters",
            "+ attention adds",
            "= in the middle",
            "+ the MLP adds",
            "= as it leaves",
        ];
        const share = flow.share;
        const strips = values.map((it, at) => ({
            name: `${said[at]}   ‖·‖ ${small(moments(/** @type {Float32Array} */ (it)).length)}`,
            values: Float64Array.from(/** @type {Float32Array} */ (it), (value) => (at % 2 ? value * share : value)),
        }));
        const left = 150;
        const limit = reach(strips);
        const boxes = drawStrips(context, strips, {
            x: left,
            y: 0,
            width: width - left,
            height: height * 0.96,
            limit,
            colour,
        });
        const palette = board.data.palette;
        context.strokeStyle = palette["residual stream"];
        context.lineWidth = 6;
        context.beginPath();
        context.moveTo(24, boxes[0].y);
        context.lineTo(24, boxes[4].y + boxes[4].height);
        context.stroke();
        for (const [at, name, role] of /** @type {[number, string, string][]} */ ([
            [1, "attention", palette.attention],
            [3, "MLP", palette.MLP],
        ])) {
            const y = boxes[at].y + boxes[at].height / 2;
            context.lineWidth = 3;
            context.strokeStyle = role;
            context.strokeRect(52, y - 22, 84, 44);
            context.fillStyle = colour;
            font(context, 16);
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.fillText(name, 94, y);
            context.beginPath();
            context.moveTo(24, y - 46);
            context.lineTo(94, y - 46);
            context.lineTo(94, y - 24);
            context.moveTo(94, y + 24);
            context.lineTo(94, y + 38);
            context.lineTo(34, y + 38);
            context.stroke();
            font(context, 20, 600);
            context.fillText("+", 24, y + 38);
        }
        context.textBaseline = "alphabetic";
        context.textAlign = "left";
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawNorms = (context, shown, width, height, colour) => {
        const pairs = [
            ["stream", "normed1", "before attention"],
            ["middle", "normed2", "before the MLP"],
        ];
        for (const [place, [from, to, where]] of pairs.entries()) {
            const [before, after] = [row(shown, from), row(shown, to)];
            if (!before || !after) continue;
            const [a, b] = [moments(before), moments(after)];
            const strips = [
                { name: `the token ${where}: mean ${small(a.mean)}, variance ${small(a.variance)}`, values: before },
                {
                    name: `layer-normalised, scaled and shifted: mean ${small(b.mean)}, variance ${small(b.variance)}`,
                    values: after,
                },
            ];
            drawStrips(context, strips, {
                x: 0,
                y: place * height * 0.49,
                width,
                height: height * 0.47,
                limit: reach(strips),
                colour,
            });
        }
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {number} height
     *  @param {string} colour */
    const drawHidden = (context, shown, width, height, colour) => {
        const [before, after] = ["before", "after"].map(
            (name) => board.array(`hidden-${shown.layer}-${shown.query}`, name)?.data,
        );
        context.fillStyle = colour;
        font(context, 17);
        if (!before || !after) {
            context.fillText("The hidden units of this token are on their way.", 0, 20);
            return;
        }
        let [least, most, low, high] = [0, 0, 0, 0];
        for (let at = 0; at < before.length; at++) {
            [least, most] = [Math.min(least, before[at]), Math.max(most, before[at])];
            [low, high] = [Math.min(low, after[at]), Math.max(high, after[at])];
        }
        const [left, top, wide, tall] = [40, 40, width - 60, height - 110];
        const x = (/** @type {number} */ value) => left + ((value - least) / (most - least || 1)) * wide;
        const y = (/** @type {number} */ value) => top + (1 - (value - low) / (high - low || 1)) * tall;
        context.strokeStyle = colour;
        context.globalAlpha = 0.4;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(left, y(0));
        context.lineTo(left + wide, y(0));
        context.moveTo(x(0), top);
        context.lineTo(x(0), top + tall);
        context.stroke();
        context.globalAlpha = 1;
        context.setLineDash([7, 6]);
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(x(least), y(0));
        context.lineTo(x(0), y(0));
        context.lineTo(x(Math.min(most, high)), y(Math.min(most, high)));
        context.stroke();
        context.setLineDash([]);
        const counts = new Int32Array(BINS);
        const bin = (/** @type {number} */ value) =>
            Math.min(BINS - 1, Math.floor(((value - least) / (most - least || 1)) * BINS));
        const sums = new Float64Array(BINS);
        let active = 0;
        for (let at = 0; at < before.length; at++) {
            counts[bin(before[at])]++;
            sums[bin(before[at])] += after[at];
            active += Number(before[at] > 0);
        }
        const full = largest(counts);
        context.fillStyle = board.data.palette.MLP;
        context.globalAlpha = 0.75;
        for (let at = 0; at < BINS; at++) {
            if (!counts[at]) continue;
            context.beginPath();
            context.arc(
                x(least + ((at + 0.5) / BINS) * (most - least)),
                y(sums[at] / counts[at]),
                3 + 22 * Math.sqrt(counts[at] / full),
                0,
                7,
            );
            context.fill();
        }
        context.globalAlpha = 1;
        context.fillStyle = colour;
        context.fillText(
            `${whole(active)} of ${whole(before.length)} hidden units are above 0; the largest is ${small(most)}. Area: how many. Dashed: ReLU.`,
            0,
            20,
        );
        context.fillText(small(least), left, top + tall + 24);
        context.textAlign = "right";
        context.fillText(small(most), left + wide, top + tall + 24);
        context.textAlign = "center";
        context.fillText("before the activation →", left + wide / 2, top + tall + 48);
        context.textAlign = "left";
    };

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {number} width @param {string} colour */
    const drawReach = (context, shown, width, colour) => {
        const { columns, rows, prefix, tokens, heads } = board.meta;
        const layer = shown.layer + 1;
        const side = Math.min(2 * layer + 1, columns);
        const lines = [
            `After ${layer} ${layer > 1 ? "layers" : "layer"} of 3 × 3 convolutions a patch has met`,
            `${2 * layer + 1} × ${2 * layer + 1} = ${whole((2 * layer + 1) ** 2)} patches around it: the frame on the photo.`,
            "",
            `Head ${shown.head + 1} of layer ${layer} looks at all ${whole(columns * rows)} at once: the light.`,
        ];
        context.fillStyle = colour;
        font(context, 19);
        for (const [at, line] of lines.entries()) context.fillText(line, 0, 40 + at * 30, width);
        if (map.length !== tokens) map = new Float32Array(tokens);
        const held = weights(
            board,
            { layer: shown.layer, head: Math.min(shown.head, heads - 1), query: shown.query, shows: "row" },
            map,
        );
        const patches = map.subarray(prefix.length);
        const most = largest(patches);
        if (held) photo.light = patches.map((weight) => Math.sqrt(weight / most));
        const patch = Math.max(0, shown.query - prefix.length);
        photo.over = (over, size) => {
            const cell = size / columns;
            const [x, y] = [(patch % columns) - layer, Math.floor(patch / columns) - layer];
            over.save();
            over.beginPath();
            over.rect(0, 0, size, size);
            over.clip();
            over.strokeStyle = board.data.palette.patch;
            over.lineWidth = 4;
            over.strokeRect(x * cell, y * cell, (2 * layer + 1) * cell, (2 * layer + 1) * cell);
            over.restore();
        };
        if (!held) return;
        let inside = 0;
        for (let at = 0; at < patches.length; at++) {
            const near = Math.max(
                Math.abs((at % columns) - (patch % columns)),
                Math.abs(Math.floor(at / columns) - Math.floor(patch / columns)),
            );
            if (near <= layer) inside += patches[at];
        }
        const all = patches.reduce((a, b) => a + b, 0) || 1;
        font(context, 22, 600);
        context.fillText(
            `${((100 * inside) / all).toFixed(1)} % of its light on patches falls inside the ${side} × ${side} frame.`,
            0,
            190,
            width,
        );
    };

    return {
        draw(shown) {
            const moment = Math.min(shown.moment, 3);
            const what = `${moment} ${shown.layer}`;
            if (what !== last) flow.start();
            last = what;
            photo.grid = moment === 3;
            photo.frames = [{ token: shown.query, colour: board.data.palette.chosen }];
            onCanvas(canvas, (context, width, height) => {
                const colour = getComputedStyle(canvas).color;
                if (moment === 0) drawStream(context, shown, width, height, colour);
                else if (moment === 1) drawNorms(context, shown, width, height, colour);
                else if (moment === 2) drawHidden(context, shown, width, height, colour);
                else drawReach(context, shown, width, colour);
            });
            canvas.setAttribute("aria-label", `Block ${shown.layer + 1} for ${tokenName(board.meta, shown.query)}`);
        },
        readout: ({ query, layer, head, moment }) =>
            `{chosen} ${tokenName(board.meta, query)} · block ${layer + 1} of ${board.meta.depth}${moment === 3 ? ` · head ${head + 1}` : ""}`,
        needs: ({ layer, query, moment }) => [`block-${layer}`, ...(moment === 2 ? [`hidden-${layer}-${query}`] : [])],
        play: ({ layer }) => (layer + 1 < board.meta.depth ? { layer: layer + 1 } : null),
    };
}
