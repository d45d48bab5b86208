// From the units of a chart to pixels and back.

/** @import { Axis, ChartData, Handle, Plane, Scale, Stop } from "../types.js" */

const ROOM = { top: 10, right: 14, ticks: 52, edge: 3, letter: 9 };

/** @param {Axis} axis @param {number} from @param {number} to @returns {(value: number) => number} */
function along({ low, high, log }, from, to) {
    const bend = log ? (/** @type {number} */ value) => Math.log(Math.max(value, Number.MIN_VALUE)) : Number;
    const [start, end] = [bend(low), bend(high)];
    return (value) => from + ((bend(value) - start) / (end - start)) * (to - from);
}

/** @param {Pick<ChartData, "across" | "down" | "left" | "height">} chart @param {number} width @returns {Scale} */
export function scaleOf({ across, down, left, height }, width) {
    const longest = Math.max(0, ...down.ticks.map(([, text]) => text.length));
    const titled = down.title ? 26 : 0;
    const last = across.ticks.at(-1)?.[1].length ?? 0; // half of it sticks out where it stands at the edge
    const box = {
        left: left ? Math.min(left, 0.45 * width) : down.ticks.length ? longest * ROOM.letter + 8 + titled : ROOM.edge,
        right: width - Math.max(ROOM.right, (last * ROOM.letter) / 2),
        top: ROOM.top,
        bottom: height - (across.ticks.length ? ROOM.ticks : ROOM.edge),
    };
    return { ...box, x: along(across, box.left, box.right), y: along(down, box.bottom, box.top) };
}

/** The stop that is nearest to a place in pixels, along the direction in which the stops lie.
 *  @param {Stop[]} stops @param {Scale} scale @param {number} x @param {number} y */
export function nearest(stops, scale, x, y) {
    const places = stops.map((stop) => [scale.x(stop.x), scale.y(stop.y)]);
    const [wide, high] = [0, 1].map((way) => spread(places.map((place) => place[way])));
    const [way, wanted] = wide >= high ? [0, x] : [1, y];
    return closest(
        places.map((place) => place[way]),
        wanted,
    );
}

/** @param {Plane} plane @param {Scale} scale @param {number} x @param {number} y @returns {[number, number]} */
export function nearestOn({ columns, rows }, scale, x, y) {
    return [columns[closest(columns.map(scale.x), x)], rows[closest(rows.map(scale.y), y)]];
}

/** Where a handle stands, in pixels. @param {Handle} handle @param {number} at @param {Scale} scale */
export function standing({ stops }, at, scale) {
    const stop = stops[at];
    return { x: scale.x(stop.x), y: scale.y(stop.y), stop };
}

/** Where the pointer is, in pixels of the picture. @param {MouseEvent} event @param {Element} svg */
export function pixel(event, svg) {
    const box = svg.getBoundingClientRect();
    const zoom = box.width / svg.clientWidth;
    return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom };
}

/** Whether the pointer is between the axes, or just beside. @param {MouseEvent} event @param {Element} svg
 *  @param {Scale} scale */
export function inPlot(event, svg, { left, right, top, bottom }) {
    const { x, y } = pixel(event, svg);
    return x >= left - 8 && x <= right + 8 && y >= top - 8 && y <= bottom + 8;
}

const spread = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);

/** @param {number[]} values @param {number} wanted */
function closest(values, wanted) {
    let best = 0;
    for (let at = 1; at < values.length; at++)
        if (Math.abs(values[at] - wanted) < Math.abs(values[best] - wanted)) best = at;
    return best;
}
