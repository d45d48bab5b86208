// First moment: a token, layer-normalised, times three matrices: its query, key and value.

/** @import { Moment } from "./steps.js" */

import { diverging, pixels } from "#board/canvas/surface.js";
import { drawStrips, largestSize } from "#board/canvas/vectors.js";
import { write } from "#board/canvas/words.js";
import { small, tokenName, whole } from "#board/draw/text.js";
import { pointed, within } from "./steps.js";

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
    const { context, width, height, share, board, it, shown } = moment;
    const { dim, head_dim: dh } = board.meta;
    const name = tokenName(board.meta, shown.query);
    const strip = Math.max(52, height * 0.15);
    for (const [place, [text, key]] of [
        [`x: ${name} in the residual stream`, "stream"],
        [String(board.data.facts.read), "normalised"],
    ].entries()) {
        const strips = [{ name: text, values: it.row(key, shown.query) }];
        drawStrips(context, strips, { y: place * strip, width, height: strip });
    }
    const across = (width - 2 * GAP) / 3;
    const top = 2 * strip + 30;
    const tall = (height - top - 82) * share;
    const results = MADE.map(([of]) => it.one(it.ofHead(of, shown.head), shown.query));
    const limit = Math.max(...results.map(largestSize));
    const at = within(board, shown);
    const boxes = MADE.flatMap(([of, matrix, role, does], place) => {
        const x = place * (across + GAP);
        const size = across > 200 ? `, ${whole(dim)} × ${dh}, for every token` : "";
        write(context, `· ${matrix}${size}`, x, top - 6, { width: across });
        const picture = matrixOf(moment, place);
        context.imageSmoothingEnabled = dim > 2 * tall;
        if (picture) context.drawImage(picture, x, top, across, tall);
        context.fillStyle = board.data.palette[role];
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
function matrixOf({ board, shown }, which) {
    const code = board.array(`values-${shown.layer}`, "matrices");
    if (!code) return null;
    const known = drawn.get(code) ?? new Map();
    drawn.set(code, known);
    const { dim, head_dim: dh, heads } = board.meta;
    const at = which * heads + shown.head;
    const picture = known.get(at) ?? pixels(dh, dim, (place) => diverging(code.data[at * dim * dh + place] - 127, 127));
    known.set(at, picture);
    return picture;
}
