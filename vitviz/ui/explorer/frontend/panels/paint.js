// Numbers to pixels: one pixel per patch or token, enlarged by the style sheet.

/** @import { Maps } from "../state/maps.js" */
/** @import { Meta, Place, Scale, Shows } from "../types.js" */

const EMPTY = 0x30808080; // a map that is not here: translucent grey

/** 256 colours as the little-endian RGBA words of a canvas. @param {number[]} rgb */
export function palette(rgb) {
    return Uint32Array.from({ length: 256 }, (_, i) => {
        const [r, g, b] = rgb.slice(3 * i, 3 * i + 3);
        return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** The step of the colour scale for a weight. @param {number} weight @param {number} top */
export const step = (weight, top) => (Math.min(255, (255 * weight) / top) + 0.5) | 0;

/** A drawing surface of `width` x `height` numbers.
 *  @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
function surface(canvas, width, height) {
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(width, height);
    return { pixels: new Uint32Array(image.data.buffer), flush: () => context.putImageData(image, 0, 0) };
}

/** One attention map: the weights of a query in one head, in the head mean or in the rollout. */
export class AttentionMap {
    /** @param {Maps} maps */
    constructor(maps) {
        this.maps = maps;
        this.weights = new Float32Array(maps.meta.tokens);
        this.held = false;
        this.largest = 1;
    }

    /** @param {Place} place @param {number} query @param {Shows} shows */
    read({ layer, row }, query, shows) {
        this.held = this.maps.weights(layer, row, query, shows, this.weights);
        this.largest = this.held ? largest(this.weights, this.maps.meta) : 1;
    }

    /** The weight that gets the last colour. @param {Scale} scale */
    top(scale) {
        return scale === "shared" ? this.maps.shared : this.largest;
    }

    /** Into `pixels`, the first patch at `start`.
     *  @param {Uint32Array} pixels @param {number} start @param {number} width @param {Scale} scale
     *  @param {Uint32Array} colours */
    paintInto(pixels, start, width, scale, colours) {
        const { rows, columns, specials } = this.maps.meta;
        const top = this.top(scale);
        for (let y = 0, token = specials.length; y < rows; y++) {
            for (let x = 0, at = start + y * width; x < columns; x++, at++, token++) {
                pixels[at] = this.held ? colours[step(this.weights[token], top)] : EMPTY;
            }
        }
    }

    /** @param {HTMLCanvasElement} canvas @param {Scale} scale @param {Uint32Array} colours */
    paint(canvas, scale, colours) {
        const { rows, columns } = this.maps.meta;
        const { pixels, flush } = surface(canvas, columns, rows);
        this.paintInto(pixels, 0, columns, scale, colours);
        flush();
    }
}

/** The maps of one query in all layers and heads; the last row is the head mean or the rollout. */
export class Wall {
    /** @param {Maps} maps */
    constructor(maps) {
        const { depth, heads } = maps.meta;
        this.meta = maps.meta;
        this.maps = Array.from({ length: depth }, () =>
            Array.from({ length: heads + 1 }, () => new AttentionMap(maps)),
        );
    }

    /** @param {number} query @param {Shows} shows */
    read(query, shows) {
        for (const [layer, of] of this.maps.entries()) {
            for (const [row, map] of of.entries()) map.read({ layer, row }, query, shows);
        }
    }

    /** @param {HTMLCanvasElement} canvas @param {Scale} scale @param {Uint32Array} colours */
    paint(canvas, scale, colours) {
        const { depth, heads, rows, columns } = this.meta;
        const width = depth * (columns + 1);
        const { pixels, flush } = surface(canvas, width, (heads + 1) * (rows + 1));
        for (const [layer, of] of this.maps.entries()) {
            for (const [row, map] of of.entries()) {
                map.paintInto(pixels, row * (rows + 1) * width + layer * (columns + 1), width, scale, colours);
            }
        }
        flush();
    }
}

/** A matrix, or empty cells where there is none.
 *  @param {HTMLCanvasElement} canvas @param {Float32Array | null} weights @param {number} t @param {number} top
 *  @param {Uint32Array} colours */
export function paintMatrix(canvas, weights, t, top, colours) {
    const { pixels, flush } = surface(canvas, t, t);
    if (weights) for (let i = 0; i < weights.length; i++) pixels[i] = colours[step(weights[i], top)];
    else pixels.fill(EMPTY);
    flush();
}

/** The largest weight on a patch, in one row or a whole matrix. @param {Float32Array} weights @param {Meta} meta */
export function largest(weights, { tokens, specials }) {
    let top = 0;
    for (let start = 0; start < weights.length; start += tokens) {
        for (let i = start + specials.length; i < start + tokens; i++) if (weights[i] > top) top = weights[i];
    }
    return top || 1;
}
