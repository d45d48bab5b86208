// Overview: every stage as a live picture; a patch that is pointed at is lit in all of them; a click opens the stage.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */

import { fillBars } from "#frontend/draw/bars.js";
import { buttonFor, element } from "#frontend/draw/elements.js";
import { largest, onCanvas, outlineToken, place } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { colourGrid, drawLit, inSquare, veil } from "#frontend/draw/tiles.js";
import { taps } from "#frontend/draw/touch.js";
import { widthOf, write } from "#frontend/draw/words.js";
import { home } from "#frontend/transport/words.js";
import { Start } from "./start.js";
import { Torch } from "./torch.js";

/** Each box: the page it leads to, what stands over it, and whether it has one cell per patch. */
const BOXES = /** @type {const} */ ([
    ["patch_grid", "patches", true],
    ["patch_embedding", "tokens: similar ones look alike", true],
    ["position_embedding", "+ positions", true],
    ["heads", "attention of the last layer", true],
    ["depth", "layer by layer", false],
]);

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function overview(root, column, photo) {
    const boxes = BOXES.map(([stem, title, perPatch]) => {
        const canvas = element("canvas", { role: "img", "aria-label": title });
        const link = element("a", { href: home() + stem, class: "stage-box" }, element("span", {}, title), canvas);
        link.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            column.store.go(stem);
        });
        if (perPatch) {
            canvas.addEventListener("pointermove", (event) => {
                const { rows, columns, prefix } = column.meta;
                const { x, y } = place(event, canvas);
                if (event.pointerType !== "touch")
                    column.look({ query: prefix.length + Math.floor(y * rows) * columns + Math.floor(x * columns) });
            });
            canvas.addEventListener("pointerleave", () => column.look({}));
        }
        return { stem, canvas, link };
    });
    const bars = element("ol", { class: "answer" });
    const cover = buttonFor("Guess first, then click.", () => column.choose({ covered: "no" }), { class: "cover" });
    const said = element(
        "div",
        { class: "stage-box said" },
        element("a", { href: `${home()}class_head` }, "what the model says"),
        bars,
        cover,
    );
    said.querySelector("a")?.addEventListener("click", (event) => {
        event.preventDefault();
        column.store.go("class_head");
    });
    const classAt = (/** @type {Event} */ event) =>
        Number(
            /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("li"))?.dataset.class ??
                -1,
        );
    bars.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch") column.look({ answer: classAt(event) });
    });
    bars.addEventListener("pointerleave", () => column.look({}));
    bars.addEventListener("click", (event) => {
        column.choose({ answer: classAt(event) });
        column.store.go("class_head");
    });
    const stages = element("div", { class: "stages" }, ...boxes.map(({ link }) => link), said);
    const start = new Start(column);
    const torch = new Torch(column, photo);
    root.replaceChildren(start.root, stages);

    const data = (/** @type {string} */ name) => column.array("overview", name);

    /** What the model would say after each layer. @param {number} layer */
    const answerAfter = (layer) => {
        const lens = data("lens");
        return lens?.data.subarray(layer * lens.shape[1], (layer + 1) * lens.shape[1]);
    };

    /** @param {CanvasRenderingContext2D} context @param {string} stem @param {number} size @param {Selection} shown */
    const paint = (context, stem, size, { query, answer }) => {
        const { columns, rows } = column.meta;
        context.imageSmoothingEnabled = false;
        const picture = photo.picture;
        const whole = inSquare(picture, 0, 0, size);
        const [left, top, wide, tall] = [whole[0], whole[1], whole[2] / columns, whole[3] / rows];
        if (stem === "patch_grid" && picture) {
            const [w, h] = [picture.width / columns, picture.height / rows];
            for (let at = 0; at < columns * rows; at++) {
                const [x, y] = [at % columns, Math.floor(at / columns)];
                const to = /** @type {const} */ ([left + x * wide, top + y * tall, wide * 0.9, tall * 0.9]);
                context.drawImage(picture, x * w, y * h, w, h, ...to);
            }
        }
        const points =
            stem === "patch_embedding" ? data("tokens") : stem === "position_embedding" ? data("positions") : undefined;
        if (points) context.drawImage(colourGrid(points.data, columns, rows), ...whole);
        const maps = data("maps");
        if (maps && (stem === "heads" || stem === "depth")) {
            const [depth, patches] = maps.shape;
            const map = (/** @type {number} */ layer) => maps.data.subarray(layer * patches, (layer + 1) * patches);
            if (stem === "heads")
                drawLit(context, picture, veil(map(depth - 1), columns, rows, reach(map(depth - 1))), 0, 0, size);
            else {
                const across = Math.ceil(Math.sqrt(depth));
                const limit = Math.max(largest(maps.data), 8 / patches);
                for (let layer = 0; layer < depth; layer++) {
                    const tile = size / across;
                    const [x, y, side] = [(layer % across) * tile, Math.floor(layer / across) * tile, tile * 0.94];
                    drawLit(context, picture, veil(map(layer), columns, rows, limit), x, y, side);
                    frame(context, query, inSquare(picture, x, y, side), 1);
                    const probability = answer < 0 || tile < 52 ? undefined : answerAfter(layer + 1)?.[answer];
                    if (probability !== undefined) label(context, small(probability), x, y + side);
                }
                return;
            }
        }
        frame(context, query, whole, 0);
    };

    /** The chosen patch in a picture. @param {CanvasRenderingContext2D} context @param {number} query
     *  @param {number[]} box of the picture: left, top, width, height @param {number} thin 1 for a small picture */
    const frame = (context, query, [x, y, width, height], thin) => {
        const { prefix, columns, rows } = column.meta;
        const patch = query - prefix.length;
        const { chosen } = column.data.palette;
        if (!thin) return outlineToken(context, column.meta, query, [x, y, width, height], chosen);
        if (patch < 0) return;
        const [wide, tall] = [width / columns, height / rows];
        context.fillStyle = chosen;
        context.fillRect(
            x + (patch % columns) * wide - 1,
            y + Math.floor(patch / columns) * tall - 1,
            wide + 2,
            tall + 2,
        );
    };

    return {
        get middle() {
            return column.chosen.moment === "light";
        },
        get play() {
            const on = (/** @type {Selection} */ { layer }) => ({ layer: (layer + 1) % column.meta.depth });
            return column.chosen.moment === "light" && torch.layers.length > 1 ? on : undefined;
        },
        close: () => torch.close(),
        draw(shown) {
            const begins = column.chosen.moment === "light";
            start.root.hidden = !begins;
            stages.hidden = begins;
            if (begins) {
                start.draw();
                torch.draw(shown);
                return;
            }
            photo.frames = [{ token: shown.query, colour: column.data.palette.chosen }];
            for (const { stem, canvas } of boxes)
                onCanvas(canvas, (context, width) => paint(context, stem, width, shown));
            const covered = shown.covered === "yes" && column.meta.classes > 0;
            cover.hidden = !covered;
            bars.hidden = covered;
            if (!column.meta.classes) bars.replaceChildren(element("li", {}, `${column.meta.dim} components: no head`));
            else fillBars(bars, (at) => column.label(at), answerAfter(column.meta.depth), 5);
        },
        readout({ query, answer }) {
            const { depth, prefix } = column.meta;
            if (column.chosen.moment === "light") {
                if (torch.plays || !torch.light)
                    return taps() ? "Tap the picture. Start goes on." : "PgDn or Start goes on.";
                return `{chosen} patch ${column.patchOf(column.shown) + 1}, mean of ${column.meta.heads} heads`;
            }
            const probability = answer < 0 ? undefined : answerAfter(depth)?.[answer];
            if (probability !== undefined && column.chosen.covered !== "yes")
                return `${column.label(answer)}: ${small(answerAfter(0)?.[answer] ?? 0)} before layer 1, ${small(probability)} at the end`;
            if (query < prefix.length)
                return taps()
                    ? "Tap a patch: it is lit in every picture. A tap on a picture opens its page."
                    : "Point at a patch: it is lit in every picture. A click on a picture opens its page. PgDn goes on.";
            return `{chosen} ${tokenName(column.meta, query)}, in every stage`;
        },
    };
}

/** The weight that is drawn brightest: 8 times the uniform one, as on Heads, or the largest. @param {ArrayLike<number>} weights */
const reach = (weights) => Math.max(largest(weights), 8 / weights.length);

/** A number in the corner of a small picture. @param {CanvasRenderingContext2D} context @param {string} text @param {number} x
 *  @param {number} y */
function label(context, text, x, y) {
    const how = /** @type {const} */ ({ as: "cell", bold: true, base: "bottom", colour: "#fff" });
    const wide = widthOf(context, text, how) + 8;
    context.fillStyle = "#000b";
    context.fillRect(x, y - 20, wide, 20);
    write(context, text, x + 4, y - 2, how);
}
