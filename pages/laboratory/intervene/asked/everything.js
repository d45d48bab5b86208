// Every head off once, and every patch hidden once: how far each moves the logit of the answer.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { Lens } from "#frontend/state/lens.js" */
/** @import { History } from "#frontend/editing/history.js" */
/** @import { Runs } from "#frontend/editing/runs.js" */

import { ranking } from "#frontend/draw/bars.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { Caption } from "#frontend/draw/info.js";
import { Key } from "#frontend/draw/key.js";
import {
    divergingCss,
    enlarged,
    onCanvas,
    outline,
    outlineToken,
    pixels,
    place,
    tokenAt,
} from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { write } from "#frontend/draw/words.js";
import { ALL, put, read, take, whatAt } from "#frontend/edits/edits.js";
import { allHeads, occlusion } from "#frontend/forward/jobs.js";
import { signed } from "../bars.js";
import { Sweep, sizesOf, tinted } from "./sweep.js";

const WAYS = /** @type {const} */ ({
    head: [
        ["*0", "off"],
        ["=mean", "at its mean"],
    ],
    patch: [
        ["=grey", "painted grey"],
        ["", "masked as a key"],
    ],
});
const LEFT = 52; // pixels for the names of layers
const TOP = 22;

export class Everything {
    /** @param {Column} column @param {Photo} photo @param {History} history @param {Runs} runs */
    constructor(column, photo, history, runs) {
        this.column = column;
        this.photo = photo;
        this.history = history;
        this.runs = runs;
        this.heads = new Sweep(runs, () => column.invalidate());
        this.patches = new Sweep(runs, () => column.invalidate());
        const parts = /** @type {const} */ (["head", "patch"]).map((which) => {
            const canvas = element("canvas", { role: "img" });
            const [caption, key] = [new Caption(), new Key(-1)];
            const buttons = WAYS[which].map(([, text], at) => {
                return buttonFor(text, () => {
                    column.choose(
                        which === "patch" ? { hides: at ? "masked" : "grey" } : { taken: at ? "mean" : "off" },
                    );
                });
            });
            const choice = element(
                "p",
                { class: "tools", role: "group", "aria-label": `each ${which}` },
                `each ${which}`,
                ...buttons,
            );
            canvas.addEventListener("click", (event) => this.press(which, event));
            canvas.addEventListener("pointermove", (event) => this.hover(which, event));
            canvas.addEventListener("pointerleave", () => this.leave());
            const root = element("div", {}, choice, canvas, key.root, caption.root);
            return { which, canvas, caption, key, buttons, root };
        });
        this.parts = parts;
        /** The cell under the pointer. @type {{ which: "head" | "patch", at: number } | null} */
        this.pointed = null;
        this.root = element("div", { class: "everything" }, ...parts.map(({ root }) => root));
    }

    /** Which way each head and each patch is taken away. */
    get way() {
        const { taken, hides } = this.column.chosen;
        return { head: taken === "mean" ? 1 : 0, patch: hides === "masked" ? 1 : 0 };
    }

    /** @param {Lens | null} original @param {Edit[]} edits */
    draw(original, edits) {
        const { column, runs } = this;
        if (!original) return;
        const logits = original.logits(original.depth);
        const best = ranking(logits, 1)[0];
        const value = (/** @type {Float32Array} */ answer) => answer[best] - logits[best];
        const config = sizesOf(column.meta);
        const [head, patch] = [WAYS.head[this.way.head][0], WAYS.patch[this.way.patch][0]];
        if (runs.mode === "server") {
            this.heads.gather(`heads ${column.chosen.taken}`, config.depth * config.heads);
            this.patches.gather(`patches ${column.chosen.hides}`, column.meta.patches);
        } else {
            this.heads.ask(`heads${head}`, allHeads(config, head), value);
            if (this.heads.complete) this.patches.ask(`patches${patch}`, occlusion(config, patch), value);
        }
        const label = original.label(best);
        const { scale } = this;
        for (const { which, canvas, caption, key, buttons } of this.parts) {
            const sweep = which === "head" ? this.heads : this.patches;
            for (const [at, button] of buttons.entries()) {
                button.ariaPressed = String(at === this.way[which]);
            }
            onCanvas(canvas, (context, width, height) => {
                if (which === "head") this.drawHeads(context, width, height, edits, scale);
                else this.drawPatches(context, width, edits, scale);
            });
            const further = which === "patch" ? " or more" : "";
            key.say(`falls by ${small(scale)}${further}`, `rises by ${small(scale)}${further}`);
            key.root.hidden = !scale;
            const metric = `change of the logit of “${label}”`;
            caption.say(
                sweep.progress(which === "head" ? "heads" : "patches") || this.told(which, sweep) || metric,
                `Each ${which} of the unedited model alone ${WAYS[which][this.way[which]][1]}: change of the logit of “${label}”. A click does what the cell says.`,
            );
            canvas.ariaLabel = `Change of the logit of ${label} with each ${which} alone ${WAYS[which][this.way[which]][1]}. ${this.extreme(which, sweep)}`;
        }
    }

    /** What both maps are coloured by, the largest change of a head: nothing has a colour before all heads have come, and
     *  none changes after. 0 as long as it is not known. */
    get scale() {
        if (this.heads.complete) return this.heads.limit;
        return this.heads.failed && this.patches.complete ? this.patches.limit : 0;
    }

    /** What the pointer is on. @param {"head" | "patch"} which @param {Sweep} sweep */
    told(which, { values }) {
        if (this.pointed?.which !== which || Number.isNaN(values[this.pointed.at] ?? Number.NaN)) return "";
        return `${this.name(which, this.pointed.at)}: ${signed(values[this.pointed.at])}`;
    }

    /** @param {"head" | "patch"} which @param {number} at */
    name(which, at) {
        const { heads } = this.column.meta;
        return which === "patch"
            ? `patch ${at + 1}`
            : `head ${(at % heads) + 1} of layer ${Math.floor(at / heads) + 1}`;
    }

    /** @param {"head" | "patch"} which @param {Sweep} sweep */
    extreme(which, { values, complete }) {
        if (!complete) return "";
        const least = values.indexOf(Math.min(...values));
        return `It falls most without ${this.name(which, least)}: ${signed(values[least])}.`;
    }

    /** @param {number} width @param {number} height */
    cell(width, height) {
        const { depth, heads } = this.column.meta;
        return { across: (width - LEFT) / heads, down: Math.min((height - TOP) / depth, 60) };
    }

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Edit[]} edits
     *  @param {number} limit */
    drawHeads(context, width, height, edits, limit) {
        const { depth, heads } = this.column.meta;
        const { across, down } = this.cell(width, height);
        const { values } = this.heads;
        const cell = /** @type {const} */ ({ as: "cell", base: "middle" });
        const middle = /** @type {const} */ ({ ...cell, align: "center" });
        for (let head = 0; head < heads; head++) {
            const name = across > 56 ? `head ${head + 1}` : `${head + 1}`;
            if (across > 26 || head % 2 === 0) write(context, name, LEFT + (head + 0.5) * across, TOP / 2, middle);
        }
        for (let layer = 0; layer < depth; layer++) {
            if (down > 15 || layer % 2 === 0) write(context, `layer ${layer + 1}`, 0, TOP + (layer + 0.5) * down, cell);
            for (let head = 0; head < heads; head++) {
                const value = values[layer * heads + head];
                const [x, y] = [LEFT + head * across, TOP + layer * down];
                const missing = Number.isNaN(value ?? Number.NaN);
                context.fillStyle = missing || !limit ? "rgb(128 128 128 / .2)" : divergingCss(value, limit);
                context.fillRect(x, y, across - 2, down - 2);
                if (whatAt(edits, "h", layer, head) !== undefined)
                    outline(context, x + 2, y + 2, across - 6, down - 6, this.column.data.palette.chosen);
                if (across < 50 || down < 20 || missing) continue;
                const colour = limit && Math.abs(value) > 0.6 * limit ? "#fff" : undefined;
                write(context, signed(value), x + across / 2 - 1, y + down / 2, { ...middle, colour });
            }
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {number} size @param {Edit[]} edits @param {number} limit */
    drawPatches(context, size, edits, limit) {
        const { rows, columns, patches, prefix } = this.column.meta;
        const box = /** @type {const} */ ([0, 0, size, (size * rows) / columns]);
        if (this.photo.picture) {
            context.globalAlpha = 0.6;
            context.drawImage(this.photo.picture, ...box);
            context.globalAlpha = 1;
        }
        const colours = pixels(columns, rows, (at) => (limit ? tinted(this.patches.at(at), limit) : 0));
        enlarged(context, colours, ...box);
        for (let patch = 0; patch < patches; patch++)
            if (whatAt(edits, "p", ALL, patch) !== undefined)
                outlineToken(context, this.column.meta, prefix.length + patch, box, this.column.data.palette.chosen);
    }

    /** The cell under the pointer, or -1. @param {"head" | "patch"} which @param {MouseEvent} event */
    found(which, event) {
        const { canvas } = this.parts[which === "head" ? 0 : 1];
        const { depth, heads, prefix } = this.column.meta;
        const spot = place(event, canvas);
        if (which === "patch") return tokenAt(this.column.meta, spot.x, spot.y) - prefix.length;
        const { across, down } = this.cell(canvas.clientWidth, canvas.clientHeight);
        const head = Math.floor((spot.x * canvas.clientWidth - LEFT) / across);
        const layer = Math.floor((spot.y * canvas.clientHeight - TOP) / down);
        return head >= 0 && head < heads && layer >= 0 && layer < depth ? layer * heads + head : -1;
    }

    /** @param {"head" | "patch"} which @param {MouseEvent} event */
    hover(which, event) {
        const at = this.found(which, event);
        this.pointed = at < 0 ? null : { which, at };
        this.column.invalidate();
    }

    leave() {
        this.pointed = null;
        this.column.invalidate();
    }

    /** Do what the cell says, or take it back. @param {"head" | "patch"} which @param {MouseEvent} event */
    press(which, event) {
        const at = this.found(which, event);
        if (at < 0) return;
        const config = sizesOf(this.column.meta);
        const what = WAYS[which][this.way[which]][0];
        const word = which === "head" ? allHeads(config, what)[at] : occlusion(config, what)[at];
        const [edit] = read(word, this.column.meta);
        const { edits } = this.history;
        const is = whatAt(edits, edit.letter, edit.layer, edit.first) === edit.what;
        this.history.set(is ? take(edits, edit) : put(edits, edit, this.column.meta));
    }

    /** What the server has to be asked for. */
    needs() {
        return this.runs.mode === "server"
            ? [`heads ${this.column.chosen.taken}`, `patches ${this.column.chosen.hides}`]
            : [];
    }

    stop() {
        this.heads.stop();
        this.patches.stop();
    }
}
