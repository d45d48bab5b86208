// Where panels lie in a drawing, and from the units of their axes to pixels and back: as vitviz/figures/printed/layout.py.

/** @import { Axis, Figure, Panel, Placed, Scale } from "../types/figure.js" */

import { along } from "./along.js";

const TOP = 10; // pixels around a plot
const RIGHT = 14;
const SIDE = 3;
const TICKED = 26; // below it, for ticks, and with a title as well
const TICKS = 52;
const TITLED = 26;
export const LINE = 24; // from one line of a title to the next
const GAP = 22; // between panels
const SCALE = 52; // a colour scale
const PICTURE = 130; // pixels that a panel is wide at least: the others of its row stand below where it has fewer
const PLOT = 260;
export const LETTER = 9; // pixels, at most
const BOLD = 8.2; // of a title, about

/** @param {Figure} figure @param {number} width in pixels @returns {{ all: Placed[], foot: number, height: number }}
 *  each panel with its plot, where they end, and where the colour scale below them ends */
export function placed(figure, width) {
    /** @type {Placed[]} */
    const all = [];
    let top = figure.title ? LINE * wrapped(figure.title, width, LETTER).length + 6 : 0;
    let foot = top;
    for (const row of figure.rows)
        for (const part of abreast(row, width)) {
            const { room, shares } = part;
            const titles = part.panels.map(({ title = "" }, at) => wrapped(title, shares[at] * room - RIGHT, BOLD));
            const above = LINE * Math.max(0, ...titles.map(({ length }) => length));
            let left = 0;
            for (const [at, panel] of part.panels.entries()) {
                const scale = scaleOf(panel, { left, width: shares[at] * room, top: top + above + TOP, wide: width });
                all.push({ panel, scale, title: titles[at] });
                left += shares[at] * room + GAP;
                foot = Math.max(foot, scale.bottom + below(panel));
            }
            top = foot + GAP / 2;
        }
    return { all, foot, height: foot + (figure.scale ? SCALE : 0) };
}

/** The panels of a row that stand beside each other, and what each has of the room: in several parts where there is
 *  little. @param {Panel[]} row @param {number} width */
function abreast(row, width) {
    for (let many = row.length; ; many = Math.ceil(many / 2)) {
        const room = width - GAP * (many - 1);
        const parts = [];
        for (let start = 0; start < row.length; start += many) {
            const panels = row.slice(start, start + many);
            const whole = sum(row.length % many ? row.slice(0, many) : panels); // the last is as wide as those above
            parts.push({ panels, room, shares: panels.map(({ wide = 1 }) => Math.min(1, wide / whole)) });
        }
        const fit = parts.every(({ panels, shares }) => panels.every((it, at) => shares[at] * room >= least(it)));
        if (fit || many === 1) return parts;
    }
}

const sum = (/** @type {Panel[]} */ panels) => panels.reduce((total, { wide = 1 }) => total + wide, 0);
const least = (/** @type {Panel} */ { across, down, square }) =>
    across.ticks?.some(([, text]) => text) || down.ticks?.some(([, text]) => text) || !square ? PLOT : PICTURE;

/** Pixels below a plot for its ticks and its title. @param {Panel} panel */
const below = ({ across }) => (across.ticks?.length ? (across.title ? TICKS : TICKED) : SIDE);

/** @param {Panel} panel @param {{ left: number, width: number, top: number, wide: number }} where @returns {Scale} */
export function scaleOf(panel, { left, width, top, wide }) {
    const { across, down, right, square } = panel;
    const margin = down.ticks?.length ? longest(down) + 8 + (down.title ? TITLED : 0) : SIDE;
    const start = left + Math.min(panel.left || margin, 0.45 * width);
    const last = (across.ticks?.at(-1)?.[1].length ?? 0) * LETTER; // half of it sticks out where it stands at the edge
    let end = left + width - (right ? longest(right) + 8 + TITLED : Math.max(RIGHT, last / 2));
    let bottom = top - TOP + panel.height - below(panel);
    if (square) {
        const high = (Math.abs(down.high - down.low) * square) / Math.abs(across.high - across.low);
        const plot = Math.min(end - start, (bottom - top) / high);
        [end, bottom] = [start + plot, top + plot * high];
    }
    const sides = { left: start, right: end, top, bottom, edge: left, end: left + width, wide };
    return { ...sides, x: along(across, start, end), y: along(down, bottom, top) };
}

const longest = (/** @type {Axis} */ { ticks = [] }) => LETTER * Math.max(0, ...ticks.map(([, text]) => text.length));

/** A text in lines of at most so many pixels, if no word is longer. @param {string} text @param {number} room
 *  @param {number} letter pixels of one */
export function wrapped(text, room, letter) {
    const lines = [];
    for (const paragraph of text ? text.split("\n") : []) {
        let line = "";
        for (const word of paragraph.split(" ")) {
            const longer = line ? `${line} ${word}` : word;
            if (line && longer.length * letter > room) {
                lines.push(line);
                line = word;
            } else line = longer;
        }
        lines.push(line);
    }
    return lines;
}
