// How long tokens are after each layer, before the last norm and after it; and what long patches hold instead.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Array_, Selection } from "#frontend/types/board.js" */
/** @import { Axis } from "#frontend/types/figure.js" */

import { DASH, layersAxis, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { outline } from "#frontend/draw/surface.js";
import { small, tokenName } from "#frontend/draw/text.js";
import { coming, write } from "#frontend/draw/words.js";
import { means, placeOfRow, rowOf } from "./patches.js";

const NARROW = 620; // CSS pixels: below, the plots stand one below the other
const LOW = 380; // beside a second column there is room for two plots alone
const LEFT = 48; // pixels for the numbers of an axis
const TOP = 34; // pixels for the name of a plot
const BELOW = 46; // pixels for the layers and their name
const GAP = 18;
const FAR = 30; // times: lengths that are so far apart stand on an axis of powers
const BAR = 38; // of a read-out: its name and its bar
const HOLLOW = 18; // more for the bar of outliers
const BAND = 0.2; // of the colour between the shorter and the longer patches

/** The share of sorted numbers that lies below. @param {Float32Array} sorted @param {number} share */
export function quantile(sorted, share) {
    const at = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
    return low + (high - low) * (at - Math.floor(at));
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

export class Lengths {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
    }

    /** Of all tokens, before the last norm or after it. @param {"before" | "after"} side @returns {Array_ | undefined} */
    of(side) {
        return this.column.array("lengths", side);
    }

    /** What patches hold, by what other pictures taught. @param {string} array */
    held(array) {
        const { column } = this;
        return column.array(`held${column.data.facts.among ?? ""}`, array);
    }

    /** Patches that are far longer than others, as tokens. */
    get outliers() {
        return [...(this.column.array("lengths", "outliers")?.data ?? [])];
    }

    /** Whether a norm stands at the end that every token goes through. */
    get normalised() {
        return this.column.data.facts.normalised !== false;
    }

    /** The row and the column that are read off the state of the chosen patch, from 0; null where nothing is.
     *  @param {Selection} shown */
    placeOf(shown) {
        const { column } = this;
        const { patches } = column.meta;
        const from = 2 * (rowOf(shown) * patches + column.patchOf(shown));
        const [row, across] = this.held("places")?.data.subarray(from, from + 2) ?? [];
        return Number.isFinite(row) ? { row, across } : null;
    }

    /** The patch there, as a token; -1 where that lies outside the picture. @param {Selection} shown */
    tokenThere(shown) {
        const { rows, columns, prefix } = this.column.meta;
        const place = this.placeOf(shown);
        if (!place) return -1;
        const [row, across] = [place.row, place.across].map(Math.round);
        const inside = row >= 0 && row < rows && across >= 0 && across < columns;
        return inside ? prefix.length + row * columns + across : -1;
    }

    /** After a layer, all tokens. @param {"before" | "after"} side @param {number} row */
    row(side, row) {
        const { tokens } = this.column.meta;
        return /** @type {Float32Array | undefined} */ (this.of(side)?.data.subarray(row * tokens, (row + 1) * tokens));
    }

    /** After a layer, ordinary patches from the shortest on. @param {"before" | "after"} side @param {number} row */
    sorted(side, row) {
        const far = new Set(this.outliers);
        const first = this.column.meta.prefix.length;
        return this.row(side, row)
            ?.filter((_, token) => token >= first && !far.has(token))
            .sort();
    }

    /** On the photo: light where a patch is long, of the longest; outliers, and where a patch says that it stands.
     *  @param {Photo} photo @param {Selection} shown */
    light(photo, shown) {
        const its = this.row("before", rowOf(shown))?.subarray(this.column.meta.prefix.length);
        const most = its?.reduce((a, b) => Math.max(a, b), 0) || 1;
        if (its && !its.some(Number.isNaN)) photo.light = its.map((value) => value / most);
        photo.frames = this.outliers.map((token) => ({ token, colour: "#fff", width: 2 }));
        const there = this.tokenThere(shown);
        if (there >= 0) photo.frames.push({ token: there, colour: this.column.data.palette.position });
    }

    /** What a linear read-out finds in outliers; null where there are none. */
    get outlying() {
        const far = this.held("outliers");
        return far?.shape[0] ? far.data : null;
    }

    /** The least room of a read-out, in pixels. */
    get tall() {
        return BAR + (this.outlying ? HOLLOW : 0);
    }

    /** What a linear read-out is asked for, in words. */
    get facts() {
        return /** @type {string[]} */ (this.column.data.facts.read);
    }

    /** @param {CanvasRenderingContext2D} context @param {Areas} areas @param {Selection} shown @param {number} width
     *  @param {number} height */
    draw(context, areas, shown, width, height) {
        if (!this.of("before")) return coming(context, width);
        /** @type {("before" | "after")[]} */
        const plots = this.normalised ? ["before", "after"] : ["before"];
        const low = height < LOW;
        const held = low ? undefined : this.held("ordinary");
        const parts = plots.length + (held ? 0.8 : 0);
        const narrow = width < NARROW && !low;
        const bars = held ? TOP + this.facts.length * this.tall + (this.outlying ? HOLLOW : 0) : 0;
        /** @param {number} at @returns {Box} */
        const box = (at) => {
            if (narrow) {
                const each = (height - bars) / plots.length;
                const below = at < plots.length ? each - TOP - BELOW : this.facts.length * this.tall;
                return { x: LEFT, y: at * each + TOP, width: width - LEFT - GAP / 2, height: below };
            }
            const [from, share] = [at / parts, (at < plots.length ? 1 : 0.8) / parts];
            return { x: from * width + LEFT, y: TOP, width: share * width - LEFT - GAP, height: height - TOP - BELOW };
        };
        for (const [at, side] of plots.entries()) this.plot(context, areas, shown, side, box(at));
        if (held) this.bars(context, shown, held, box(plots.length));
    }

    /** @param {CanvasRenderingContext2D} context @param {Areas} areas @param {Selection} shown
     *  @param {"before" | "after"} side @param {Box} box */
    plot(context, areas, shown, side, box) {
        const { meta, data } = this.column;
        const all = /** @type {Array_} */ (this.of(side)).data;
        const says = !this.normalised ? "length" : side === "before" ? "length before the last norm" : "… after it";
        write(context, says, box.x - LEFT, box.y - TOP + 18, { as: "tick", bold: true, width: box.width + LEFT });
        let [least, most] = [Number.POSITIVE_INFINITY, 0];
        for (const value of all) [least, most] = [Math.min(least, value), Math.max(most, value)];
        if (!(most > 0)) return write(context, "no number (NaN)", box.x, box.y + 20);
        const plot = plotOn(context, box, layersAxis(meta.depth, "after layer"), axisOf(least, most));
        plot.axes();
        const rows = Array.from({ length: meta.depth + 1 }, (_, row) => row);
        const line = (/** @type {number} */ token) =>
            rows.map((row) => /** @type {[number, number]} */ ([row, all[row * meta.tokens + token]]));
        const ordinary = rows.map((row) => /** @type {Float32Array} */ (this.sorted(side, row)));
        if (ordinary[0].length) {
            const edge = (/** @type {number} */ share) =>
                ordinary.map((its, row) => /** @type {[number, number]} */ ([row, quantile(its, share)]));
            fill(context, plot, edge(0.05), edge(0.95), data.palette.patch);
            plot.line(edge(0.5), { colour: data.palette.patch, thick: 3 });
        }
        for (const token of this.outliers) plot.line(line(token), { dash: DASH, thick: 1.5, alpha: 0.8 });
        for (const token of meta.prefix.keys())
            plot.line(
                line(token),
                token ? { alpha: 0.6, thick: 1.5 } : { colour: data.palette["class token"], thick: 3 },
            );
        const token = meta.prefix.length + this.column.patchOf(shown);
        plot.line(line(token), { colour: data.palette.chosen, thick: 3 });
        const row = rowOf(shown);
        plot.upright(row, { thick: 1, colour: data.palette.chosen });
        plot.dot(row, all[row * meta.tokens + token], 5, data.palette.chosen);
        const step = box.width / meta.depth;
        for (const at of rows)
            areas.add({ ...box, x: box.x + (at - 0.5) * step, width: step, at: () => means(placeOfRow(at)) });
    }

    /** What a linear read-out finds in patches, as bars. @param {CanvasRenderingContext2D} context @param {Selection} shown
     *  @param {Array_} held of ordinary patches @param {Box} box */
    bars(context, shown, held, { x, y, width, height }) {
        const { column, outlying } = this;
        const { data } = column;
        const row = rowOf(shown);
        const left = x - LEFT;
        write(context, "read out of a patch, R²", left, y - TOP + 18, { as: "tick", bold: true, width: width + LEFT });
        const tall = Math.min(84, height / this.facts.length);
        const most = width + LEFT - 44;
        for (const [at, name] of this.facts.entries()) {
            const top = y + at * tall;
            write(context, name, left, top + 14, { as: "tick" });
            const colour = at < 2 ? data.palette.position : data.palette.patch;
            for (const [which, values] of [held.data, outlying].entries()) {
                if (!values) continue;
                const value = values[3 * row + at];
                const [high, under] = [14, top + 20 + HOLLOW * which];
                if (Number.isNaN(value)) {
                    write(context, "–", left, under + 12, { as: "cell" }); // all patches share it
                    continue;
                }
                const long = Math.max(1, most * Math.max(0, Math.min(1, value)));
                context.fillStyle = colour;
                if (which) outline(context, left + 1, under + 1, long, high - 2, colour, 1);
                else context.fillRect(left, under, long, high);
                write(context, small(value), left + long + 6, under + 12, { as: "cell" });
            }
        }
        if (!outlying) return;
        write(context, "filled: ordinary, hollow: outliers", left, y + this.facts.length * tall + 16, {
            as: "cell",
            width: width + LEFT,
        });
    }

    /** @param {Selection} shown */
    readout(shown) {
        const { meta } = this.column;
        const row = rowOf(shown);
        const token = meta.prefix.length + this.column.patchOf(shown);
        const [before, after] = /** @type {const} */ (["before", "after"]).map((side) => this.row(side, row)?.[token]);
        if (before === undefined || after === undefined) return "";
        const normalised = this.normalised ? `, ${small(after)} after the last norm` : "";
        const far = this.outliers.includes(token) ? ", an outlier" : "";
        const place = this.placeOf(shown);
        const read = place
            ? `; {position} read out: row ${small(place.row + 1)}, column ${small(place.across + 1)}`
            : "";
        return `: length ${small(before)}${normalised}${far}${read}`;
    }

    /** What the lines are; words in braces are roles. @param {Selection} shown */
    caption(shown) {
        const { meta } = this.column;
        const [first, ...rest] = meta.prefix;
        const listed = (/** @type {string[]} */ names) => names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : "");
        const sorted = this.sorted("before", rowOf(shown));
        const median = sorted?.length ? ` ${small(quantile(sorted, 0.5))}` : "";
        const far = this.outliers.map((token) => tokenName(meta, token));
        const named = first === "class" ? ", {class token}" : first ? `, [${first}] in its own colour` : "";
        const others = rest.length ? `, thin: ${listed(rest.map((name) => `[${name}]`))}` : "";
        const dashed = far.length
            ? `; dashed: ${far.length} ${far.length === 1 ? "outlier" : "outliers"}, ${listed(far)}.`
            : "; no outlier.";
        return `${this.registers(shown)}Lines: {chosen}, median {patch}${median} in a band of 90 %${named}${others}${dashed}`;
    }

    /** What registers do, in a sentence: how long they are, and what patches give them; "" where there are none.
     *  @param {Selection} shown */
    registers(shown) {
        const { meta } = this.column;
        const its = [...meta.prefix.keys()].filter((token) => meta.prefix[token].startsWith("register"));
        const [given, even] = ["attention", "even"].map((it) => this.column.array("registers", it)?.data);
        const [row, sorted] = [rowOf(shown), this.sorted("before", rowOf(shown))];
        const lengths = this.row("before", row);
        if (!its.length || !given || !even || !lengths || !sorted?.length) return "";
        const mean = its.reduce((sum, token) => sum + lengths[token], 0) / its.length;
        const times = small(mean / quantile(sorted, 0.5));
        const long = `${its.length} registers, ${times} times as long as the median patch here`;
        if (!row) return `${long}. `;
        const share = (/** @type {number} */ it) => `${small(100 * it)} %`;
        return `${long}; patches give them ${share(given[row - 1])} of their attention in layer ${row}, ${share(even[0])} if all tokens got as much. `;
    }

    /** What an outlier is, and how to read the photo and the bars. */
    more() {
        const { column } = this;
        const held = this.held("ordinary")
            ? " R²: how much of where a patch is, and of its colour, a linear read-out finds in its state, learnt from " +
              "patches of other pictures; 1 is all of it, 0 no more than their mean."
            : "";
        return `The band holds 90 % of the patches that are no outliers. On the photo: dark to light from 0 to the longest patch. An outlier is ${column.data.facts.rule}.${held}`;
    }
}

/** From 0, or on an axis of powers where the lengths are far apart. @param {number} least @param {number} most @returns {Axis} */
function axisOf(least, most) {
    if (!(least > 0 && most > FAR * least)) return { low: 0, high: 1.05 * most, ticks: ticksAt([0, most], small) };
    const [low, high] = [0.9 * least, 1.1 * most];
    const powers = Array.from({ length: 12 }, (_, at) => 10 ** (at - 4)).filter((it) => it >= low && it <= high);
    return { low, high, log: true, ticks: ticksAt(powers, String) };
}

/** Fill between two lines. @param {CanvasRenderingContext2D} context @param {ReturnType<typeof plotOn>} plot
 *  @param {[number, number][]} low @param {[number, number][]} high @param {string} colour */
function fill(context, plot, low, high, colour) {
    Object.assign(context, { fillStyle: colour, globalAlpha: BAND });
    context.beginPath();
    for (const [x, y] of [...low, ...high.reverse()]) context.lineTo(plot.x(x), plot.y(y));
    context.fill();
    context.globalAlpha = 1;
}
