// What stands around the marks of a panel: its title, lines of the grid, ticks and titles of the axes.

/** @import { Axis, Placed } from "../types/figure.js" */

import { along } from "./along.js";
import { LETTER, LINE } from "./layout.js";
import { mark, write } from "./marks.js";

const APART = 17; // pixels from one line of words to the next

/** @param {Placed} placed */
export function axes({ panel, scale, title }) {
    const { across, down, right } = panel;
    const { left, right: end, top, bottom, edge, wide } = scale;
    const middle = (top + bottom) / 2;
    const bold = (panel.title ?? "").split("\n")[0];
    let first = "";
    const headings = title.map((line, at) => {
        const weight = first.length < bold.length ? 700 : 400;
        first += first ? ` ${line}` : line;
        return write(line, left, top - 14 - LINE * (title.length - 1 - at), { weight, room: scale.end - left });
    });
    const node = mark(
        "g",
        { class: "axis" },
        ...headings,
        ...apart(down, scale.y, () => APART).flatMap(({ at, text, written }) => [
            ...(down.grid === false ? [] : [line(left, end, at, at)]),
            ...(written
                ? [write(cut(text, left - 8 - edge), left - 8, at + 5, { anchor: "end", room: left - 8 - edge })]
                : []),
        ]),
        ...apart(across, scale.x, (text) => text.length * LETTER * 0.85 + 4).flatMap(({ at, text, written }) => [
            ...(across.grid === false ? [] : [line(at, at, top, bottom)]),
            ...(written ? [write(text, at, bottom + 20, { anchor: "middle", room: 2 * Math.min(at, wide - at) })] : []),
        ]),
    );
    if (across.title) {
        const centre = (left + end) / 2;
        const room = 2 * Math.min(centre - edge, scale.end - centre);
        node.append(write(across.title, centre, bottom + 44, { anchor: "middle", room }));
    }
    if (down.title) node.append(turned(down.title, edge + 16, middle, bottom - top));
    if (right) {
        const y = along(right, bottom, top);
        for (const { at, text, written } of apart(right, y, () => APART))
            if (written) node.append(write(text, end + 8, at + 5, { room: scale.end - 8 - end }));
        if (right.title) node.append(turned(right.title, scale.end - 6, middle, bottom - top));
    }
    return node;
}

/** @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 */
const line = (x1, x2, y1, y2) => mark("line", { x1, x2, y1, y2, stroke: "currentColor", "stroke-opacity": 0.18 });

/** @param {string} text @param {number} x @param {number} y @param {number} room */
function turned(text, x, y, room) {
    const node = write(text, 0, 0, { anchor: "middle", room: room + 2 * APART });
    node.setAttribute("transform", `translate(${x} ${y}) rotate(-90)`);
    return node;
}

/** The ticks of an axis in pixels, and which of them have room for their words. @param {Axis} axis
 *  @param {(value: number) => number} scale @param {(text: string) => number} size */
function apart({ ticks = [] }, scale, size) {
    let last = { at: -1e9, size: 0 };
    return ticks.map(([value, text]) => {
        const here = { at: scale(value), size: size(text) };
        const written = text !== "" && Math.abs(here.at - last.at) >= (here.size + last.size) / 2;
        if (written) last = here;
        return { at: here.at, text, written };
    });
}

/** @param {string} text @param {number} room */
const cut = (text, room) => {
    const most = Math.max(1, Math.floor(room / (0.82 * LETTER)));
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
