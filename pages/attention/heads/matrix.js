// The part of a square of tokens against tokens that is looked at: how it is zoomed and moved, and which tokens it names.

import { frame, largest, onCanvas, pixels, place } from "#frontend/draw/surface.js";
import { taps } from "#frontend/draw/touch.js";
import { widthOf, write } from "#frontend/draw/words.js";
import { matrix } from "#frontend/state/maps.js";
import { coloured } from "./query_maps.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Meta, Selection } from "#frontend/types/board.js" */
/** @import { Areas } from "#frontend/draw/areas.js" */
/** @import { Shows } from "#frontend/state/maps.js" */
/** @import { QueryMaps } from "./query_maps.js" */

/** Where the part begins and how wide it is, in shares of the whole. @typedef {{ left: number, top: number, side: number }} Window_ */

const FEWEST = 6; // tokens that are seen at once, at least

/** @type {Readonly<Window_>} */
export const WHOLE = Object.freeze({ left: 0, top: 0, side: 1 });

/** @param {number} left @param {number} top @param {number} side @returns {Window_} */
function within(left, top, side) {
    const kept = (/** @type {number} */ from) => Math.max(0, Math.min(1 - side, from));
    return { left: kept(left), top: kept(top), side };
}

/** So many times larger; what lies at a place of the part, from 0 to 1 each way, stays there.
 *  @param {Window_} part @param {number} times @param {number} x @param {number} y @param {number} tokens */
export function zoomed({ left, top, side }, times, x, y, tokens) {
    const next = Math.max(Math.min(1, FEWEST / tokens), Math.min(1, side / times));
    return within(left + x * (side - next), top + y * (side - next), next);
}

/** Moved with a hand that went by shares of the part. @param {Window_} part @param {number} x @param {number} y */
export const moved = ({ left, top, side }, x, y) => within(left - x * side, top - y * side, side);

/** The token at a place of one side of the part. @param {number} from @param {number} side @param {number} share
 *  @param {number} tokens */
export const tokenAt = (from, side, share, tokens) => Math.min(tokens - 1, Math.floor((from + share * side) * tokens));

/** Tokens that are named along one side, and where their middles lie, in pixels: some `first`, then special ones, then
 *  every patch, every second, fifth, tenth ..., none nearer to another than `gap`.
 *  @param {{ from: number, side: number }} part @param {{ tokens: number, prefix: string[] }} meta @param {number} size
 *  @param {number} gap @param {number[]} first @returns {{ token: number, at: number }[]} */
export function ticks({ from, side }, { tokens, prefix }, size, gap, first) {
    const cell = size / (tokens * side);
    let every = 1;
    while (every * cell < gap) every *= String(every)[0] === "2" ? 2.5 : 2;
    const patches = Array.from({ length: tokens - prefix.length }, (_, at) => at + 1).filter((it) => it % every === 0);
    const all = [...first, ...prefix.keys(), ...patches.map((patch) => patch + prefix.length - 1)];
    /** @type {{ token: number, at: number }[]} */
    const kept = [];
    for (const token of all) {
        const at = ((token + 0.5) / tokens - from) * tokens * cell;
        if (at >= 0 && at <= size && kept.every((it) => Math.abs(it.at - at) >= gap)) kept.push({ token, at });
    }
    return kept;
}

const TYPE = 14; // pixels of a name
const NAME = 24; // pixels for what an axis is called
const GAP = 5;

/** Pixels that the axes take on the left and below. @param {boolean} narrow */
export const room = (narrow) => ({ left: NAME + (narrow ? 40 : 82), below: 2 * NAME });

/** @param {HTMLCanvasElement} canvas as wide and high as the square and the room of its axes @param {Column} column
 *  @param {Selection} shown @param {Window_} part @param {number} size @param {boolean} narrow */
export function drawAxes(canvas, column, shown, part, size, narrow) {
    const { meta, data } = column;
    const { left, below } = room(narrow);
    Object.assign(canvas.style, { width: `${left + size}px`, height: `${size + below}px` });
    const [own, other] = shown.key >= 0 ? [[shown.query], [shown.key]] : [[shown.query], []];
    const [queries, keys] = shown.shows === "column" ? [other, own] : [own, other];
    onCanvas(canvas, (context) => {
        const names = narrow ? "patch" : "patch (row, column)";
        const down = ticks({ from: part.top, side: part.side }, meta, size, 1.5 * TYPE, queries);
        for (const { token, at } of down) {
            const how = /** @type {const} */ ({ as: "cell", align: "right", base: "middle" });
            const top = Math.max(TYPE / 2 + 1, at);
            write(context, named(meta, token, narrow), left - GAP, top, { ...how, bold: queries.includes(token) });
        }
        const across = ticks({ from: part.left, side: part.side }, meta, size, narrow ? 46 : 88, keys);
        for (const { token, at } of across) {
            const how = /** @type {const} */ ({ as: "cell", align: "center", base: "middle" });
            const [text, bold] = [named(meta, token, narrow), keys.includes(token)];
            const half = widthOf(context, text, { ...how, bold }) / 2;
            const middle = Math.max(half - left, Math.min(size - half, at));
            write(context, text, left + middle, size + GAP + TYPE / 2, { ...how, bold });
            context.fillRect(left + at - 0.5, size, 1, GAP - 1);
        }
        /** @param {"key" | "query"} role @param {number} x @param {number} y @param {number} turn */
        const name = (role, x, y, turn) => {
            const how = /** @type {const} */ ({ as: "tick", bold: true, align: "center", base: "middle" });
            const text = `${role}: ${names}`;
            context.save();
            context.translate(x, y);
            context.rotate(turn);
            write(context, text, 0, 0, how);
            context.fillStyle = data.palette[role];
            context.fillRect(-widthOf(context, text, how) / 2, 9, widthOf(context, role, how), 3);
            context.restore();
        };
        name("key", left + size / 2, size + 1.4 * NAME, 0);
        name("query", NAME / 2 - 2, size / 2, -Math.PI / 2);
    });
}

/** "[class]", "40", or with its place "40 (4, 4)". @param {Meta} meta @param {number} token @param {boolean} narrow */
function named({ prefix, columns }, token, narrow) {
    const patch = token - prefix.length;
    if (patch < 0) return `[${prefix[token]}]`;
    return narrow ? `${patch + 1}` : `${patch + 1} (${Math.floor(patch / columns) + 1}, ${(patch % columns) + 1})`;
}

/** What the hand can do. @param {boolean} part whether a part is looked at */
export function offer(part) {
    if (taps()) return part ? "drag moves, a double tap shows all" : "pinch to zoom";
    return part ? "wheel or + − zoom, drag moves, double click shows all" : "wheel or + zoom";
}

const STEP = 1.5; // of a key
const CLICK = 5; // pixels that a hand moves in a click
const WHEEL = { line: 24, pixel: 0.0025, pinch: 0.012 }; // a line in pixels; zoom of a pixel, of a touchpad's pinch

export class Zoom {
    /** @param {HTMLElement} square what the hand is on; a click that ends a drag is kept from what else listens
     *  @param {() => number} tokens of one side; 0 where there is nothing to zoom @param {() => void} change */
    constructor(square, tokens, change) {
        this.part = WHOLE;
        this.tokens = tokens;
        this.change = change;
        this.square = square;
        /** Fingers and buttons that are down. @type {Map<number, PointerEvent>} */
        this.down = new Map();
        /** How far the hand has gone since it came down, in pixels, and whether it has moved what is shown. */
        this.went = 0;
        this.dragged = false;
        square.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        square.addEventListener("pointerdown", (event) => {
            if (this.down.size === 0) [this.went, this.dragged] = [0, false];
            this.down.set(event.pointerId, event);
        });
        square.addEventListener("pointermove", (event) => this.move(event), { capture: true }); // before it is read what lies there
        for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
            square.addEventListener(name, ({ pointerId }) => this.down.delete(pointerId));
        square.addEventListener("touchmove", (event) => this.ours(event) && event.preventDefault(), { passive: false });
        square.addEventListener("click", (event) => this.dragged && event.stopImmediatePropagation(), {
            capture: true,
        });
        square.addEventListener("dblclick", () => this.show(WHOLE));
    }

    /** Whether the page is not to scroll. @param {TouchEvent} event */
    ours({ touches }) {
        return this.tokens() > 0 && (touches.length > 1 || this.part.side < 1);
    }

    /** @param {import("./matrix.js").Window_} part */
    show(part) {
        const { left, top, side } = this.part;
        if (!this.tokens() || (part.left === left && part.top === top && part.side === side)) return false;
        this.part = part;
        this.square.classList.toggle("zoomed", part.side < 1);
        this.change();
        return true;
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        const { x, y } = place(event, this.square);
        const by = event.ctrlKey ? WHEEL.pinch : WHEEL.pixel;
        const times = Math.exp(-event.deltaY * (event.deltaMode ? WHEEL.line : 1) * by);
        if (this.show(zoomed(this.part, times, x, y, this.tokens())) || event.ctrlKey) event.preventDefault();
    }

    /** @param {PointerEvent} event */
    move(event) {
        const before = this.down.get(event.pointerId);
        if (!event.buttons) this.down.delete(event.pointerId); // it was let go elsewhere
        if (!before || !event.buttons || !this.tokens()) return;
        const { width, height, left, top } = this.square.getBoundingClientRect();
        const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
        this.went += Math.abs(x) + Math.abs(y);
        const others = [...this.down].filter(([id]) => id !== event.pointerId).map(([, it]) => it);
        this.down.set(event.pointerId, event);
        const share = others.length ? 1 / 2 : 1;
        let part = this.part;
        if (others.length) {
            const [other] = others;
            const apart = (/** @type {PointerEvent} */ it) =>
                Math.max(1, Math.hypot(it.clientX - other.clientX, it.clientY - other.clientY));
            const middle = [
                ((event.clientX + other.clientX) / 2 - left) / width,
                ((event.clientY + other.clientY) / 2 - top) / height,
            ];
            part = zoomed(part, apart(event) / apart(before), middle[0], middle[1], this.tokens());
        } else if (this.went <= CLICK) return;
        if (!this.show(moved(part, (share * x) / width, (share * y) / height))) return;
        this.dragged = true;
        this.square.setPointerCapture(event.pointerId);
    }

    /** What keys do, where they do something. @returns {Record<string, import("#frontend/types/board.js").Action>} */
    get actions() {
        if (!this.tokens()) return {};
        const by = (/** @type {number} */ times) => () => {
            this.show(zoomed(this.part, times, 0.5, 0.5, this.tokens()));
        };
        return {
            nearer: { keys: ["+", "="], label: "a smaller part of the matrix, larger", perform: by(STEP) },
            farther: { keys: ["-"], label: "a larger part of the matrix", perform: by(1 / STEP) },
        };
    }
}

const AT_ONCE = 4e6; // weights of all maps behind a matrix that are decoded within a frame

export class Matrix {
    /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} axes what it stands on, where it is large
     *  @param {Column} column @param {QueryMaps} maps @param {Areas} areas */
    constructor(canvas, axes, column, maps, areas) {
        this.canvas = canvas;
        this.axes = axes;
        this.column = column;
        this.maps = maps;
        this.areas = areas;
        this.key = "";
        /** [query][key] of what is shown. @type {Float32Array | null} */
        this.values = null;
        /** @type {OffscreenCanvas | null} */
        this.picture = null;
        /** Whether it is the picture of its moment: then it has axes, and a part of it can be looked at. */
        this.large = false;
        this.zoom = new Zoom(
            canvas,
            () => (this.large && this.picture ? column.meta.tokens : 0),
            () => column.invalidate(),
        );
    }

    /** Whether it is decoded while the hand moves. @param {Selection} shown */
    quick(shown) {
        const { heads, tokens } = this.column.meta;
        return tokens ** 2 * (this.maps.row(shown) < heads ? 1 : heads) <= AT_ONCE;
    }

    /** @param {Selection} shown */
    read(shown) {
        const { tokens, digest } = this.column.meta;
        const row = this.maps.row(shown);
        const key = `${digest} ${shown.layer} ${row} ${shown.shows} ${shown.scale} ${this.column.parcels.count} ${shown.edits}`;
        if (key === this.key) return;
        this.key = key;
        const values = matrix(this.column, {
            layer: shown.layer,
            head: row,
            shows: /** @type {Shows} */ (shown.shows),
        });
        this.values = values;
        if (!values) {
            this.picture = null;
            return;
        }
        const limit = shown.scale === "own" ? largest(values) : this.maps.shared;
        const scale = this.column.data.weights;
        this.picture = pixels(tokens, tokens, (at) => coloured(scale, Math.min(1, values[at] / limit)));
    }

    /** The part that is looked at: of a small one all. */
    get part() {
        return this.large ? this.zoom.part : WHOLE;
    }

    /** @param {Selection} shown @param {number} size @param {{ large: boolean, narrow: boolean }} how */
    draw(shown, size, { large, narrow }) {
        const { tokens } = this.column.meta;
        this.large = large;
        this.read(shown);
        this.areas.clear();
        const { left, below } = large ? room(narrow) : { left: 0, below: 0 };
        const [width, margin] = [`${size}px`, `0 0 ${below}px ${left}px`];
        Object.assign(this.canvas.style, { width, height: width, margin });
        this.axes.hidden = !large || !this.picture;
        if (large) drawAxes(this.axes, this.column, shown, this.part, size, narrow);
        onCanvas(this.canvas, (context) => {
            if (!this.picture) return;
            const part = this.part;
            context.imageSmoothingEnabled = tokens * part.side > 2 * size;
            const [x, y, side] = [part.left, part.top, part.side].map((share) => share * tokens);
            context.drawImage(this.picture, x, y, side, side, 0, 0, size, size);
            const cell = size / side;
            const column = shown.shows === "column";
            const at = (shown.query - (column ? x : y)) * cell;
            const round = (/** @type {number} */ out, /** @type {string} */ colour) => {
                const [from, wide, all] = [at - out, cell + 2 * out, size + 8];
                column
                    ? frame(context, from, -4, wide, all, colour, 2)
                    : frame(context, -4, from, all, wide, colour, 2);
            };
            round(2, "#000");
            round(1, this.column.data.palette.query);
            this.areas.add({
                x: 0,
                y: 0,
                width: size,
                height: size,
                at: (across, down) => this.pair(shown, across, down),
            });
        });
    }

    /** What a place of the part means. @param {Selection} shown @param {number} x @param {number} y */
    pair({ shows }, x, y) {
        const { tokens } = this.column.meta;
        const { left, top, side } = this.part;
        const [column, row] = [tokenAt(left, side, x, tokens), tokenAt(top, side, y, tokens)];
        return shows === "column" ? { query: column, key: row } : { query: row, key: column };
    }
}
