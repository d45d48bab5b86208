// The causal trace between two pictures: which state, put from one into the other, is enough for its answer or needed.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { History } from "#frontend/editing/history.js" */
/** @import { Runs } from "#frontend/editing/runs.js" */

import { ranking } from "#frontend/draw/bars.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { Caption } from "#frontend/draw/info.js";
import { Key } from "#frontend/draw/key.js";
import { frame, onCanvas, outline, place } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";
import { secondOf } from "#frontend/editing/runs.js";
import { put, read, take, whatAt } from "#frontend/edits/edits.js";
import { causalTrace } from "#frontend/forward/jobs.js";
import { Sweep, sizesOf, tinted } from "./sweep.js";

/** Which picture the states are put into, and what a share of 1 means. */
const WAYS = /** @type {const} */ ([
    [
        "enough",
        "sufficient (patch in)",
        "this picture's state put into the second: fraction of the logit difference restored",
    ],
    [
        "needed",
        "necessary (patch out)",
        "the second picture's state put into this one: fraction of the logit difference lost",
    ],
]);
const TOP = 24;
const GAP = 14;
const NAMED = 110; // pixels of a layer in which all of its name has room
const LARGE = 3; // patches that the square of the class token is wide
const ASIDE = 3.6; // and the patches stand so far from the left

export class Trace {
    /** @param {Column} column @param {Photo} photo @param {History} history @param {Runs} runs
     *  @param {HTMLElement} list of second pictures */
    constructor(column, photo, history, runs, list) {
        this.column = column;
        this.photo = photo;
        this.history = history;
        this.runs = runs;
        this.sweeps = WAYS.map(() => new Sweep(runs, () => column.invalidate()));
        this.way = 1;
        this.asked = [false, false];
        /** The cell under the pointer, or -1. */
        this.pointed = -1;
        this.ways = WAYS.map(([, text, says], at) => {
            return buttonFor(
                text,
                () => {
                    this.way = at;
                    column.invalidate();
                },
                { title: says },
            );
        });
        this.start = buttonFor("", () => this.press(), { class: "go" });
        this.second = element("canvas", { class: "second", role: "img" });
        this.canvas = element("canvas", { class: "trace", role: "img" });
        this.canvas.addEventListener("pointermove", (event) => this.point(this.found(event)));
        this.canvas.addEventListener("pointerleave", () => this.point(-1));
        this.canvas.addEventListener("click", (event) => this.put(this.found(event)));
        this.caption = new Caption();
        this.key = new Key(0);
        this.key.say("0: nothing", "1: all of the difference");
        this.root = element(
            "div",
            { class: "tracing" },
            element(
                "p",
                { class: "tools" },
                this.second,
                list,
                element("span", { role: "group", "aria-label": "What is asked" }, ...this.ways),
                this.start,
            ),
            this.canvas,
            element("div", { class: "under" }, this.caption.root, this.key.root),
        );
    }

    get sweep() {
        return this.sweeps[this.way];
    }

    press() {
        if (this.runs.mode === "server") return this.column.choose({ traced: WAYS[this.way][0] });
        if (this.sweep.running) this.sweep.stop();
        this.asked[this.way] = !this.sweep.complete && !this.sweep.running && !this.asked[this.way];
        this.column.invalidate();
    }

    /** @param {number} at */
    point(at) {
        this.pointed = at;
        this.column.invalidate();
    }

    /** @param {ImageBitmap | null} second @param {Edit[]} edits */
    draw(second, edits) {
        const { runs } = this;
        const pair = runs.pair;
        const { layers } = this.grid(this.canvas.clientWidth, this.canvas.clientHeight);
        for (const [at, button] of this.ways.entries()) button.ariaPressed = String(at === this.way);
        onCanvas(this.second, (context, width, height) => {
            if (second) context.drawImage(second, 0, 0, width, height);
        });
        this.second.ariaLabel = "The second picture";
        const [one, other] = pair ? [pair.own, pair.second].map((logits) => ranking(logits, 1)[0]) : [0, 0];
        if (pair && one !== other) this.ask(pair, one, other);
        const running = this.asked[this.way] ? "stop" : "Run (about 10 s)";
        this.start.textContent = this.sweep.complete ? "traced" : running;
        this.start.disabled = this.sweep.complete || !pair || one === other;
        onCanvas(this.canvas, (context) => this.paint(context, layers, edits));
        const scale = pair && `fraction of the logit difference “${pair.label(one)}” − “${pair.label(other)}”`;
        const same = "Both pictures get the same answer: there is no difference to trace.";
        const begun = (this.asked[this.way] && this.sweep.progress("states")) || scale;
        const known = one === other ? same : this.told() || this.sweep.failed || begun;
        const says = pair ? String(known) : "The second picture is on its way.";
        const more = `${WAYS[this.way][2]}. Before each layer, a square per patch, the class token beside them.`;
        this.caption.say(says, more);
        this.canvas.ariaLabel = `Causal trace, ${WAYS[this.way][1]}: ${layers.length} layers. ${says}`;
    }

    /** Ask for what is not here: of each cell the share of the difference between two logits that it moves.
     *  @param {NonNullable<Runs["pair"]>} pair @param {number} one the class of this picture @param {number} other */
    ask(pair, one, other) {
        const { column, runs } = this;
        const config = sizesOf(column.meta);
        if (runs.mode === "server") {
            this.sweep.gather(`trace ${WAYS[this.way][0]} ${secondOf(column)}`, config.depth * config.tokens);
            this.asked[this.way] = column.chosen.traced === WAYS[this.way][0] && !this.sweep.failed;
            return;
        }
        if (!this.asked[this.way]) return;
        const apart = (/** @type {ArrayLike<number>} */ logits) => logits[one] - logits[other];
        const [high, low] = [apart(pair.own), apart(pair.second)];
        const value = (/** @type {Float32Array} */ logits) =>
            this.way ? (high - apart(logits)) / (high - low) : (apart(logits) - low) / (high - low);
        this.sweep.ask(`trace ${this.way} ${runs.second}`, causalTrace(config), value, this.way === 0);
    }

    told() {
        const value = this.sweep.values[this.pointed];
        if (this.pointed < 0 || value === undefined || Number.isNaN(value)) return "";
        const { tokens } = this.column.meta;
        const token = tokenName(this.column.meta, this.pointed % tokens);
        return `${token} before layer ${Math.floor(this.pointed / tokens) + 1}: ${small(value)}`;
    }

    /** Where each layer's squares stand. @param {number} width @param {number} height */
    grid(width, height) {
        const { depth, rows, columns } = this.column.meta;
        let across = 1;
        const sizeOf = (/** @type {number} */ many) =>
            Math.min((width / many - GAP) / (columns + ASIDE), (height / Math.ceil(depth / many) - TOP) / rows);
        while (across < depth && sizeOf(across + 1) >= sizeOf(across)) across++;
        const cell = Math.max(1, sizeOf(across));
        const layers = Array.from({ length: depth }, (_, layer) => ({
            x: (layer % across) * (width / across),
            y: Math.floor(layer / across) * (TOP + rows * cell),
        }));
        return { layers, cell };
    }

    /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number }[]} layers @param {Edit[]} edits */
    paint(context, layers, edits) {
        const { tokens, prefix, columns, rows } = this.column.meta;
        const { cell } = this.grid(this.canvas.clientWidth, this.canvas.clientHeight);
        const { chosen } = this.column.data.palette;
        const says = (columns + ASIDE) * cell < NAMED ? "layer" : "before layer";
        for (const [layer, { x, y }] of layers.entries())
            write(context, `${says} ${layer + 1}`, x, y + 17, { as: "tick" });
        for (const [layer, spot] of layers.entries()) {
            if (this.photo.picture) {
                context.globalAlpha = 0.6;
                const { x, y } = this.box(spot, prefix.length, cell);
                context.drawImage(this.photo.picture, x, y, columns * cell, rows * cell);
                context.globalAlpha = 1;
            }
            for (let token = 0; token < tokens; token++) {
                const { x, y, size } = this.box(spot, token, cell);
                const value = this.sweep.at(layer * tokens + token);
                const word = tinted(value, 1);
                context.fillStyle = `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255} / ${(word >>> 24) / 255})`;
                if (value === undefined && token < prefix.length) context.fillStyle = "rgb(128 128 128 / .3)";
                context.fillRect(x, y, size - (token < prefix.length ? 2 : 0), size);
                if (token < prefix.length) {
                    frame(context, x + 0.5, y + 0.5, size - 3, size - 1);
                    this.name(context, prefix[token], x, y + size);
                }
                const place = token < prefix.length ? -2 : token - prefix.length;
                if (place >= 0 && whatAt(edits, "r", layer, place) !== undefined)
                    outline(context, x, y, cell, cell, chosen);
            }
        }
    }

    /** What a square beside the patches is, under it, where it has room. @param {CanvasRenderingContext2D} context
     *  @param {string} token @param {number} x @param {number} y */
    name(context, token, x, y) {
        if (this.column.meta.prefix.length > 1) return;
        const { cell } = this.grid(this.canvas.clientWidth, this.canvas.clientHeight);
        if (ASIDE * cell > 36) write(context, `[${token}]`, x, y + 15, { as: "cell", width: ASIDE * cell - 2 });
    }

    /** @param {{ x: number, y: number }} spot @param {number} token @param {number} cell */
    box(spot, token, cell) {
        const { prefix, columns, rows } = this.column.meta;
        const patch = token - prefix.length;
        if (patch < 0) {
            const size = Math.min(LARGE, rows / prefix.length) * cell;
            return { x: spot.x, y: spot.y + TOP + token * size, size };
        }
        const [x, y] = [(patch % columns) + ASIDE, Math.floor(patch / columns)];
        return { x: spot.x + x * cell, y: spot.y + TOP + y * cell, size: cell };
    }

    /** The cell under the pointer, or -1. @param {MouseEvent} event */
    found(event) {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        const { tokens } = this.column.meta;
        const spot = place(event, this.canvas);
        const [left, top] = [spot.x * width, spot.y * height];
        const { layers, cell } = this.grid(width, height);
        for (const [layer, at] of layers.entries()) {
            for (let token = 0; token < tokens; token++) {
                const { x, y, size } = this.box(at, token, cell);
                if (left >= x && left < x + size && top >= y && top < y + size) return layer * tokens + token;
            }
        }
        return -1;
    }

    /** Put the state of the cell in, or take it out again. @param {number} at */
    put(at) {
        if (at < 0) return;
        const { meta } = this.column;
        const word = causalTrace(sizesOf(meta))[at];
        const [edit] = read(word, meta);
        const { edits } = this.history;
        const is = edits.some(
            (it) =>
                it.letter === "r" &&
                it.layer === edit.layer &&
                it.prefix === edit.prefix &&
                it.first <= edit.first &&
                edit.first <= it.last,
        );
        this.history.set(is ? take(edits, edit) : put(edits, edit, meta));
    }

    /** What the server has to be asked for. */
    needs() {
        const { traced } = this.column.chosen;
        return this.runs.mode === "server" && traced !== "no" ? [`trace ${traced} ${secondOf(this.column)}`] : [];
    }

    stop() {
        for (const sweep of this.sweeps) sweep.stop();
        this.asked = [false, false];
    }
}
