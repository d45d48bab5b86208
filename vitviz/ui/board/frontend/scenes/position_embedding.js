// Position embedding: what is added to a token, which positions are alike, and what they are for.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Scene, Selection } from "../types.js" */

import { fillBars } from "../draw/bars.js";
import { element } from "../draw/elements.js";
import { Motion } from "../draw/motion.js";
import { diverging, font, onCanvas, outline, pixels, place } from "../draw/surface.js";
import { small, tokenName } from "../draw/text.js";
import { drawStrips, reach } from "../draw/vectors.js";

const ANSWERS = /** @type {const} */ ([
    ["learned", "as learned"],
    ["off", "{position}s off"],
    ["shuffled", "{position}s shuffled"],
]);

/** @param {HTMLElement} root @param {Board} board @param {Photo} photo @returns {Scene} */
export function positionEmbedding(root, board, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const aside = element("div", { class: "aside" });
    const answers = ANSWERS.map(([name, title]) => ({ name, title, bars: element("ol", { class: "answer" }) }));
    aside.append(...answers.flatMap(({ title, bars }) => [element("h2", {}, title.replace(/[{}]/g, "")), bars]));
    const proof = element("dl", { class: "proof" });
    root.replaceChildren(canvas, aside, proof);
    const adding = new Motion(() => board.invalidate(), 400);
    const shuffling = new Motion(() => board.invalidate(), 700);
    let last = -1;
    /** @type {{ digest: string, picture: OffscreenCanvas } | null} */
    let mosaic = null;

    const otherOf = (/** @type {Selection} */ shown) => {
        const { prefix, patches } = board.meta;
        return shown.key < prefix.length ? patches - 1 - board.patchOf(shown) : shown.key - prefix.length;
    };
    /** The similarity of one position with all. @param {number} patch */
    const mapOf = (patch) => {
        const { patches } = board.meta;
        const all = board.array("position-maps", "maps")?.data;
        return (
            all?.subarray(patch * patches, (patch + 1) * patches) ?? board.array(`position-map-${patch}`, "map")?.data
        );
    };
    /** The side of the mosaic on the canvas. */
    const side = () => Math.min(canvas.clientHeight - 30, canvas.clientWidth * 0.66);
    const tileAt = (/** @type {MouseEvent} */ event) => {
        const { rows, columns, prefix } = board.meta;
        const { x, y } = place(event, canvas);
        const [column, row] = [
            Math.floor(((x * canvas.clientWidth) / side()) * columns),
            Math.floor(((y * canvas.clientHeight - 30) / side()) * rows),
        ];
        return board.shown.moment === 1 && row >= 0 && row < rows && column < columns
            ? prefix.length + row * columns + column
            : -1;
    };
    canvas.addEventListener("pointermove", (event) => {
        const query = event.pointerType === "touch" ? -1 : tileAt(event);
        board.look(query < 0 ? {} : { query });
    });
    canvas.addEventListener("pointerleave", () => board.look({}));
    canvas.addEventListener("click", (event) => {
        const query = tileAt(event);
        if (query >= 0) board.choose({ query });
    });

    /** @param {Selection} shown */
    const drawAdded = (shown) => {
        const { dim, prefix } = board.meta;
        const patch = board.patchOf(shown);
        const rows = /** @type {const} */ (["token", "position", "sum"]).map(
            (name) =>
                board.array("added", name)?.data.subarray(patch * dim, (patch + 1) * dim) ?? new Float32Array(dim),
        );
        const share = adding.share;
        const [token, position, sum] = rows;
        const growing = Float32Array.from(token, (value, at) => (share < 1 ? value + position[at] * share : sum[at]));
        const vectors = [
            { name: `${tokenName(board.meta, prefix.length + patch)}: its token`, values: token },
            { name: "+ its position", values: position },
            { name: "= what enters the first block", values: growing },
        ];
        onCanvas(canvas, (context, width, height) => {
            const colour = getComputedStyle(canvas).color;
            drawStrips(context, vectors, { x: 0, y: 0, width, height: height * 0.9, limit: reach(vectors), colour });
        });
    };

    const drawMaps = (/** @type {Selection} */ shown) => {
        const { rows, columns, patches, digest } = board.meta;
        const all = board.array("position-maps", "maps")?.data;
        const patch = board.patchOf(shown);
        if (all && mosaic?.digest !== digest) {
            const wide = columns * columns;
            const picture = pixels(wide, rows * rows, (at) => {
                const [x, y] = [at % wide, Math.floor(at / wide)];
                const tile = Math.floor(y / rows) * columns + Math.floor(x / columns);
                return diverging(all[tile * patches + (y % rows) * columns + (x % columns)], 1);
            });
            mosaic = { digest, picture };
        }
        onCanvas(canvas, (context, width) => {
            const colour = getComputedStyle(canvas).color;
            const size = side();
            const tile = size / columns;
            context.imageSmoothingEnabled = false;
            context.fillStyle = colour;
            font(context, 16);
            context.fillText("one map per position: its cosine with every other", 0, 20);
            if (all && mosaic) {
                const [w, h] = [columns, rows];
                for (let at = 0; at < patches; at++) {
                    const [x, y] = [at % columns, Math.floor(at / columns)];
                    context.drawImage(
                        mosaic.picture,
                        x * w,
                        y * h,
                        w,
                        h,
                        x * tile,
                        30 + y * tile,
                        tile * 0.92,
                        tile * 0.92,
                    );
                }
                const [x, y] = [patch % columns, Math.floor(patch / columns)];
                outline(context, x * tile, 30 + y * tile, tile * 0.92, tile * 0.92, board.data.palette.chosen);
            }
            const one = mapOf(patch);
            if (!one) return;
            const left = all ? size + 30 : 0;
            const large = Math.min(width - left, all ? 260 : size);
            const picture = pixels(columns, rows, (at) => diverging(one[at], 1));
            context.drawImage(picture, left, 30, large, (large * rows) / columns);
            const cell = large / columns;
            outline(
                context,
                left + (patch % columns) * cell,
                30 + Math.floor(patch / columns) * cell,
                cell,
                cell,
                board.data.palette.chosen,
            );
            context.fillStyle = colour;
            context.fillText(`patch ${patch + 1}`, left, 20);
            const others = Array.from(one).filter((_, at) => at !== patch);
            const [least, most] = [Math.min(...others), Math.max(...others)];
            context.fillText("1 with itself", left, 60 + large);
            context.fillText(`${small(least)} to ${small(most)} elsewhere`, left, 84 + large);
        });
    };

    const drawAnswers = () => {
        for (const { name, bars } of answers)
            fillBars(bars, (at) => board.label(at), board.array("positions-answers", name)?.data);
    };

    /** The photo with two patches that change places. @param {Selection} shown */
    const drawSwap = (shown) => {
        const { columns, rows, prefix } = board.meta;
        const [a, b] = [board.patchOf(shown), otherOf(shown)];
        const swap = (/** @type {string} */ name) => board.array(`swap-${a}-${b}`, name)?.data[0];
        const share = shuffling.share;
        photo.over = (context, size) => {
            if (!photo.picture || a === b) return;
            const [w, h] = [photo.picture.width / columns, photo.picture.height / rows];
            const [tw, th] = [size / columns, size / rows];
            for (const [from, to] of [
                [a, b],
                [b, a],
            ]) {
                const at = (/** @type {number} */ patch) => [patch % columns, Math.floor(patch / columns)];
                const [[x0, y0], [x1, y1]] = [at(from), at(to)];
                const [x, y] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
                context.drawImage(photo.picture, x0 * w, y0 * h, w, h, x * tw, y * th, tw, th);
            }
        };
        photo.frames = [
            { token: prefix.length + a, colour: board.data.palette.chosen },
            { token: prefix.length + b, colour: board.data.palette.key },
        ];
        const told = (/** @type {number | undefined} */ value) => (value === undefined ? "…" : small(value));
        const lines = [
            ["Positions off: the two outputs change places, and differ by at most", swap("moved")],
            ["all other tokens stay, to", swap("stayed")],
            ["the answer (logits) stays, to", swap("logits")],
            ["Positions on: the same swap moves a logit by up to", swap("with")],
        ];
        proof.replaceChildren(
            element("p", {}, `Patch ${a + 1} and patch ${b + 1} change places in the picture.`),
            ...lines.map(([says, value]) =>
                element(
                    "div",
                    {},
                    element("dt", {}, String(says)),
                    element("dd", {}, told(/** @type {number | undefined} */ (value))),
                ),
            ),
            element("p", {}, "Click another patch: it changes places with the one across the picture."),
        );
    };

    return {
        draw(shown) {
            const { prefix } = board.meta;
            const patch = board.patchOf(shown);
            const moment = Math.min(shown.moment, 3);
            if (moment !== last && moment === 0) adding.start();
            if (moment === 3) {
                const pair = `${patch} ${otherOf(shown)}`;
                if (proof.dataset.pair !== pair || last !== 3) shuffling.start();
                proof.dataset.pair = pair;
            }
            last = moment;
            canvas.hidden = moment > 1;
            aside.hidden = moment !== 2;
            proof.hidden = moment !== 3;
            photo.grid = true;
            photo.frames = [{ token: prefix.length + patch, colour: board.data.palette.chosen }];
            canvas.setAttribute("aria-label", `Position of ${tokenName(board.meta, prefix.length + patch)}.`);
            if (moment === 0) drawAdded(shown);
            else if (moment === 1) drawMaps(shown);
            else if (moment === 2) drawAnswers();
            else drawSwap(shown);
        },
        needs(chosen) {
            const wanted = ["added"];
            if (board.meta.patches > 600) wanted.push(`position-map-${board.patchOf(chosen)}`);
            if (chosen.moment === 3) wanted.push(`swap-${board.patchOf(chosen)}-${otherOf(chosen)}`);
            return wanted;
        },
    };
}
