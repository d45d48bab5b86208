// Numbers to pixels: one pixel per patch or token, enlarged by the style sheet.

const EMPTY = 0x30808080; // a map that is not here: translucent grey
const TIMES_UNIFORM = 8; // the shared scale ends at this many times the weight of uniform attention

/** 256 colours as the little-endian RGBA words of a canvas. @param {number[]} rgb */
function palette(rgb) {
    return Uint32Array.from({ length: 256 }, (_, i) => {
        const [r, g, b] = rgb.slice(3 * i, 3 * i + 3);
        return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    });
}

/** The step of the colour scale for a weight. @param {number} weight @param {number} top */
const step = (weight, top) => Math.min(255, Math.round((255 * weight) / top));

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

/** Every map of the current query: [layer][row][token], where the last row is the head mean or the rollout. */
class Wall {
    /** @param {Maps} maps */
    constructor(maps) {
        const { depth, heads, tokens } = maps.meta;
        this.maps = maps;
        this.height = heads + 1;
        this.weights = new Float32Array(depth * this.height * tokens);
        this.held = new Uint8Array(depth * this.height);
        this.tops = new Float32Array(depth * this.height);
        this.shared = Math.min(1, TIMES_UNIFORM / tokens);
    }

    /** @param {number} layer @param {number} row */
    at(layer, row) {
        const { tokens } = this.maps.meta;
        const start = (layer * this.height + row) * tokens;
        return this.weights.subarray(start, start + tokens);
    }

    /** Decode all maps of the view's query. @param {View} view */
    read(view) {
        const { maps, height } = this;
        for (let layer = 0; layer < maps.meta.depth; layer++) {
            for (let row = 0; row < height; row++) {
                const shows = view.shows === "rollout" && row < height - 1 ? "looks at" : view.shows;
                const out = this.at(layer, row);
                const held = maps.weights(layer, row, view.query, shows, out);
                this.held[layer * height + row] = Number(held);
                this.tops[layer * height + row] = held ? largest(out, maps.meta) : 1;
            }
        }
    }

    /** The weight that gets the last colour, in one map. @param {View} view @param {number} layer @param {number} row */
    top(view, layer, row) {
        return view.scale === "shared" ? this.shared : this.tops[layer * this.height + row];
    }

    /** @param {HTMLCanvasElement} canvas @param {View} view @param {Uint32Array} colours */
    paint(canvas, view, colours) {
        const { depth, rows, columns } = this.maps.meta;
        const width = depth * (columns + 1);
        const { pixels, flush } = surface(canvas, width, this.height * (rows + 1));
        for (let layer = 0; layer < depth; layer++) {
            for (let row = 0; row < this.height; row++) {
                this.paintOne(pixels, row * (rows + 1) * width + layer * (columns + 1), width, view, layer, row, colours);
            }
        }
        flush();
    }

    /** One map of the wall into `pixels`, its first patch at `start`.
     *  @param {Uint32Array} pixels @param {number} start @param {number} width @param {View} view
     *  @param {number} layer @param {number} row @param {Uint32Array} colours */
    paintOne(pixels, start, width, view, layer, row, colours) {
        const { rows, columns, specials } = this.maps.meta;
        const held = this.held[layer * this.height + row];
        const top = this.top(view, layer, row);
        const weights = this.at(layer, row);
        for (let y = 0, token = specials.length; y < rows; y++) {
            for (let x = 0, at = start + y * width; x < columns; x++, at++, token++) {
                pixels[at] = held ? colours[step(weights[token], top)] : EMPTY;
            }
        }
    }

    /** One map alone. @param {HTMLCanvasElement} canvas @param {View} view @param {number} layer @param {number} row
     *  @param {Uint32Array} colours */
    paintAlone(canvas, view, layer, row, colours) {
        const { rows, columns } = this.maps.meta;
        const { pixels, flush } = surface(canvas, columns, rows);
        this.paintOne(pixels, 0, columns, view, layer, row, colours);
        flush();
    }
}

/** A matrix, or empty cells where there is none.
 *  @param {HTMLCanvasElement} canvas @param {Float32Array | null} weights @param {number} t @param {number} top
 *  @param {Uint32Array} colours */
function paintMatrix(canvas, weights, t, top, colours) {
    const { pixels, flush } = surface(canvas, t, t);
    if (weights) for (let i = 0; i < weights.length; i++) pixels[i] = colours[step(weights[i], top)];
    else pixels.fill(EMPTY);
    flush();
}

/** The largest weight on a patch, in one row or a whole matrix. @param {Float32Array} weights @param {Meta} meta */
function largest(weights, { tokens, specials }) {
    let top = 0;
    for (let start = 0; start < weights.length; start += tokens) {
        for (let i = start + specials.length; i < start + tokens; i++) if (weights[i] > top) top = weights[i];
    }
    return top || 1;
}

/** A number as Python's vitviz.numbers.small writes it: 0.013, 12.3, 1.3·10⁻⁵. @param {number} number */
function small(number) {
    if (number === 0) return "0";
    const exponent = Number(number.toExponential(2).split("e")[1]);
    if (exponent < -4) {
        const [mantissa, power] = number.toExponential(1).split("e");
        return `${mantissa}·10${[...power.replace("-", "⁻")].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? c).join("")}`;
    }
    const decimals = exponent < 0 ? Math.max(3, 1 - exponent) : Math.max(0, 2 - exponent);
    return number.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** A whole number with all its digits: 1,370. @param {number} number */
const whole = (number) => number.toLocaleString("en-GB");
