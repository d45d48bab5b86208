// Overview: every stage as a live picture; a patch that is pointed at is lit in all of them; a click opens the stage.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { fillBars } from "../draw/bars.js";
import { element } from "../draw/elements.js";
import { onCanvas, outline, place } from "../draw/surface.js";
import { tokenName } from "../draw/text.js";
import { colourGrid, drawLit, largest, veil } from "../draw/tiles.js";
import { home } from "../state/address.js";

/** Each box: the page it leads to, what stands over it, and whether it has one cell per patch. */
const BOXES = /** @type {const} */ ([
    ["patch_grid", "patches", true],
    ["patch_embedding", "tokens: similar ones look alike", true],
    ["position_embedding", "+ positions", true],
    ["heads", "attention of the last layer", true],
    ["depth", "layer by layer", false],
]);

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function overview(root, board, photo) {
    const boxes = BOXES.map(([stem, title, perPatch]) => {
        const canvas = element("canvas", { role: "img", "aria-label": title });
        const link = element("a", { href: home() + stem, class: "stage-box" }, element("span", {}, title), canvas);
        link.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            board.go(stem);
        });
        if (perPatch) {
            canvas.addEventListener("pointermove", (event) => {
                const { rows, columns, prefix } = board.meta;
                const { x, y } = place(event, canvas);
                if (event.pointerType !== "touch")
                    board.look({ query: prefix.length + Math.floor(y * rows) * columns + Math.floor(x * columns) });
            });
            canvas.addEventListener("pointerleave", () => board.look({}));
        }
        return { stem, canvas, link };
    });
    const bars = element("ol", { class: "answer" });
    const cover = element(
        "button",
        { type: "button", class: "cover" },
        "What does the model say? Guess first, then click.",
    );
    cover.addEventListener("click", () => board.choose({ covered: "no" }));
    const said = element(
        "div",
        { class: "stage-box said" },
        element("a", { href: `${home()}class_head` }, "what the model says"),
        bars,
        cover,
    );
    said.querySelector("a")?.addEventListener("click", (event) => {
        event.preventDefault();
        board.go("class_head");
    });
    root.replaceChildren(element("div", { class: "stages" }, ...boxes.map(({ link }) => link), said));

    const data = (/** @type {string} */ name) => board.array("overview", name);

    /** @param {CanvasRenderingContext2D} context @param {string} stem @param {number} size @param {Selection} shown */
    const paint = (context, stem, size, { query }) => {
        const { columns, rows, prefix } = board.meta;
        const cell = size / columns;
        context.imageSmoothingEnabled = false;
        const picture = photo.picture;
        if (stem === "patch_grid" && picture) {
            const [w, h] = [picture.width / columns, picture.height / rows];
            for (let at = 0; at < columns * rows; at++) {
                const [x, y] = [at % columns, Math.floor(at / columns)];
                context.drawImage(picture, x * w, y * h, w, h, x * cell, y * cell, cell * 0.9, cell * 0.9);
            }
        }
        const points =
            stem === "patch_embedding" ? data("tokens") : stem === "position_embedding" ? data("positions") : undefined;
        if (points) context.drawImage(colourGrid(points.data, columns, rows), 0, 0, size, size);
        const maps = data("maps");
        if (maps && (stem === "heads" || stem === "depth")) {
            const [depth, patches] = maps.shape;
            const map = (/** @type {number} */ layer) => maps.data.subarray(layer * patches, (layer + 1) * patches);
            if (stem === "heads")
                drawLit(context, picture, veil(map(depth - 1), columns, rows, largest(map(depth - 1))), 0, 0, size);
            else {
                const across = Math.ceil(Math.sqrt(depth));
                const limit = largest(maps.data);
                for (let layer = 0; layer < depth; layer++) {
                    const tile = size / across;
                    drawLit(
                        context,
                        picture,
                        veil(map(layer), columns, rows, limit),
                        (layer % across) * tile,
                        Math.floor(layer / across) * tile,
                        tile * 0.94,
                    );
                }
                return;
            }
        }
        const patch = query - prefix.length;
        if (patch >= 0)
            outline(
                context,
                (patch % columns) * cell,
                Math.floor(patch / columns) * cell,
                cell,
                cell,
                board.data.palette.chosen,
            );
    };

    return {
        draw(shown) {
            photo.frames = [{ token: shown.query, colour: board.data.palette.chosen }];
            for (const { stem, canvas } of boxes)
                onCanvas(canvas, (context, width) => paint(context, stem, width, shown));
            const covered = shown.covered === "yes" && board.meta.classes > 0;
            cover.hidden = !covered;
            bars.hidden = covered;
            if (!board.meta.classes) bars.replaceChildren(element("li", {}, `${board.meta.dim} components: no head`));
            else fillBars(bars, (at) => board.label(at), data("answer")?.data, 5);
        },
        readout({ query }) {
            const { prefix } = board.meta;
            if (query < prefix.length)
                return "Point at a patch: it is lit in every picture. A click on a picture opens its page. PgDn goes on.";
            return `{chosen} ${tokenName(board.meta, query)}, in every stage`;
        },
    };
}
