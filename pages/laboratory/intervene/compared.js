// The logit lens of the answer, layer by layer, with the unedited run as a grey ghost.

import { ranking } from "#frontend/draw/bars.js";
import { element } from "#frontend/draw/elements.js";
import { wrapped } from "#frontend/draw/lines.js";
import { DASH, layersAxis, PROBABILITY, plotOn, ticksAt } from "#frontend/draw/plot.js";
import { frame, largest } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { drawLit, veil } from "#frontend/draw/tiles.js";
import { drawMap, largestSize } from "#frontend/draw/vectors.js";
import { widthOf, write } from "#frontend/draw/words.js";
import { secondOf } from "#frontend/editing/runs.js";
import { idle } from "#frontend/editing/words.js";
import { allInWords } from "#frontend/edits/words.js";

/** @import { Axis } from "#frontend/types/figure.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Lens } from "#frontend/state/lens.js" */
/** @import { Outcome } from "#frontend/editing/outcome.js" */
/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { Run, Runs } from "#frontend/editing/runs.js" */

const SIDES = { left: 30, right: 10, top: 28, foot: 24 };
const LINE = 19; // pixels of a further line over the curves

const NAME = /** @type {const} */ ({ as: "tick", bold: true });

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {Lens} original @param {Lens | null} edited
 *  @param {number} width @param {number} height */
export function drawGhostLens(context, column, original, edited, width, height) {
    const { depth } = column.meta;
    const best = ranking(original.probabilities(depth), 1)[0];
    const now = edited ? ranking(edited.probabilities(depth), 1)[0] : best;
    const said = [`read after every layer: ${original.label(best)}`, `dashed: ${original.label(now)}`];
    const lines = said.slice(0, now === best ? 1 : 2).flatMap((text) => inLines(context, text, width));
    for (const [at, text] of lines.entries()) write(context, text, 0, 16 + at * LINE, { ...NAME, width });
    const plot = plotOfLayers(context, depth, PROBABILITY, width, height, (lines.length - 1) * LINE);
    plot.line(original.along(best), { colour: "#8f8f97", thick: 6 });
    if (edited && now !== best) plot.line(edited.along(now), { dash: DASH });
    plot.line((edited ?? original).along(best), { colour: column.data.palette.head, thick: 3 });
}

/** The frame of something that goes through all layers, under its name. @param {CanvasRenderingContext2D} context
 *  @param {number} depth @param {Axis} down @param {number} width @param {number} height @param {number} [more] pixels
 *  of further lines of its name */
export function plotOfLayers(context, depth, down, width, height, more = 0) {
    const { left, right, top, foot } = SIDES;
    const box = { x: left, y: top + more, width: width - left - right, height: height - top - more - foot };
    const plot = plotOn(context, box, layersAxis(depth), down);
    plot.axes();
    return plot;
}

/** The same in words: the probability before the first layer and after each. @param {Column} column @param {Lens | null} original
 *  @param {Lens | null} edited */
export function saysLens({ meta }, original, edited) {
    if (!original) return "The answer after every layer is on its way.";
    const best = ranking(original.probabilities(meta.depth), 1)[0];
    const along = (/** @type {Lens} */ lens, at = best) =>
        lens
            .along(at)
            .map(([, probability]) => small(probability))
            .join(", ");
    const now = edited ? ranking(edited.probabilities(meta.depth), 1)[0] : best;
    const changed = edited ? `; edited ${along(edited)}` : "";
    const other = edited && now !== best ? `; dashed, ${original.label(now)}: ${along(edited, now)}` : "";
    return `${original.label(best)}, before layer 1 and after every layer: unedited ${along(original)}${changed}${other}.`;
}

/** A text, and where it has no room in one line, its name in a second one. @param {CanvasRenderingContext2D} context
 *  @param {string} text @param {number} width */
export const inLines = (context, text, width) =>
    widthOf(context, text, NAME) <= width ? [text] : text.split(/(?<=:) /);

const TOP = 24; // pixels for the name of a map
const FOOT = 22; // and for its scale
const GAP = 12;
const ROOM = 104; // pixels of a square that has room for a sentence

/** @param {CanvasRenderingContext2D} context @param {Column} column @param {{ plain: CanvasImageSource | null, painted: CanvasImageSource | null }} photos
 *  @param {Float32Array | null} original weights of all tokens @param {Float32Array | null} edited
 *  @param {number} width @param {number} height
 *  @param {boolean} changed whether anything is @param {boolean} before whether these maps are made before that */
export function drawCompared(context, column, photos, original, edited, width, height, changed, before) {
    const { rows, columns, prefix } = column.meta;
    const size = Math.min((width - 2 * GAP) / 3, height - TOP - FOOT);
    const patches = (/** @type {Float32Array} */ row) => row.subarray(prefix.length);
    const both = [edited, original].filter((row) => row !== null).map(patches);
    const limit = Math.max(...both.map(largest), 1e-12);
    const name = (/** @type {number} */ place, /** @type {string} */ text, /** @type {string} */ foot) => {
        write(context, text, place * (size + GAP), 16, { as: "tick", bold: true, width: size });
        write(context, foot, place * (size + GAP), TOP + size + 17, { as: "cell", width: size });
    };
    for (const [place, [text, row]] of /** @type {[string, Float32Array | null][]} */ ([
        ["edited", edited],
        ["original", original],
    ]).entries()) {
        const x = place * (size + GAP);
        const photo = place ? photos.plain : photos.painted;
        if (row) drawLit(context, photo, veil(patches(row), columns, rows, limit), x, TOP, size);
        name(place, text, row ? `brightest from ${small(limit)}` : "on its way");
    }
    if (!edited || !original) return name(2, "difference", "");
    const left = 2 * (size + GAP);
    frame(context, left, TOP, size, size);
    if (!changed) {
        if (size > ROOM)
            wrapped(context, "What a change does to this map stands here.", left + 8, TOP + 24, size - 16, {
                as: "cell",
            });
        return name(2, "difference", "blue: less, red: more");
    }
    const moved = patches(edited).map((weight, at) => weight - original[prefix.length + at]);
    const most = largestSize(moved);
    const none = most < 1e-6;
    drawMap(context, moved, column.meta, none ? 1 : most, left, TOP, size);
    name(2, "difference", none ? (before ? "none: made before the change" : "none") : `blue −, red +: ${small(most)}`);
}

const HARDLY = 0.9; // the cosine from which on a vector hardly moves

/** What can come of edits, and how it is said. @type {[Outcome, string][]} */
export const MOVES = [
    ["same", "it hardly moves"],
    ["less", "it moves, less far than to another picture"],
    ["other", "it moves as far as to another picture"],
];

/** The cosine of a vector to the unedited one, and the length of their difference in lengths of that.
 *  @param {ArrayLike<number>} before @param {ArrayLike<number>} after @param {number} from @param {number} dim */
export function moved(before, after, from, dim) {
    let [own, other, both, apart] = [0, 0, 0, 0];
    for (let at = from; at < from + dim; at++) {
        own += before[at] ** 2;
        other += after[at] ** 2;
        both += before[at] * after[at];
        apart += (after[at] - before[at]) ** 2;
    }
    return { cosine: both / Math.sqrt(own * other), length: Math.sqrt(apart / own) };
}

export class Moved {
    /** @param {Column} column @param {Runs} runs */
    constructor(column, runs) {
        this.column = column;
        this.runs = runs;
        this.lines = ["cosine to the unedited", "length of the difference", ""].map((says) => {
            const [name, now, value] = [element("span", { class: "name" }, says), element("i"), element("b")];
            const bar = element("span", { class: "bar" }, now);
            return { name, now, value, line: element("li", {}, name, element("span"), value, bar) };
        });
        this.names = element("p", { class: "names" });
        this.root = element(
            "div",
            { class: "answers" },
            this.names,
            element("ol", { class: "ghosts" }, ...this.lines.map(({ line }) => line)),
        );
    }

    /** What is compared. */
    get what() {
        return this.column.meta.pool === "class" ? "class token" : "result";
    }

    /** The second picture, which is the scale. */
    get second() {
        const { samples = {} } = /** @type {{ samples?: Record<string, string> }} */ (this.column.data.facts);
        return `“${samples[secondOf(this.column)] ?? "the second picture"}”`;
    }

    /** The cosine to the second picture, once it is here. */
    get scale() {
        const { pair } = this.runs;
        return pair && moved(pair.own, pair.second, 0, this.column.meta.dim).cosine;
    }

    /** When it is which. */
    get rule() {
        const far = this.scale === null ? "" : `, ${small(this.scale)}`;
        return `Hardly: its cosine to the unedited is at least ${HARDLY}. As far as to another picture: at most that to ${this.second}${far}.`;
    }

    /** What came, against the guess. @param {Outcome} guessed @param {string} takes what the edits take away
     *  @param {Run} before @param {Run} after */
    verdict(guessed, takes, before, after) {
        const { what, scale, second } = this;
        const last = this.along(before, after)?.[this.column.meta.depth];
        if (!last || scale === null) return "The model is running …";
        /** @type {Outcome} */
        const came = last.cosine >= HARDLY ? "same" : last.cosine > scale ? "less" : "other";
        const means = {
            same: `The ${what} hardly needs ${takes}.`,
            less: `Some of what the ${what} holds comes through ${takes}.`,
            other: `Without ${takes} the ${what} is no nearer to itself than that of ${second} is.`,
        };
        const says = new Map(MOVES).get(came);
        return `${came === guessed ? "Right" : "Not so"}: ${says}, cosine ${small(last.cosine)}. ${means[/** @type {"same"} */ (came)]}`;
    }

    /** After every layer, from before the first one on. @param {Run} before @param {Run} after */
    along({ vectors: before }, { vectors: after }) {
        const { depth, dim } = this.column.meta;
        if (!before || !after) return null;
        return Array.from({ length: depth + 1 }, (_, layer) => moved(before, after, layer * dim, dim));
    }

    /** The bars, and for a scale another picture. @param {Run} before @param {Run} after */
    draw(before, after) {
        const last = this.along(before, after)?.[this.column.meta.depth];
        this.names.textContent = `the ${this.what} after the last norm`;
        this.lines[2].name.textContent = `for scale: cosine to ${this.second}`;
        for (const [at, number] of [last?.cosine, last?.length, this.scale].entries()) {
            const { line, now, value } = this.lines[at];
            line.hidden = typeof number !== "number";
            now.style.width = `${100 * Math.max(0, Math.min(1, number ?? 0))}%`;
            value.textContent = small(number ?? 0);
        }
    }

    /** What became of it, in a sentence. @param {Edit[]} edits @param {Run} before @param {Run} after */
    says(edits, before, after) {
        const { meta } = this.column;
        if (!edits.length) return `Unedited. No classes here: what edits move is the ${this.what}.`;
        const last = this.along(before, after)?.[meta.depth];
        if (!last) return `${allInWords(edits, meta)}: …`;
        const { cosine, length } = last;
        return `${allInWords(edits, meta)}: ${this.what} at cosine ${small(cosine)} to the unedited, ${small(length)} of its length away.${idle(edits, meta)}`;
    }

    /** The cosines in words. @param {Run} before @param {Run} after */
    saysAlong(before, after) {
        const cosines = this.along(before, after)?.map(({ cosine }) => small(cosine));
        return cosines
            ? `Cosine of the ${this.what} to the unedited, before layer 1 and after every layer: ${cosines.join(", ")}.`
            : "The run is on its way.";
    }

    /** The cosine after every layer. @param {CanvasRenderingContext2D} context @param {Run} before @param {Run} after
     *  @param {number} width @param {number} height */
    drawAlong(context, before, after, width, height) {
        const along = this.along(before, after);
        if (!along) return;
        write(context, "cosine after every layer", 0, 16, { as: "tick", bold: true, width });
        const low = along.some(({ cosine }) => cosine < 0) ? -1 : 0;
        const down = { low, high: 1, ticks: ticksAt([low, 1], small) };
        const plot = plotOfLayers(context, this.column.meta.depth, down, width, height);
        const points = along.map(({ cosine }, layer) => /** @type {[number, number]} */ ([layer, cosine]));
        plot.line(points, { colour: this.column.data.palette.head, thick: 3 });
    }
}
