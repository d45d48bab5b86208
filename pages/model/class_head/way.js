// The whole way of one patch, from its pixels to the answer: eight stations beside each other, which Space plays.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Lens } from "#frontend/state/lens.js" */

import { entropy, strongest } from "#frontend/draw/attention.js";
import { ranking } from "#frontend/draw/bars.js";
import { Motion } from "#frontend/draw/motion.js";
import { DASH } from "#frontend/draw/plot.js";
import { diverging, enlarged, frame, largest, outlineToken, pixels } from "#frontend/draw/surface.js";
import { small, tokenName, whole } from "#frontend/draw/text.js";
import { drawLit, drawOff, veil } from "#frontend/draw/tiles.js";
import { largestSize } from "#frontend/draw/vectors.js";
import { write } from "#frontend/draw/words.js";
import { read } from "#frontend/edits/edits.js";
import { offAt } from "#frontend/edits/effects.js";
import { found, has } from "#frontend/state/edited.js";
import { weights } from "#frontend/state/maps.js";

const LENGTH = 20_000; // ms from the first station to the last
const NARROW = 560; // pixels: below, two stations stand beside each other instead of four
const TITLE = 24;
const FOOT = 26;

/** One station: its title, the line under its picture, and what draws it, `share` of the way in, into a square.
 *  @typedef {{ title: string, line: string, draw(context: CanvasRenderingContext2D, size: number, share: number): void,
 *    light?(share: number): Float32Array | null }} Station */

/** @param {ArrayLike<number>} values */
const length = (values) => Math.hypot(...Array.from(values));

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function cosine(a, b) {
    let sum = 0;
    for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
    return sum / (length(a) * length(b) || 1);
}

/** The components of a vector as a square of colours, as far as they have come.
 *  @param {CanvasRenderingContext2D} context @param {ArrayLike<number>} values @param {number} limit
 *  @param {number} size @param {number} many how many of them are shown */
function drawVector(context, values, limit, size, many) {
    const across = Math.ceil(Math.sqrt(values.length));
    const down = Math.ceil(values.length / across);
    const picture = pixels(across, down, (at) =>
        at < Math.min(many, values.length) ? diverging(values[at], limit) : 0,
    );
    enlarged(context, picture, 0, 0, size, (size * down) / across);
}

export class Way {
    /** @param {Column} column @param {Photo} photo */
    constructor(column, photo) {
        this.column = column;
        this.photo = photo;
        this.clock = new Motion(
            () => column.invalidate(),
            LENGTH,
            (t) => t,
        );
        this.playing = false;
    }

    /** What Space asks for, beat by beat: something until the last station is reached. */
    play() {
        if (!this.playing) this.clock.start();
        this.playing = this.clock.share < 1;
        return this.playing ? {} : null;
    }

    /** How high its stations are at least. @param {number} width */
    height(width) {
        return width < NARROW ? 760 : 240;
    }

    /** The names of the numbers that it asks for. @param {Selection} chosen */
    needs(chosen) {
        const { column } = this;
        const patch = column.patchOf(chosen);
        const { depth, prefix, pool } = column.meta;
        const rows = [prefix.length + patch, ...(pool === "class" ? [0] : [])];
        const whole = Array.from({ length: depth }, (_, layer) => layer).every((it) => has(column, `maps-${it}`));
        return [
            ...(has(column, "way") ? [] : [`way-${patch}`]),
            ...(whole ? [] : rows.map((query) => `rows-${query}`)),
        ];
    }

    /** A vector of the patch; undefined as long as it has not come. @param {string} name @param {number} patch */
    vector(name, patch) {
        const { dim } = this.column.meta;
        const it = found(this.column, ["way", `way-${patch}`]);
        const values = it?.arrays[name]?.data;
        return it?.name === "way" ? values?.subarray(patch * dim, (patch + 1) * dim) : values;
    }

    /** The weights that a token gives to all, of one head or of the mean of all; null where they are not here.
     *  @param {number} layer @param {number} head @param {number} query */
    row(layer, head, query) {
        const out = new Float32Array(this.column.meta.tokens);
        return weights(this.column, { layer, head, query, shows: "row" }, out) ? out : null;
    }

    /** @param {Selection} shown @param {Lens | null} lens @returns {Station[] | null} null as long as numbers are missing */
    stations(shown, lens) {
        const { column, photo } = this;
        const {
            prefix,
            pool,
            columns,
            rows,
            patch_sides: [ph, pw],
            channels,
            depth,
            heads,
        } = column.meta;
        const patch = column.patchOf(shown);
        const token = prefix.length + patch;
        const [made, position, sum, leaves] = ["token", "position", "sum", "leaves"].map((it) =>
            this.vector(it, patch),
        );
        const layers = Array.from({ length: depth }, (_, layer) => this.row(layer, heads, token));
        const apart = Array.from({ length: heads }, (_, head) => this.row(shown.layer, head, token));
        const head = Math.min(shown.head, heads - 1);
        const asked = apart[head];
        const last = layers[depth - 1];
        if (!made || !position || !sum || !leaves || !asked || !last || !photo.picture) return null;
        const picture = photo.picture;
        const first = Math.max(largestSize(made), largestSize(sum));
        const end = largestSize(leaves);
        const patches = (/** @type {Float32Array} */ row) => row.subarray(prefix.length);

        /** @param {CanvasRenderingContext2D} context @param {(Float32Array | null)[]} many @param {string[]} off why each
         *  adds nothing, "" where it does @param {number} size @param {number} seen how many of them are shown */
        const tiles = (context, many, off, size, seen) => {
            const across = Math.ceil(Math.sqrt(many.length));
            const cell = size / across;
            const limit = Math.max(...many.map((row) => (row ? largest(patches(row)) : 0)));
            for (const [at, row] of many.slice(0, seen).entries()) {
                if (!row) continue;
                const [x, y] = [(at % across) * cell, Math.floor(at / across) * cell];
                drawLit(context, picture, veil(patches(row), columns, rows, limit), x, y, cell * 0.94);
                if (off[at]) drawOff(context, x, y, cell * 0.94);
            }
        };
        const key = strongest(asked);
        const looks = pool === "class" ? this.row(depth - 1, heads, 0) : null;
        const edits = read(shown.edits, column.meta);
        const off = Array.from({ length: depth }, (_, layer) => offAt(edits, column.meta, layer, heads));
        const idle = apart.map((_, head) => offAt(edits, column.meta, shown.layer, head));
        return [
            {
                title: `${tokenName(column.meta, token)}`,
                line: `${ph} × ${pw} × ${channels} = ${whole(ph * pw * channels)} numbers`,
                draw: (context, size) => {
                    const [w, h] = [picture.width / columns, picture.height / rows];
                    const [x, y] = [patch % columns, Math.floor(patch / columns)];
                    const scale = size / Math.max(w, h);
                    enlarged(context, picture, x * w, y * h, w, h, 0, 0, w * scale, h * scale);
                },
            },
            {
                title: "embedded",
                line: `${whole(made.length)} components, length ${small(length(made))}`,
                draw: (context, size, share) => drawVector(context, made, first, size, made.length * share),
            },
            {
                title: "position added",
                line: `+ position of length ${small(length(position))}`,
                draw: (context, size, share) => {
                    const growing = Float32Array.from(made, (value, at) => value + position[at] * share);
                    drawVector(context, share < 1 ? growing : sum, first, size, made.length);
                },
            },
            {
                title: `layer ${shown.layer + 1}, head ${head + 1} asks`,
                line: idle[head]
                    ? `adds nothing: ${idle[head]}`
                    : `most of ${tokenName(column.meta, key)}: ≈ ${small(asked[key])}`,
                draw: (context, size) => {
                    tiles(context, [asked], [idle[head]], size / 0.94, 1);
                    if (key < prefix.length || idle[head]) return;
                    outlineToken(context, column.meta, key, [0, 0, size, size], column.data.palette.key);
                },
                light: () => asked,
            },
            {
                title: `all heads of layer ${shown.layer + 1}`,
                line: heads === 1 ? "one head" : `${heads} heads, ${heads} answers`,
                draw: (context, size, share) => tiles(context, apart, idle, size, Math.ceil(heads * share)),
                light: (share) => apart[Math.min(heads - 1, Math.floor(heads * share))],
            },
            {
                title: "layer after layer",
                line: off[depth - 1] || `attends to ${small(Math.exp(entropy(last)))} tokens`,
                draw: (context, size, share) => tiles(context, layers, off, size, Math.ceil(depth * share)),
                light: (share) => layers[Math.min(depth - 1, Math.floor(depth * share))],
            },
            {
                title: depth === 1 ? "after the block" : `after ${depth} blocks`,
                line: `cosine with its start ${small(cosine(leaves, sum))}`,
                draw: (context, size, share) => drawVector(context, leaves, end, size, leaves.length * share),
            },
            {
                title: column.meta.classes ? "the answer" : "the result",
                line: looks ? off[depth - 1] || `[class] looks at it: ≈ ${small(looks[token])}` : "made of all tokens",
                draw: (context, size, share) => this.answer(context, lens, size, share),
                light: () => (off[depth - 1] ? null : looks),
            },
        ];
    }

    /** The three most probable classes, or where there are none the vector that comes out. @param {CanvasRenderingContext2D} context @param {Lens | null} lens
     *  @param {number} size @param {number} share */
    answer(context, lens, size, share) {
        const result = this.column.array("result", "vector")?.data;
        if (result) drawVector(context, result, largestSize(result), size, result.length * share);
        if (!lens) return;
        const probabilities = lens.probabilities(this.column.meta.depth);
        for (const [row, at] of ranking(probabilities, 3).entries()) {
            const top = (row * size) / 3;
            write(context, `${lens.label(at)} ${small(probabilities[at])}`, 0, top + 15, { width: size * 1.6 });
            context.fillStyle = this.column.data.palette.head;
            context.fillRect(0, top + 20, Math.max(2, size * probabilities[at] * share), 8);
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {Selection} shown @param {Lens | null} lens @param {number} width
     *  @param {number} height */
    draw(context, shown, lens, width, height) {
        if (this.playing && !this.column.playing) {
            this.playing = false;
            this.clock.stop();
        }
        const stations = this.stations(shown, lens);
        const across = width < NARROW ? 2 : 4;
        const [wide, tall] = [width / across, height / Math.ceil(8 / across)];
        const size = Math.min(wide - 24, tall - TITLE - FOOT - 8);
        const reached = this.clock.share * 8;
        for (let at = 0; at < 8; at++) {
            const station = stations?.[at];
            const share = Math.max(0, Math.min(1, reached - at));
            context.save();
            context.translate((at % across) * wide, Math.floor(at / across) * tall);
            const title = station ? `${at + 1} ${station.title}` : `${at + 1}`;
            write(context, title, 0, 17, { as: "title", width: wide - 8 });
            if (station && share > 0) {
                write(context, station.line, 0, TITLE + size + 19, { width: wide - 8 });
                context.translate(0, TITLE);
                context.globalAlpha = Math.min(1, share * 4);
                station.draw(context, size, share);
                context.globalAlpha = 1;
            } else {
                context.setLineDash(DASH);
                frame(context, 1, TITLE + 1, size - 2, size - 2);
                if (!station) write(context, "on its way", 10, TITLE + 26, { width: size });
            }
            context.restore();
        }
        const present = Math.min(7, Math.floor(reached));
        const row = this.playing ? stations?.[present].light?.(reached - present) : null;
        if (!row) return;
        const seen = row.subarray(this.column.meta.prefix.length);
        const most = largest(seen);
        this.photo.light = seen.map((weight) => Math.sqrt(weight / most));
    }
}
