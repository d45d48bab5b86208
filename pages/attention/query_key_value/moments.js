// What one query, head and layer lead to, moment by moment: q, k and v, scores, weights, and what the head adds.

import { entropy, products, softmax, strongest, weightedSum } from "#frontend/draw/attention.js";
import { element } from "#frontend/draw/elements.js";
import { wrapped } from "#frontend/draw/lines.js";
import { plotOn, ticksAt } from "#frontend/draw/plot.js";
import { diverging, frame, largest, pixels } from "#frontend/draw/surface.js";
import { addend, small, tokenName, whole } from "#frontend/draw/text.js";
import { choosable } from "#frontend/draw/touch.js";
import { drawStrips, frameComponent, largestSize, reach } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { read, whatAt, written } from "#frontend/edits/edits.js";
import { saysOff } from "#frontend/edits/effects.js";
import { ending, now } from "#frontend/state/edited.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

export const DIVISORS = /** @type {const} */ (["one", "root", "all"]);

/** What a moment is drawn with. `share` runs from 0 to 1 while a movement lasts.
 *  @typedef {{ context: CanvasRenderingContext2D, width: number, height: number, share: number,
 *    column: Column, areas: import("#frontend/draw/areas.js").Areas, it: Steps, shown: Selection }} Moment */

/** @typedef {NonNullable<ReturnType<typeof stepsOf>>} Steps */

/** Null where the numbers are on their way. @param {Column} column @param {Selection} shown */
export function stepsOf(column, { layer, head, query, key, divide }) {
    const { tokens, head_dim: width, dim } = column.meta;
    const at = (/** @type {string} */ name) =>
        /** @type {Float32Array | undefined} */ (now(column, `values-${layer}`, name)?.data);
    const [qs, ks, vs] = [at("q"), at("k"), at("v")];
    if (!qs || !ks || !vs) return null;
    const size = tokens * width;
    const own = (/** @type {Float32Array} */ all, each = head) => all.subarray(each * size, (each + 1) * size);
    const one = (/** @type {Float32Array} */ all, /** @type {number} */ token) =>
        all.subarray(token * width, (token + 1) * width);
    const keys = own(ks);
    const q = one(own(qs), query);
    const dots = products(q, keys, tokens, width);
    const by = /** @type {Record<string, number>} */ ({ one: 1, root: Math.sqrt(width), all: width });
    const told = ownScores(column, layer, query);
    if (told === "coming") return null;
    const divided = (/** @type {string} */ divisor) =>
        told && divisor === "root"
            ? Float64Array.from(told.subarray(head * tokens, (head + 1) * tokens))
            : Float64Array.from(dots, (dot) => dot / by[divisor]);
    const scores = divided(String(divide));
    const weights = softmax(scores);
    const chosen = key >= 0 ? key : strongest(softmax(divided("root")));
    return {
        q,
        keys,
        values: own(vs),
        dots,
        scores,
        weights,
        chosen,
        by,
        /** The scores with another divisor; with the usual one those of the model. */
        divided,
        /** A head's array of the layer. @param {"q" | "k" | "v"} name @param {number} each */
        ofHead: (name, each) => own(/** @type {Float32Array} */ (at(name)), each),
        /** One token of a head's array. */
        one,
        /** One token of a `t d` array of the layer. @param {string} name @param {number} token */
        row: (name, token) => at(name)?.subarray(token * dim, (token + 1) * dim) ?? new Float32Array(dim),
    };
}

/** Whether the scores of the run that is shown are more than q·k / √dh. @param {Column} column */
export const hasOwnScores = (column) => Boolean(column.data.facts.own_scores) || scored(column);

/** The scores of a query in all heads, `head k`, where they are more than q·k / √dh: null where they are not.
 *  @param {Column} column @param {number} layer @param {number} query @returns {Float32Array | "coming" | null} */
export function ownScores(column, layer, query) {
    if (!hasOwnScores(column)) return null;
    return (
        /** @type {Float32Array | undefined} */ (now(column, `scores-${layer}-${query}`, "scores")?.data) ?? "coming"
    );
}

/** Whether edits change how scores are made of q and k. @param {Column} column */
const scored = (column) => Boolean(ending(column)) && /(^| )[tskwcp]/.test(column.chosen.edits);

/** The component that is looked at, counted within the head, or -1 where it is another head's.
 *  @param {Column} column @param {Selection} shown */
export function within(column, { component, head }) {
    const { head_dim: width } = column.meta;
    return Math.floor(component / width) === head ? component % width : -1;
}

/** Strips of the head as they are pointed at. @param {Moment} moment @param {import("#frontend/draw/vectors.js").Box[]} boxes */
export function pointed({ context, column, areas, shown }, boxes) {
    const { head_dim: many } = column.meta;
    const means = (/** @type {number} */ at) => ({ component: shown.head * many + at });
    frameComponent(context, areas, boxes, many, within(column, shown), column.data.palette.chosen, means);
}

const MADE = /** @type {const} */ ([
    ["q", "Wq", "query", "asks for"],
    ["k", "Wk", "key", "offers"],
    ["v", "Wv", "value", "passes on"],
]);
const GAP = 22;

/** Pictures of the three matrices of a head, by the numbers they are of.
 *  @type {WeakMap<object, Map<number, OffscreenCanvas>>} */
const drawn = new WeakMap();

/** @param {Moment} moment */
export function drawMatrices(moment) {
    const { context, width, height, share, column, it, shown } = moment;
    const { dim, head_dim: dh } = column.meta;
    const name = tokenName(column.meta, shown.query);
    const strip = Math.max(52, height * 0.15);
    for (const [place, [text, key]] of [
        [`x: ${name} in the residual stream`, "stream"],
        [String(column.data.facts.read), "normalised"],
    ].entries()) {
        const strips = [{ name: text, values: it.row(key, shown.query) }];
        drawStrips(context, strips, { y: place * strip, width, height: strip });
    }
    const across = (width - 2 * GAP) / 3;
    const top = 2 * strip + 30;
    const tall = (height - top - 82) * share;
    const results = MADE.map(([of]) => it.one(it.ofHead(of, shown.head), shown.query));
    const limit = Math.max(...results.map(largestSize));
    const at = within(column, shown);
    const boxes = MADE.flatMap(([of, matrix, role, does], place) => {
        const x = place * (across + GAP);
        const size = across > 200 ? `, ${whole(dim)} × ${dh}, for every token` : "";
        write(context, `· ${matrix}${size}`, x, top - 6, { width: across });
        const picture = matrixOf(moment, place);
        context.imageSmoothingEnabled = dim > 2 * tall;
        if (picture) context.drawImage(picture, x, top, across, tall);
        context.fillStyle = column.data.palette[role];
        context.fillRect(x, top + tall + 3, across, 4);
        const number = at < 0 ? "" : `${of}${subscript(at + 1)} = ${small(results[place][at])}`;
        const says = across > 200 ? `${of}: what it ${does}. ${number}` : number || of;
        const strips = [{ name: says, values: results[place] }];
        const made = { x, y: top + tall + 10, width: across, height: 72, limit };
        return [{ x, y: top, width: across, height: tall }, ...drawStrips(context, strips, made)];
    });
    pointed(moment, boxes);
}

/** @param {number} number */
const subscript = (number) => [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");

/** One of the three matrices of the head that is looked at, as a picture. @param {Moment} moment @param {number} which */
function matrixOf({ column, shown }, which) {
    const code = column.array(`values-${shown.layer}`, "matrices");
    if (!code) return null;
    const known = drawn.get(code) ?? new Map();
    drawn.set(code, known);
    const { dim, head_dim: dh, heads } = column.meta;
    const at = which * heads + shown.head;
    const picture = known.get(at) ?? pixels(dh, dim, (place) => diverging(code.data[at * dim * dh + place] - 127, 127));
    known.set(at, picture);
    return picture;
}

/** @param {Moment} moment */
export function drawScore(moment) {
    const { context, width, height, column, it, shown } = moment;
    const named = (/** @type {number} */ token) => tokenName(column.meta, token);
    const k = it.one(it.keys, it.chosen);
    const both = [
        { name: `q of ${named(shown.query)}`, values: it.q },
        { name: `k of ${named(it.chosen)}`, values: k },
    ];
    const two = drawStrips(context, both, { width, height: height * 0.32 });
    const at = within(column, shown);
    const one =
        at < 0 ? "" : `; component ${at + 1}: ${small(it.q[at])} · ${addend(k[at])} = ${small(it.q[at] * k[at])}`;
    const values = Float64Array.from(it.q, (value, place) => value * k[place]);
    const times = [{ name: `q × k${one}`, values }];
    const box = { y: height * 0.33, width, height: height * 0.17 };
    pointed(moment, [...two, ...drawStrips(context, times, box)]);
    const says = `added up: q·k of every key; ${named(it.chosen)} has ${small(it.dots[it.chosen])}`;
    write(context, says, 0, height * 0.58 - 5, { width });
    drawBars(moment, it.dots, height * 0.6, height * 0.38, column.data.palette.scores);
}

/** One bar per key, each of which can be chosen. @param {Moment} moment @param {ArrayLike<number>} values
 *  @param {number} y @param {number} height @param {string} colour */
export function drawBars({ context, width, column, areas, it }, values, y, height, colour) {
    areas.add({ x: 0, y, width, height, at: (x) => ({ key: Math.floor(x * values.length) }) });
    let [low, high] = [0, 0];
    for (let at = 0; at < values.length; at++) [low, high] = [Math.min(low, values[at]), Math.max(high, values[at])];
    const plot = plotOn(context, { x: 0, y, width, height }, { low: 0, high: values.length }, { low, high });
    for (let at = 0; at < values.length; at++) plot.bar(at, at + 1, values[at], colour, 0.6, 0.5);
    plot.bar(it.chosen, it.chosen + 1, values[it.chosen], column.data.palette.key, 0.6, 2);
}

const HEADS = ["scores", "largest weight", "entropy, nats", "softmax slope p(1\u00a0−\u00a0p)"];
const NARROW = 560; // pixels: below, the spread of the scores stands over the table
const SPREAD = 260; // pixels for the spread beside the table

/** The table of divisors: pointing at a row previews it, a click chooses. */
export class Divisors {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        const body = element("tbody");
        const heads = HEADS.map((text) => element("th", { scope: "col" }, text));
        this.table = element(
            "table",
            { class: "sizes divide" },
            element("thead", {}, element("tr", {}, ...heads)),
            body,
        );
        this.rows = DIVISORS.map((value) => {
            const button = element("button", { type: "button" });
            const row = element("tr", {}, element("th", { scope: "row" }, button));
            choosable(column, row, () => ({ divide: value }));
            body.append(row);
            return { value, row, button };
        });
    }

    /** @param {Steps | null} it @param {Selection} shown */
    fill(it, { divide }) {
        for (const { value, row, button } of this.rows) {
            const by = it?.by[value] ?? 1;
            const width = this.column.meta.head_dim;
            const own = this.column.data.facts.own_scores ? "as this model does" : `÷ √${width} = ${small(by)}`;
            button.textContent = value === "root" ? own : `÷ ${whole(by)}`;
            button.ariaPressed = String(divide === value);
            row.classList.toggle("here", divide === value);
            const weights = it && softmax(it.divided(value));
            const most = weights ? weights[strongest(weights)] : 0;
            const cells = weights ? [most, entropy(weights), most * (1 - most)].map(small) : ["", "", ""];
            row.replaceChildren(row.children[0], ...cells.map((text) => element("td", {}, text)));
        }
    }
}

/** @param {Moment} moment @param {HTMLElement} table */
export function drawSoftmax(moment, table) {
    const { context, width, height, column, it } = moment;
    const narrow = width < NARROW;
    table.style.width = narrow ? "100%" : `calc(100% - ${SPREAD}px)`;
    const room = (height - table.offsetHeight - (narrow ? 150 : 24)) / 2;
    const total = it.weights.reduce((a, b) => a + b, 0);
    const name = tokenName(column.meta, it.chosen);
    const says = [
        `scores; ${name} has ${Number.isFinite(it.scores[it.chosen]) ? small(it.scores[it.chosen]) : "−∞"}`,
        `softmax → weights; ${name} has ${small(it.weights[it.chosen])}, all sum to ${total.toFixed(4)}`,
    ];
    for (const [place, text] of says.entries()) write(context, text, 0, place * room + 18, { width });
    const seen = it.scores.map((score) => (Number.isFinite(score) ? score : 0));
    drawBars(moment, seen, 28, room - 40, column.data.palette.scores);
    drawBars(moment, it.weights, room + 28, room - 40, column.data.palette.attention);
    const top = narrow ? 2 * room : height - table.offsetHeight;
    drawSpread(moment, narrow ? 0 : width - SPREAD + 20, top, narrow ? width : SPREAD - 20);
}

/** How wide q·k lies over all pairs of tokens, and how wide after division: each drawn to its own height.
 *  @param {Moment} moment @param {number} left @param {number} top @param {number} wide */
function drawSpread({ context, column, it, shown }, left, top, wide) {
    const [counts, sizes] = ["histogram", "spread"].map((name) => now(column, `values-${shown.layer}`, name)?.data);
    if (!counts || !sizes) return;
    const bins = counts.length / column.meta.heads;
    const own = counts.subarray(shown.head * bins, (shown.head + 1) * bins);
    const [deviation, reach] = sizes.subarray(2 * shown.head, 2 * shown.head + 2);
    const by = it.by[String(shown.divide)];
    const divided = by === 1 ? "" : `, divided ${small(deviation / by)}`;
    const says = `q·k of all pairs: standard deviation ${small(deviation)}${divided}`;
    wrapped(context, says, left, top + 18, wide, { as: "tick" }, 19);
    const box = { x: left + 24, y: top + 46, width: wide - 48, height: 72 };
    const across = { low: -reach, high: reach, ticks: ticksAt([-reach, 0, reach], small) };
    const plot = plotOn(context, box, across, { low: 0, high: largest(own) });
    for (const [divisor, chosen] of /** @type {[number, boolean][]} */ ([
        [1, by === 1],
        [by, true],
    ])) {
        context.globalAlpha = chosen ? 1 : 0.3;
        const edge = (/** @type {number} */ bin) => ((2 * bin) / bins - 1) * (reach / divisor);
        for (let bin = 0; bin < bins; bin++)
            plot.bar(edge(bin), edge(bin + 1), own[bin], column.data.palette.scores, 0, 0);
    }
    context.globalAlpha = 1;
    plot.names();
}

const LARGEST = 4; // values that are drawn one by one

/** @param {Moment} moment */
export function drawSum({ context, width, height, share, column, areas, it, shown }) {
    const factor = scaleOf(column, shown.layer, shown.head);
    const edited = factor === 1 ? "" : `, edited: times ${written(factor)}`;
    const order = Array.from(it.weights, (_, at) => at).sort((a, b) => it.weights[b] - it.weights[a]);
    const first = order.slice(0, LARGEST);
    const strongest = first.includes(it.chosen) ? first : [...first.slice(0, -1), it.chosen];
    const parts = strongest.map((key) => ({
        name: `${small(it.weights[key])} · v of ${tokenName(column.meta, key)}`,
        values: Float64Array.from(it.one(it.values, key), (value) => value * it.weights[key]),
    }));
    const z = weightedSum(it.weights, it.values, column.meta.head_dim);
    const rest = Float64Array.from(z, (value, at) => value - parts.reduce((all, part) => all + part.values[at], 0));
    const others = it.weights.length - parts.length;
    const every = [
        ...parts,
        { name: `all ${whole(others)} others together`, values: rest },
        { name: `z: the sum, the output of the head${edited}`, values: z.map((value) => value * share * factor) },
    ];
    const limit = reach([...every, { name: "", values: z }]);
    const boxes = drawStrips(context, every, { width, height, limit });
    for (const [at, key] of strongest.entries()) {
        areas.add({ ...boxes[at], at: () => ({ key }) });
        const { x, y, height: tall } = boxes[at];
        if (key === it.chosen) frame(context, x + 1.5, y - 1.5, width - 3, tall + 3, column.data.palette.key, 3);
    }
}

/** What edits multiply the output of a head with. @param {Moment["column"]} column @param {number} layer @param {number} head */
function scaleOf(column, layer, head) {
    const what = (ending(column) && whatAt(read(column.chosen.edits, column.meta), "h", layer, head)) || "*1";
    return what.startsWith("*") ? Number(what.slice(1)) : 1;
}

/** @param {Moment} moment */
export function drawOutput({ context, width, height, column, areas, it, shown }) {
    const { heads, head_dim: dh, tokens, dim } = column.meta;
    const { layer, head, query } = shown;
    const side = new Float64Array(heads * dh);
    const told = ownScores(column, layer, query);
    for (let each = 0; each < heads; each++) {
        const dots = products(it.one(it.ofHead("q", each), query), it.ofHead("k", each), tokens, dh);
        const scores = told instanceof Float32Array ? told.subarray(each * tokens, (each + 1) * tokens) : null;
        const weights = softmax(scores ?? dots.map((dot) => dot / Math.sqrt(dh)));
        const factor = scaleOf(column, layer, each);
        const z = weightedSum(weights, it.ofHead("v", each), dh);
        side.set(factor === 1 ? z : z.map((value) => value * factor), each * dh);
    }
    const outputs = heads > 1 ? `the outputs of ${heads} heads side by side` : "the output of the one head";
    const strips = [{ name: `${outputs}: ${heads} · ${dh} = ${whole(heads * dh)}`, values: side }];
    const [box] = drawStrips(context, strips, { width, height: height * 0.22 });
    frame(context, (head * width) / heads, box.y - 1, width / heads, box.height + 2, column.data.palette.chosen, 3);
    areas.add({ ...box, at: (x) => ({ head: Math.floor(x * heads) }) });
    const name = tokenName(column.meta, query);
    const own = now(column, `shares-${layer}-${query}`, "shares")?.data.subarray(head * dim, (head + 1) * dim);
    const off = saysOff(read(shown.edits, column.meta), column.meta, layer, head);
    const below = [
        { name: `· Wₒ: what attention adds to ${name}`, values: it.row("added", query) },
        ...(own && heads > 1 ? [{ name: `share of head ${head + 1}${off}`, values: own }] : []),
        { name: "x: the residual stream that it is added to", values: it.row("stream", query) },
    ];
    drawStrips(context, below, { y: height * 0.26, width, height: (height * 0.74 * below.length) / 3 });
}
