// Query, key, value: one token's whole way through attention, from the residual stream and back to it.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { Areas } from "../draw/areas.js";
import { entropy, products, softmax, strongest, weightedSum } from "../draw/attention.js";
import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { font, onCanvas } from "../draw/surface.js";
import { small, tokenName, whole } from "../draw/text.js";
import { drawStrips, reach } from "../draw/vectors.js";

const DIVISORS = ["one", "root", "all"];
const HEADS = ["scores", "largest weight", "attention entropy, nats", "slope p(1 − p)"];
const LIGHT = 0.8; // the most that a weight's light may be away from full, so that small weights are seen

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function queryKeyValue(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const words = element("p", { class: "note" });
    const body = element("tbody", {});
    const table = element("table", { class: "sizes divide" }, element("thead", {}, line("th", HEADS)), body);
    const rows = DIVISORS.map((value) => {
        const button = element("button", { type: "button" });
        const row = element("tr", {}, element("th", { scope: "row" }, button));
        row.addEventListener("pointerenter", ({ pointerType }) => {
            if (pointerType !== "touch") board.look({ divide: value });
        });
        row.addEventListener("pointerleave", () => board.look({}));
        row.addEventListener("click", () => board.choose({ divide: value }));
        body.append(row);
        return { value, row, button };
    });
    root.replaceChildren(canvas, table, words);
    const areas = new Areas(canvas, board);
    const flow = new Motion(() => board.invalidate(), 400);
    let last = -1;

    /** What one query, head and layer lead to; null where the numbers are on their way. @param {Selection} shown */
    const steps = ({ layer, head, query, key, divide: by }) => {
        const { tokens, head_dim: width } = board.meta;
        const at = (/** @type {string} */ name) =>
            /** @type {Float32Array | undefined} */ (board.array(`values-${layer}`, name)?.data);
        const [qs, ks, vs] = [at("q"), at("k"), at("v")];
        if (!qs || !ks || !vs) return null;
        const size = tokens * width;
        const [keys, values] = [
            ks.subarray(head * size, (head + 1) * size),
            vs.subarray(head * size, (head + 1) * size),
        ];
        const q = qs.subarray(head * size + query * width, head * size + (query + 1) * width);
        const dots = products(q, keys, tokens, width);
        const by_ = /** @type {Record<string, number>} */ ({ one: 1, root: Math.sqrt(width), all: width });
        const scores = dots.map((dot) => dot / by_[String(by)]);
        const weights = softmax(scores);
        const chosen = key >= 0 ? key : strongest(softmax(dots.map((dot) => dot / by_.root)));
        return { q, keys, values, dots, scores, weights, chosen, by: by_, at };
    };
    /** @typedef {NonNullable<ReturnType<typeof steps>>} Steps */

    /** A component of a `t d` array for one token. @param {Steps} it @param {string} name @param {number} token */
    const row = (it, name, token) => {
        const { dim } = board.meta;
        return it.at(name)?.subarray(token * dim, (token + 1) * dim) ?? new Float32Array(dim);
    };
    const of = (/** @type {Float32Array} */ all, /** @type {number} */ token) => {
        const width = board.meta.head_dim;
        return all.subarray(token * width, (token + 1) * width);
    };
    const short = (/** @type {number} */ token) => tokenName(board.meta, token);

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Steps} it
     *  @param {Selection} shown @param {string} colour */
    const matrices = (context, width, height, it, { query, head }, colour) => {
        const [stream, normed] = [row(it, "stream", query), row(it, "normed", query)];
        drawStrips(context, [{ name: `x: ${short(query)} in the residual stream`, values: stream }], {
            x: 0,
            y: 0,
            width,
            height: height * 0.17,
            limit: reach([{ name: "", values: stream }]),
            colour,
        });
        drawStrips(context, [{ name: "LN(x): layer-normalised", values: normed }], {
            x: 0,
            y: height * 0.18,
            width,
            height: height * 0.17,
            limit: reach([{ name: "", values: normed }]),
            colour,
        });
        const size = board.meta.tokens * board.meta.head_dim;
        const values = of(/** @type {Float32Array} */ (it.at("v")).subarray(head * size, (head + 1) * size), query);
        const made = [
            { name: "q = LN(x)·Wq + bq: what it asks", values: it.q },
            { name: "k = LN(x)·Wk + bk: what it answers", values: of(it.keys, query) },
            { name: "v = LN(x)·Wv + bv: what it gives", values },
        ];
        const boxes = drawStrips(context, made, {
            x: 0,
            y: height * 0.38,
            width: width * (0.3 + 0.7 * flow.share),
            height: height * 0.6,
            limit: reach(made),
            colour,
        });
        for (const [place, role] of ["query", "key", "value"].entries()) {
            context.fillStyle = board.data.palette[role];
            context.fillRect(boxes[place].x, boxes[place].y + boxes[place].height + 2, boxes[place].width, 4);
        }
    };

    /** One bar per key. @param {CanvasRenderingContext2D} context @param {ArrayLike<number>} values @param {number} y
     *  @param {number} width @param {number} height @param {number} key @param {string} colour */
    const drawBars = (context, values, y, width, height, key, colour) => {
        areas.add({ x: 0, y, width, height, at: (x) => ({ key: Math.floor(x * values.length) }) });
        let [least, most] = [0, 0];
        for (let at = 0; at < values.length; at++)
            [least, most] = [Math.min(least, values[at]), Math.max(most, values[at])];
        const scale = height / (most - least || 1);
        const across = width / values.length;
        for (let at = 0; at < values.length; at++) {
            context.fillStyle = at === key ? board.data.palette.key : colour;
            const tall = Math.abs(values[at]) * scale;
            const top = values[at] >= 0 ? y + most * scale - tall : y + most * scale;
            context.fillRect(at * across, top, Math.max(1, across - 0.6), Math.max(tall, at === key ? 2 : 0.5));
        }
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Steps} it
     *  @param {Selection} shown @param {string} colour */
    const score = (context, width, height, it, { query }, colour) => {
        const k = of(it.keys, it.chosen);
        const both = [
            { name: `q of ${short(query)}`, values: it.q },
            { name: `k of ${short(it.chosen)}`, values: k },
        ];
        drawStrips(context, both, { x: 0, y: 0, width, height: height * 0.3, limit: reach(both), colour });
        const times = [
            { name: "q × k, component by component", values: Float64Array.from(it.q, (value, at) => value * k[at]) },
        ];
        drawStrips(context, times, {
            x: 0,
            y: height * 0.31,
            width,
            height: height * 0.16,
            limit: reach(times),
            colour,
        });
        context.fillStyle = colour;
        context.fillText(
            `added up: q·k of every key; ${short(it.chosen)} has ${small(it.dots[it.chosen])}`,
            0,
            height * 0.55,
        );
        drawBars(context, it.dots, height * 0.57, width, height * 0.4, it.chosen, board.data.palette.query);
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Steps} it
     *  @param {string} colour */
    const share = (context, width, height, it, colour) => {
        const room = (height - table.offsetHeight - 16) / 2;
        const total = it.weights.reduce((a, b) => a + b, 0);
        const name = short(it.chosen);
        const says = [
            `scores; ${name} has ${small(it.scores[it.chosen])}`,
            `softmax → weights; ${name} has ${small(it.weights[it.chosen])}, all sum to ${total.toFixed(4)}`,
        ];
        const [scores, weights] = [board.data.palette.query, board.data.palette.attention];
        context.textAlign = "left";
        context.textBaseline = "bottom";
        for (const [place, text] of says.entries()) {
            font(context, 17);
            context.fillStyle = colour;
            context.fillText(text, 0, place * room + 22, width);
        }
        drawBars(context, it.scores, 28, width, room - 40, it.chosen, scores);
        drawBars(context, it.weights, room + 28, width, room - 40, it.chosen, weights);
    };

    /** What becomes of the scores with each divisor. @param {Steps | null} it @param {Selection} shown */
    const fillTable = (it, { divide }) => {
        for (const { value, row, button } of rows) {
            const by = it?.by[value] ?? 1;
            button.textContent = value === "root" ? `÷ √${board.meta.head_dim} = ${small(by)}` : `÷ ${whole(by)}`;
            button.setAttribute("aria-pressed", String(divide === value));
            row.classList.toggle("here", divide === value);
            const weights = it && softmax(it.dots.map((dot) => dot / by));
            const most = weights ? weights[strongest(weights)] : 0;
            const cells = weights ? [most, entropy(weights), most * (1 - most)].map(small) : ["", "", ""];
            row.replaceChildren(row.children[0], ...cells.map((text) => element("td", {}, text)));
        }
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Steps} it
     *  @param {string} colour */
    const sum = (context, width, height, it, colour) => {
        const order = Array.from(it.weights, (_, at) => at).sort((a, b) => it.weights[b] - it.weights[a]);
        const shown = order.slice(0, 4);
        const parts = shown.map((key) => ({
            name: `${small(it.weights[key])} · v of ${short(key)}`,
            values: Float64Array.from(of(it.values, key), (value) => value * it.weights[key] * flow.share),
        }));
        const z = weightedSum(it.weights, it.values, board.meta.head_dim);
        const rest = Float64Array.from(
            z,
            (value, at) => value - parts.reduce((all, part) => all + part.values[at], 0) / (flow.share || 1),
        );
        const every = [
            ...parts,
            { name: `all ${whole(it.weights.length - shown.length)} others together`, values: rest },
            { name: "z: the sum, the output of the head", values: z },
        ];
        const boxes = drawStrips(context, every, { x: 0, y: 0, width, height, limit: reach(every), colour });
        for (const [at, key] of shown.entries()) areas.add({ ...boxes[at], at: () => ({ key }) });
    };

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Steps} it
     *  @param {Selection} shown @param {string} colour */
    const output = (context, width, height, it, { layer, head, query }, colour) => {
        const { heads, head_dim: dh, tokens, dim } = board.meta;
        const side = new Float64Array(heads * dh);
        const size = tokens * dh;
        for (let each = 0; each < heads; each++) {
            const cut = (/** @type {string} */ name) =>
                /** @type {Float32Array} */ (it.at(name)).subarray(each * size, (each + 1) * size);
            const dots = products(cut("q").subarray(query * dh, (query + 1) * dh), cut("k"), tokens, dh);
            side.set(weightedSum(softmax(dots.map((dot) => dot / Math.sqrt(dh))), cut("v"), dh), each * dh);
        }
        const boxes = drawStrips(
            context,
            [
                {
                    name: `the outputs of ${heads} heads side by side: ${heads} · ${dh} = ${whole(heads * dh)}`,
                    values: side,
                },
            ],
            {
                x: 0,
                y: 0,
                width,
                height: height * 0.22,
                limit: reach([{ name: "", values: side }]),
                colour,
            },
        );
        context.strokeStyle = board.data.palette.chosen;
        context.lineWidth = 3;
        context.strokeRect((head * width) / heads, boxes[0].y - 1, width / heads, boxes[0].height + 2);
        areas.add({ ...boxes[0], at: (x) => ({ head: Math.floor(x * heads) }) });
        const added = row(it, "added", query);
        const shares = board.array(`shares-${layer}-${query}`, "shares")?.data;
        const own = shares?.subarray(head * dim, (head + 1) * dim);
        const below = [
            { name: `· Wₒ: what attention adds to ${short(query)}`, values: added },
            ...(own ? [{ name: `of it head ${head + 1}`, values: own }] : []),
            { name: "x: the residual stream that it is added to", values: row(it, "stream", query) },
        ];
        const limit = reach(below);
        drawStrips(context, below, {
            x: 0,
            y: height * 0.26,
            width,
            height: (height * 0.74 * below.length) / 3,
            limit,
            colour,
        });
    };

    return {
        draw(shown) {
            const moment = Math.min(shown.moment, 4);
            if (moment !== last) flow.start();
            last = moment;
            areas.clear();
            const it = steps(shown);
            photo.grid = moment < 2;
            photo.specials = true;
            photo.shifted = "key";
            const { palette } = board.data;
            photo.frames = [{ token: shown.query, colour: palette.query }];
            table.hidden = moment !== 2;
            if (moment === 2) fillTable(it, shown);
            words.textContent = it ? "" : `Layer ${shown.layer + 1} is on its way.`;
            words.hidden = Boolean(it);
            if (it && moment > 0) photo.frames.push({ token: it.chosen, colour: palette.key });
            if (it && moment > 1) {
                const most = it.weights[strongest(it.weights)];
                photo.light = it.weights
                    .slice(board.meta.prefix.length)
                    .map((weight) => (weight / most) ** (1 - LIGHT / 2));
            }
            onCanvas(canvas, (context, width, height) => {
                if (!it) return;
                const colour = getComputedStyle(canvas).color;
                if (moment === 0) matrices(context, width, height, it, shown, colour);
                else if (moment === 1) score(context, width, height, it, shown, colour);
                else if (moment === 2) share(context, width, height, it, colour);
                else if (moment === 3) sum(context, width, height, it, colour);
                else output(context, width, height, it, shown, colour);
            });
            canvas.setAttribute(
                "aria-label",
                it ? `${short(shown.query)} gives ${short(it.chosen)} the weight ${small(it.weights[it.chosen])}.` : "",
            );
        },
        readout({ layer, head, query, ...rest }) {
            const it = steps(/** @type {Selection} */ ({ layer, head, query, ...rest }));
            const key = it ? ` · {key} ${short(it.chosen)}, weight ${small(it.weights[it.chosen])}` : "";
            return `{query} ${short(query)}${key} · layer ${layer + 1} · head ${head + 1}`;
        },
        needs: ({ layer, query, moment }) => [`values-${layer}`, ...(moment === 4 ? [`shares-${layer}-${query}`] : [])],
        play: ({ layer }) => ({ layer: (layer + 1) % board.meta.depth }),
    };
}

/** @param {"th" | "td"} name @param {string[]} texts */
const line = (name, texts) => element("tr", {}, ...texts.map((text) => element(name, {}, text)));
