// The same model with other patch sizes: its grid, its tokens and what it costs; a row is pointed at or clicked.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Count, Selection } from "#frontend/types/board.js" */

import { element, saying } from "#frontend/draw/elements.js";
import { Motion } from "#frontend/draw/motion.js";
import { drawGrid, onCanvas } from "#frontend/draw/surface.js";
import { whole } from "#frontend/draw/text.js";
import { choosable } from "#frontend/draw/touch.js";

const HEADS = ["patch size", "tokens", "attention weights of a head", "parameters", "multiply-adds"];
const USUAL = 4; // sizes that are compared
const FINEST = 64; // patches a side up to which they are drawn apart

/** @typedef {{ tried: Selection["tried"], size: string, rows: number, columns: number, patches: number, tokens: string, weights: string, parameters: string, macs: string, count: Count }} Cost */

export class Sizes {
    /** @param {Column} column @param {Photo} photo */
    constructor(column, photo) {
        this.column = column;
        this.photo = photo;
        this.table = element("table", { class: "sizes" });
        this.canvas = element("canvas", { role: "img" });
        this.said = element("p");
        this.root = element(
            "div",
            { class: "trying" },
            this.table,
            element("div", { class: "tried" }, this.canvas, this.said),
        );
        /** Rows of the table by what the address calls them. @type {Map<string, HTMLElement>} */
        this.lines = new Map();
        /** Patches come apart. */
        this.apart = new Motion(() => column.invalidate(), 350);
        this.last = "";
        this.filled = "";
    }

    /** @returns {Cost[]} */
    get costs() {
        return /** @type {Cost[]} */ (this.column.data.facts.sizes ?? []);
    }

    /** The rows, written anew when Python has said what sizes cost; empty ones keep their place until then. */
    fill() {
        const { column } = this;
        const filled = JSON.stringify(this.costs);
        if (filled === this.filled) return;
        this.filled = filled;
        this.lines.clear();
        const body = this.costs.map(({ tried, size, tokens, weights, parameters, macs }) => {
            const button = element("button", { type: "button" }, size);
            const line = element(
                "tr",
                tried === "own" ? { class: "here" } : {},
                element("th", { scope: "row" }, button),
                ...[tokens, weights, parameters, macs].map((text) => element("td", {}, text)),
            );
            this.lines.set(tried, line);
            choosable(column, line, () => ({ tried }));
            return line;
        });
        const head = element("tr", {}, ...HEADS.map((name) => element("th", { scope: "col" }, name)));
        const coming = Array.from({ length: USUAL }, (_, at) => {
            const says = at ? "\u00a0" : "The costs are on their way.";
            return element("tr", {}, element("th", { scope: "row", colspan: String(HEADS.length) }, says));
        });
        const rows = body.length ? body : coming;
        this.table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
    }

    /** The size that is tried: the model's own where it knows no other. @param {Selection} shown */
    size({ tried }) {
        const named = (/** @type {string} */ name) => this.costs.find((cost) => cost.tried === name);
        return named(String(tried)) ?? named("own");
    }

    /** The next finer size, or null after the last. @param {Selection["tried"]} tried */
    next(tried) {
        const names = this.costs.map((cost) => cost.tried);
        const next = names[names.indexOf(tried) + 1];
        return next === undefined ? null : { tried: next };
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { column, canvas, photo } = this;
        this.fill();
        const cost = this.size(shown);
        if (!cost) return;
        const chosen = this.size(column.chosen);
        for (const line of this.table.querySelectorAll("tbody tr")) {
            const here = line === this.lines.get(chosen?.tried ?? "");
            line.querySelector("button")?.setAttribute("aria-pressed", String(here));
        }
        if (cost.size !== this.last) this.apart.start();
        this.last = cost.size;
        const { rows, columns } = cost;
        const share = this.apart.share;
        photo.frames = [];
        photo.over = (context, size) => {
            if (columns <= size / 2) drawGrid(context, size, context.canvas.clientHeight, { rows, columns });
        };
        onCanvas(canvas, (context, width, height) => {
            const picture = photo.picture;
            if (!picture) return;
            const scale = Math.min(width / picture.width, height / picture.height);
            const [w, h] = [picture.width / columns, picture.height / rows];
            const fine = Math.max(rows, columns) > FINEST;
            const gap = fine ? 0 : Math.min(6, Math.min(w, h) * scale * 0.2) * share;
            context.imageSmoothingEnabled = false;
            if (fine) return context.drawImage(picture, 0, 0, picture.width * scale, picture.height * scale);
            for (let at = 0; at < rows * columns; at++) {
                const [left, top] = [(at % columns) * w, Math.floor(at / columns) * h];
                const size = /** @type {const} */ ([w * scale - gap, h * scale - gap]);
                context.drawImage(picture, left, top, w, h, left * scale, top * scale, ...size);
            }
        });
        const others = column.meta.tokens - column.meta.patches;
        const more = others ? `, and ${others === 1 ? "1 token" : `${others} tokens`} more: ${cost.tokens}` : "";
        const text =
            `${whole(rows)} × ${whole(columns)} = ${whole(cost.patches)} patches of ${cost.size} pixels${more}. ` +
            (cost.weights === "0"
                ? "Linear attention makes no weights."
                : `Each token looks at each: ${cost.weights} attention weights in every head.`);
        saying(this.said, text);
        canvas.ariaLabel = `The picture in ${whole(cost.patches)} patches of ${cost.size} pixels.`;
    }
}
