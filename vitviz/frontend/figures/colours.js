// Numbers as colours: sequential from 0, as vitviz/figures/colours.py has them, and around 0 blue below, red above, and
// the ground that they are drawn on at 0.

/** @import { Colours, Heat, Picture, Scale } from "../types/figure.js" */

import { mark, write } from "./marks.js";
import { boxed, numbers } from "./places.js";

const WEIGHTS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"];
const [BELOW, ABOVE] = [0xac6621, 0x2b18b2]; // palette.py's, as RGBA words without opacity
const SHADES = 256;
const [BAR, WIDEST] = [12, 260]; // pixels of a colour scale

const SEQUENTIAL = Uint32Array.from({ length: SHADES }, (_, at) => {
    const place = (at / (SHADES - 1)) * (WEIGHTS.length - 1);
    const first = Math.min(Math.floor(place), WEIGHTS.length - 2);
    return [4, 2, 0].reduce((word, start) => {
        const [low, high] = [first, first + 1].map((which) =>
            Number.parseInt(WEIGHTS[which].slice(start, start + 2), 16),
        );
        return (word << 8) | Math.round(low + (place - first) * (high - low));
    }, 255);
});

/** A number as an RGBA word; what lies beyond the scale has the colour of its end, and what is no number has none.
 *  @param {number} value @param {Colours} colours */
export function shade(value, { limit, signed }) {
    if (Number.isNaN(value)) return 0;
    const share = Math.max(signed ? -1 : 0, Math.min(1, value / (limit || 1)));
    if (!signed) return SEQUENTIAL[Math.round(share * (SHADES - 1))];
    return ((Math.round(255 * Math.abs(share)) << 24) | (share < 0 ? BELOW : ABOVE)) >>> 0;
}

/** One pixel for each number. @param {number} columns @param {number} rows @param {(at: number) => number} word */
function pixels(columns, rows, word) {
    const canvas = new OffscreenCanvas(columns, rows);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(columns, rows);
    const words = new Uint32Array(image.data.buffer);
    for (let at = 0; at < words.length; at++) words[at] = word(at);
    context.putImageData(image, 0, 0);
    return canvas;
}

/** @param {CanvasRenderingContext2D} context @param {Heat} heat @param {Scale} scale */
export function paintHeat(
    context,
    { values, rows, columns, colours, x = 0, y = 0, across = 1, down = 1, opacity = 1 },
    scale,
) {
    const all = numbers(values);
    const box = boxed(scale, x - across / 2, y - down / 2, columns * across, rows * down);
    context.globalAlpha = opacity;
    context.imageSmoothingEnabled = box[2] < columns || box[3] < rows;
    context.drawImage(
        pixels(columns, rows, (at) => shade(all[at], colours)),
        ...box,
    );
    context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {CanvasImageSource} source
 *  @param {Scale} scale */
export function paintPicture(context, { rows, columns, x = 0, y = 0, smooth = true }, source, scale) {
    context.imageSmoothingEnabled = smooth;
    context.drawImage(source, ...boxed(scale, x - 0.5, y - 0.5, columns, rows));
}

/** The colours from the least to the largest number, with what they stand for. @param {Colours} colours
 *  @param {number} width @param {number} top @param {string} id of what it is filled with */
export function colourScale({ signed, ends = [] }, width, top, id) {
    const wide = Math.min(WIDEST, width);
    const stops = Array.from({ length: 33 }, (_, at) => {
        const word = shade(signed ? at / 16 - 1 : at / 32, { limit: 1, signed });
        const colour = `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255} / ${(word >>> 24) / 255})`;
        return mark("stop", { offset: at / 32, "stop-color": colour });
    });
    const edge = { stroke: "currentColor", "stroke-opacity": 0.3 };
    return mark(
        "g",
        { class: "scale" },
        mark("linearGradient", { id }, ...stops),
        mark("rect", { x: 0.5, y: top, width: wide - 1, height: BAR, fill: `url(#${id})`, ...edge }),
        ...ends.map((text, at) => {
            const anchor = at === 0 ? "start" : at === ends.length - 1 ? "end" : "middle";
            return write(text, (at / (ends.length - 1)) * wide, top + 30, { anchor });
        }),
    );
}
