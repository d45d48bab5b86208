// What can be pointed at in a mark, one place for each of its numbers, and what is said there.

/** @import { Mark, Numbers, Place, Placed, Says, Scale } from "../types/figure.js" */

const REACH = 14; // pixels around a point
const NAMED = /\{(\w+)(?::([^}]*))?\}/g;
const USUAL = { words: "{value:.4f}" };

/** @type {WeakMap<object, ArrayLike<number>>} */
const decoded = new WeakMap();

/** Numbers that may have come by their bytes. @param {Numbers} data @returns {ArrayLike<number>} */
export function numbers(data) {
    if ("length" in data) return data;
    const known = decoded.get(data);
    if (known) return known;
    const bytes = Uint8Array.from(atob(data.f4 ?? data.i4 ?? ""), (letter) => letter.charCodeAt(0)).buffer;
    const array = data.f4 === undefined ? new Int32Array(bytes) : new Float32Array(bytes);
    decoded.set(data, array);
    return array;
}

/** A number, or a name, in a form of Python's. @param {number | string} value @param {string} [form] */
export function written(value, form = "") {
    if (typeof value === "string") return value;
    const digits = Number(/\.(\d+)/.exec(form)?.[1] ?? 6);
    const plain = form.endsWith("f")
        ? value.toFixed(digits)
        : form.endsWith("g")
          ? general(value, digits)
          : form === "," || Number.isInteger(value)
            ? value.toLocaleString("en-GB", { useGrouping: form === ",", maximumFractionDigits: 20 })
            : String(Number(value.toPrecision(7)));
    return plain.replace("-", "−");
}

/** @param {number} value @param {number} digits */
function general(value, digits) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    if (Number(power) >= -4 && Number(power) < digits) return String(Number(value.toPrecision(digits)));
    return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** What is said at a place of a mark: nothing where a number that it says is none.
 *  @param {Says} says @param {number} at @param {number} columns in a row @param {Record<string, number | string>} here */
export function spell({ words, columns: named = {} }, at, columns, here) {
    let lacks = false;
    const text = words.replace(NAMED, (_, name, form) => {
        const value = name in here ? here[name] : of(named[name], at, columns);
        lacks ||= Number.isNaN(value);
        return written(value, form);
    });
    return lacks ? "" : text;
}

/** @param {Numbers | string} column one for each place, or one for all in a row, or in a column @param {number} at
 *  @param {number} columns */
function of(column, at, columns) {
    if (typeof column === "string") return column;
    const values = "length" in column ? column : (column.texts ?? numbers(column));
    if (values.length === 1) return values[0];
    const [high, wide] = ("length" in column ? undefined : column.shape?.slice(-2)) ?? [];
    if (wide === 1) return values[Math.floor(at / columns)];
    return values[high === 1 || values.length === columns ? at % columns : at];
}

/** How many places a mark has, and how many of them stand beside each other. @param {Mark} mark */
export function many(mark) {
    if (mark.kind === "heat" || (mark.kind === "picture" && mark.says))
        return { count: mark.rows * mark.columns, columns: mark.columns };
    if (mark.kind === "bars") return { count: numbers(mark.values).length, columns: 1 };
    if (mark.kind === "points" && mark.says) return { count: numbers(mark.x).length, columns: 1 };
    if (mark.kind === "line" && typeof mark.says === "object") return { count: mark.points.length, columns: 1 };
    return { count: 0, columns: 1 };
}

/** A place of a mark that has one. @param {number} panel @param {Mark} mark @param {Scale} scale @param {number} at
 *  @returns {Place} */
export function placeAt(panel, mark, scale, at) {
    const { columns } = many(mark);
    if (mark.kind === "heat" || mark.kind === "picture") {
        const [across, down] = mark.kind === "heat" ? [mark.across ?? 1, mark.down ?? 1] : [1, 1];
        const [row, column] = [Math.floor(at / columns), at % columns];
        const [x, y] = [(mark.x ?? 0) + column * across, (mark.y ?? 0) + row * down];
        const [names, called] = mark.kind === "heat" ? [mark.names, mark.called] : [];
        const here = { x: names?.[column] ?? x, y: called?.[row] ?? y };
        /** @type {Record<string, number>} */
        const value = mark.kind === "heat" ? { value: numbers(mark.values)[at] } : {};
        const words = spell(mark.says ?? USUAL, at, columns, { ...here, ...value });
        const box = boxed(scale, x - across / 2, y - down / 2, across, down);
        return { panel, mark, at, box, round: false, words };
    }
    if (mark.kind === "bars") {
        const [place, value] = [numbers(mark.places)[at], numbers(mark.values)[at]];
        const [x, y] = mark.level ? [value, place] : [place, value];
        const words = spell(mark.says ?? USUAL, at, 1, { x, y, value });
        return { panel, mark, at, box: boxed(scale, ...bar(mark, at)), round: false, words };
    }
    const [x, y, size] =
        mark.kind === "points"
            ? [numbers(mark.x)[at], numbers(mark.y)[at], (mark.sizes ?? [8])[at % (mark.sizes ?? [8]).length]]
            : mark.kind === "line"
              ? [...mark.points[at], 8]
              : [0, 0, 0];
    const says = "says" in mark && typeof mark.says === "object" && mark.says ? mark.says : USUAL;
    const half = size / 2 + 4;
    const box = /** @type {Place["box"]} */ ([scale.x(x) - half, scale.y(y) - half, 2 * half, 2 * half]);
    return { panel, mark, at, box, round: true, words: spell(says, at, 1, { x, y, value: y }) };
}

/** A bar from 0 to its number: left, bottom, width and height in units. @param {import("../types/figure.js").Bars} bars
 *  @param {number} at @returns {[number, number, number, number]} */
export function bar({ places, values, thick = 0.88, level }, at) {
    const wide = typeof thick === "number" ? thick : numbers(thick)[at % numbers(thick).length];
    const [start, value] = [numbers(places)[at] - wide / 2, numbers(values)[at]];
    return level ? [0, start, value, wide] : [start, 0, wide, value];
}

/** A box in pixels. @param {Scale} scale @param {number} x @param {number} y @param {number} width
 *  @param {number} height @returns {[number, number, number, number]} left, top, width, height */
export function boxed(scale, x, y, width, height) {
    const [x0, x1] = [scale.x(x), scale.x(x + width)].sort((one, other) => one - other);
    const [y0, y1] = [scale.y(y), scale.y(y + height)].sort((one, other) => one - other);
    return [x0, y0, x1 - x0, y1 - y0];
}

/** What lies under a place in pixels: of the uppermost mark that says something there. @param {Placed[]} all
 *  @param {number} x @param {number} y @returns {Place | undefined} */
export function under(all, x, y) {
    for (const [which, { panel, scale }] of all.entries()) {
        if (x < scale.left - REACH || x > scale.right + REACH || y < scale.top - REACH || y > scale.bottom + REACH)
            continue;
        for (const mark of [...panel.marks].reverse()) {
            const at = found(mark, scale, x, y);
            const place = at < 0 ? undefined : placeAt(which, mark, scale, at);
            if (place?.words) return place;
        }
    }
    return undefined;
}

/** Which of its places it is, or -1. @param {Mark} mark @param {Scale} scale @param {number} x @param {number} y */
function found(mark, scale, x, y) {
    const { count } = many(mark);
    if (!count) return -1;
    if (mark.kind === "heat" || mark.kind === "picture") {
        const [across, down] = mark.kind === "heat" ? [mark.across ?? 1, mark.down ?? 1] : [1, 1];
        const column = Math.round((scale.x.back(x) - (mark.x ?? 0)) / across);
        const row = Math.round((scale.y.back(y) - (mark.y ?? 0)) / down);
        const within = column >= 0 && column < mark.columns && row >= 0 && row < mark.rows;
        return within ? row * mark.columns + column : -1;
    }
    if (mark.kind === "bars")
        return first(count, (at) => alongside(boxed(scale, ...bar(mark, at)), mark.level ?? false, x, y));
    const place = (/** @type {number} */ at) =>
        mark.kind === "points"
            ? [numbers(mark.x)[at], numbers(mark.y)[at]]
            : mark.kind === "line"
              ? mark.points[at]
              : [];
    let [best, nearest] = [-1, REACH ** 2];
    for (let at = 0; at < count; at++) {
        const [across, up] = place(at);
        const away = (scale.x(across) - x) ** 2 + (scale.y(up) - y) ** 2;
        if (away < nearest) [best, nearest] = [at, away];
    }
    return best;
}

/** @param {number} count @param {(at: number) => boolean} is */
function first(count, is) {
    for (let at = 0; at < count; at++) if (is(at)) return at;
    return -1;
}

/** Whether a place lies beside a bar, which may be short. @param {Place["box"]} box @param {boolean} level
 *  @param {number} x @param {number} y */
const alongside = ([left, top, width, height], level, x, y) =>
    level
        ? y >= top && y < top + height && x > left - REACH && x < left + width + REACH
        : x >= left && x < left + width && y > top - REACH && y < top + height + REACH;
