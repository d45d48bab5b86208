// The first three principal components of all patches as red, green and blue: one basis for all pictures.

/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */
/** @import { Pictures } from "./pictures.js" */

import { enlarged, outlineToken, pixels, tokenAt } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { inSquare } from "#frontend/draw/tiles.js";
import { coming, write } from "#frontend/draw/words.js";
import { rowOf } from "./patches.js";
import { pairs } from "./pictures.js";
import { drawShaded } from "./shaded.js";

const UNDER = 26; // pixels for the line under a pair
const CHANNELS = ["red", "green", "blue"];

/** Which component stands alone, from 0; -1 where all three do. @param {Selection} shown */
export const aloneOf = ({ principal }) => (principal === "all" ? -1 : Number(principal) - 1);

/** From which coordinate on a patch is foreground, in shares of the reach; null where none is asked for.
 *  @param {Selection} shown */
export const thresholdOf = ({ principal, threshold }) =>
    principal === "all" || threshold === "none" ? null : Number(threshold) / 100;

export class Colours {
    /** @param {Column} column @param {Pictures} pictures @param {Photo} photo */
    constructor(column, pictures, photo) {
        this.column = column;
        this.pictures = pictures;
        this.photo = photo;
    }

    /** Those of all pictures; until they have come, of this one alone. */
    get source() {
        const { column } = this;
        const name = [`colours${this.pictures.among}`, "colours-here"].find((it) => column.array(it, "scaled"));
        const [scaled, share, reach] = ["scaled", "share", "reach"].map((it) => name && column.array(name, it));
        return scaled && share && reach ? { scaled, share, reach } : null;
    }

    /** Whether one basis for all pictures is still on its way. */
    get alone() {
        const { all, among } = this.pictures;
        return all.length > 0 && !this.column.array(`colours${among}`, "scaled");
    }

    /** Why there is nothing to see after a layer, or "". @param {number} row */
    nothing(row) {
        const shares = this.source?.share.data.subarray(3 * row, 3 * row + 3);
        if (shares?.some(Number.isNaN)) return "Not all of these are numbers (NaN), so there are no components.";
        return shares?.every((it) => it === 0)
            ? "All patches have one state here: there is nothing to tell them apart by."
            : "";
    }

    /** Of one picture the coordinates after a layer, in shares of the reach: `n 3`, or null.
     *  @param {number} row @param {number} picture */
    shares(row, picture) {
        const { source } = this;
        if (!source || picture >= source.scaled.shape[1]) return null;
        const [, pictures, many, three] = source.scaled.shape;
        const size = many * three;
        const from = (row * pictures + picture) * size;
        return source.scaled.data.subarray(from, from + size);
    }

    /** Colours of a picture, or one component from black to white. @param {ArrayLike<number>} shares `n 3`
     *  @param {number} alone */
    tile(shares, alone) {
        const { columns, rows } = this.column.meta;
        const byte = (/** @type {number} */ share) => Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, share)));
        return pixels(columns, rows, (at) => {
            const [r, g, b] = [0, 1, 2].map((channel) => byte(shares[3 * at + (alone < 0 ? channel : alone)]));
            return ((0xff << 24) | (b << 16) | (g << 8) | r) >>> 0;
        });
    }

    /** Which patches are foreground, 1, and which are not, 0; null where none is asked for. @param {ArrayLike<number>} shares
     *  @param {Selection} shown */
    foreground(shares, shown) {
        const threshold = thresholdOf(shown);
        if (threshold === null) return null;
        return Float32Array.from({ length: shares.length / 3 }, (_, at) =>
            Number(shares[3 * at + aloneOf(shown)] > threshold),
        );
    }

    /** On the photo: the colours, or the foreground. @param {Selection} shown */
    light(shown) {
        const { photo } = this;
        const shares = this.shares(rowOf(shown), 0);
        if (!shares || Number.isNaN(shares[0])) return;
        const foreground = this.foreground(shares, shown);
        const { columns, rows } = this.column.meta;
        if (foreground) photo.light = foreground;
        else {
            const tile = this.tile(shares, aloneOf(shown));
            photo.over = (context, size) => enlarged(context, tile, 0, 0, size, (size * rows) / columns);
        }
    }

    /** @param {CanvasRenderingContext2D} context @param {Areas} areas @param {Selection} shown @param {number} width
     *  @param {number} height */
    draw(context, areas, shown, width, height) {
        const { column, pictures, photo } = this;
        const { meta, data } = column;
        const row = rowOf(shown);
        const titles = ["this picture", ...pictures.all.map(({ title }) => title)];
        const { size, wide, place } = pairs(titles.length, width, height, UNDER);
        if (!this.source) return coming(context, width, "The colours are on their way.");
        const token = meta.prefix.length + column.patchOf(shown);
        for (const [at, title] of titles.entries()) {
            const picture = at ? pictures.at(at - 1) : photo.picture;
            const shares = this.shares(row, at);
            const { first, second, below } = place(at);
            const [box, colours] = [first, second].map(([x, y]) => inSquare(picture, x, y, size));
            const foreground = shares && this.foreground(shares, shown);
            if (foreground) drawShaded(context, picture, foreground, [0, 1], meta, box);
            else if (picture) context.drawImage(picture, ...box);
            if (shares) enlarged(context, this.tile(shares, aloneOf(shown)), ...colours);
            write(context, title, below[0], below[1] + 18, { as: "tick", bold: !at, width: wide });
            for (const its of [box, colours]) {
                if (!at) outlineToken(context, meta, token, its, data.palette.chosen, 2);
                const [left, top, across, down] = its;
                const spot = (/** @type {number} */ x, /** @type {number} */ y) => tokenAt(meta, x, y);
                const area = { x: left, y: top, width: across, height: down };
                if (!at) areas.add({ ...area, at: (x, y) => ({ query: spot(x, y) }) });
                else if (pictures.leads(at - 1))
                    areas.add({
                        ...area,
                        at: () => ({}),
                        click: (x, y) => pictures.follow(at - 1, spot(x, y) - meta.prefix.length),
                    });
            }
        }
    }

    /** What the colours are, and how much they hold. @param {Selection} shown */
    caption(shown) {
        const { source } = this;
        if (!source) return "";
        const row = rowOf(shown);
        const alone = aloneOf(shown);
        const share = (/** @type {number} */ at) => `${small(100 * source.share.data[3 * row + at])} %`;
        const one = this.alone
            ? "of this picture alone; one basis for all pictures is on its way"
            : "of all pictures here";
        if (alone >= 0)
            return `Principal component ${alone + 1} from black to white: ${share(alone)} of the variance ${one}.`;
        const parts = CHANNELS.map((name, at) => `${name} ${share(at)}`);
        return `Principal components 1, 2, 3: ${parts.join(", ")} of the variance ${one}.`;
    }

    /** The coordinates of the chosen patch, as they are where these have come. @param {Selection} shown */
    readout(shown) {
        const { column, source } = this;
        const row = rowOf(shown);
        const patch = column.patchOf(shown);
        const exact = column.array(`colours-exact-${row}${this.pictures.among}`, "coordinates")?.data;
        const shares = this.shares(row, 0);
        if (!shares || !source) return "";
        const its = [0, 1, 2].map((at) =>
            small(exact ? exact[3 * patch + at] : shares[3 * patch + at] * source.reach.data[3 * row + at]),
        );
        return `: ${exact ? "" : "≈ "}${its.join(", ")} on components 1, 2, 3`;
    }
}
