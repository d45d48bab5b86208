// The same model with other patch sizes: its grid, its tokens and what it costs; a row is pointed at or clicked.

/** @import { Board } from "../../state/board.js" */
/** @import { Photo } from "../../frame/photo.js" */
/** @import { Selection } from "../../types.js" */

import { element } from "../../draw/elements.js";
import { Motion } from "../../draw/motion.js";
import { onCanvas } from "../../draw/surface.js";
import { whole } from "../../draw/text.js";

const HEADS = ["patch size", "tokens", "attention weights of a head", "parameters", "multiply-adds"];
const USUAL = 4; // sizes that are compared
const FINEST = 64; // patches a side up to which they are drawn apart

/** @typedef {{ size: number, patches: number, tokens: string, weights: string, parameters: string, macs: string }} Cost */

export class Sizes {
    /** @param {Board} board @param {Photo} photo */
    constructor(board, photo) {
        this.board = board;
        this.photo = photo;
        this.table = element("table", { class: "sizes" });
        this.canvas = element("canvas", { role: "img" });
        this.said = element("p", {});
        this.root = element(
            "div",
            { class: "trying" },
            this.table,
            element("div", { class: "tried" }, this.canvas, this.said),
        );
        /** Rows of the table by patch size. @type {Map<number, HTMLElement>} */
        this.lines = new Map();
        /** Patches come apart. */
        this.apart = new Motion(() => board.invalidate(), 350);
        this.last = 0;
        this.filled = "";
    }

    /** @returns {Cost[]} */
    get costs() {
        return /** @type {Cost[]} */ (this.board.data.facts.sizes ?? []);
    }

    /** The rows, written anew when Python has said what sizes cost; empty ones keep their place until then. */
    fill() {
        const { board } = this;
        const filled = JSON.stringify(this.costs);
        if (filled === this.filled) return;
        this.filled = filled;
        this.lines.clear();
        const body = this.costs.map(({ size, tokens, weights, parameters, macs }) => {
            const own = size === board.meta.patch_size;
            const tried = own ? "own" : String(size);
            const button = element("button", { type: "button" }, `${size} × ${size}`);
            const line = element(
                "tr",
                own ? { class: "here" } : {},
                element("th", { scope: "row" }, button),
                ...[tokens, weights, parameters, macs].map((text) => element("td", {}, text)),
            );
            this.lines.set(size, line);
            line.addEventListener("pointerenter", ({ pointerType }) => {
                if (pointerType !== "touch") board.look({ tried });
            });
            line.addEventListener("pointerleave", () => board.look({}));
            line.addEventListener("click", () => board.choose({ tried }));
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
        const { patch_size: own } = this.board.meta;
        return this.costs.find(({ size }) => String(size) === tried) ?? this.costs.find(({ size }) => size === own);
    }

    /** The next finer size, or null after the last. @param {unknown} tried */
    next(tried) {
        const sizes = this.costs.map(({ size }) => size);
        const own = this.board.meta.patch_size;
        const next = sizes[sizes.indexOf(tried === "own" ? own : Number(tried)) + 1];
        return next === undefined ? null : { tried: next === own ? "own" : String(next) };
    }

    /** @param {Selection} shown */
    draw(shown) {
        const { board, canvas, photo } = this;
        this.fill();
        const cost = this.size(shown);
        if (!cost) return;
        const chosen = this.size(board.chosen);
        for (const line of this.table.querySelectorAll("tbody tr")) {
            const here = line === this.lines.get(chosen?.size ?? 0);
            line.querySelector("button")?.setAttribute("aria-pressed", String(here));
        }
        if (cost.size !== this.last) this.apart.start();
        this.last = cost.size;
        const side = board.meta.image_size / cost.size;
        const share = this.apart.share;
        photo.frames = [];
        photo.over = (context, size) => lines(context, size, side);
        onCanvas(canvas, (context, width, height) => {
            const picture = photo.picture;
            if (!picture) return;
            const all = Math.min(width, height);
            const gap = side > FINEST ? 0 : Math.min(6, (all / side) * 0.2) * share;
            const [cell, pixels] = [all / side, picture.width / side];
            context.imageSmoothingEnabled = false;
            if (side > FINEST) return context.drawImage(picture, 0, 0, all, all);
            for (let at = 0; at < side * side; at++) {
                const [x, y] = [at % side, Math.floor(at / side)];
                const [left, top] = [x * cell, y * cell];
                context.drawImage(picture, x * pixels, y * pixels, pixels, pixels, left, top, cell - gap, cell - gap);
            }
        });
        const others = board.meta.tokens - board.meta.patches;
        const more = others ? `, and ${others === 1 ? "1 token" : `${others} tokens`} more: ${cost.tokens}` : "";
        const text =
            `${whole(side)} × ${whole(side)} = ${whole(cost.patches)} patches of ${cost.size} × ${cost.size} pixels${more}. ` +
            `Each token looks at each: ${cost.weights} attention weights in every head.`;
        if (this.said.textContent !== text) this.said.textContent = text;
        canvas.setAttribute(
            "aria-label",
            `The picture in ${whole(cost.patches)} patches of ${cost.size} pixels a side.`,
        );
    }
}

/** A grid of `many` squares each way. @param {CanvasRenderingContext2D} context @param {number} side @param {number} many */
function lines(context, side, many) {
    if (many > side / 2) return;
    context.strokeStyle = "rgb(255 255 255 / .6)";
    context.lineWidth = 1;
    context.beginPath();
    for (let at = 1; at < many; at++) {
        const place = Math.round((at * side) / many) - 0.5;
        context.rect(place, 0, 0, side);
        context.rect(0, place, side, 0);
    }
    context.stroke();
}
