// Canvases that are sharp on every screen, and the colours of numbers.

const FINE = 3; // pixels of a canvas for one of the page, on paper

/** @type {WeakMap<CanvasRenderingContext2D, string>} */
const families = new WeakMap();

/** Pixels of the screen for one of an element, which may be drawn larger. @param {Element} element */
export const density = (element) => (devicePixelRatio || 1) * (element.currentCSSZoom ?? 1);

/** A canvas as large as its box; `draw` gets a context in CSS pixels. Nothing is drawn into an empty box.
 *  @param {HTMLCanvasElement} canvas @param {(context: CanvasRenderingContext2D, width: number, height: number) => void} draw */
export function onCanvas(canvas, draw) {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const dense = "paper" in document.documentElement.dataset ? FINE : density(canvas);
    const [across, down] = [Math.round(width * dense), Math.round(height * dense)];
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(across / width, 0, 0, down / height, 0, 0);
    context.clearRect(0, 0, width, height);
    families.set(context, getComputedStyle(canvas).fontFamily);
    draw(context, width, height);
}

/** Write from here on in the page's own font. @param {CanvasRenderingContext2D} context @param {number} size in CSS pixels
 *  @param {number} [weight] */
export function font(context, size, weight = 400) {
    context.font = `${weight} ${size}px ${families.get(context) ?? getComputedStyle(context.canvas).fontFamily}`;
}

/** Write a text in lines of at most `width`. @param {CanvasRenderingContext2D} context @param {string} text @param {number} x
 *  @param {number} y of its first line @param {number} width @param {number} [line] from one line to the next */
export function wrapped(context, text, x, y, width, line = 23) {
    let written = "";
    for (const word of text.split(" ")) {
        const longer = written ? `${written} ${word}` : word;
        if (written && context.measureText(longer).width > width) {
            context.fillText(written, x, y);
            [written, y] = [word, y + line];
        } else written = longer;
    }
    context.fillText(written, x, y);
}

/** Say that something has not come, in the colour that is set. @param {CanvasRenderingContext2D} context
 *  @param {number} width @param {string} [says] */
export function coming(context, width, says = "The numbers are on their way.") {
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    font(context, 18);
    wrapped(context, says, 0, 24, width);
}

/** Numbers from -limit to limit as blue, nothing, red: RGBA words, of which 0 shows the ground that they are drawn on.
 *  @param {number} value @param {number} limit */
export function diverging(value, limit) {
    const share = Math.max(-1, Math.min(1, value / (limit || 1)));
    const thick = Math.round(255 * Math.abs(share) ** 0.8);
    return ((thick << 24) | (share < 0 ? 0xac6621 : 0x2b18b2)) >>> 0;
}

/** The same as a CSS colour. @param {number} value @param {number} limit */
export function divergingCss(value, limit) {
    const word = diverging(value, limit);
    return `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255} / ${((word >>> 24) / 255).toFixed(3)})`;
}

/** A picture of one pixel per number, to be enlarged without smoothing. @param {number} width @param {number} height
 *  @param {(at: number) => number} colour RGBA word of the number at a place */
export function pixels(width, height, colour) {
    const canvas = new OffscreenCanvas(width, height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    for (let at = 0; at < words.length; at++) words[at] = colour(at);
    context.putImageData(image, 0, 0);
    return canvas;
}

/** Where the pointer is on an element, from 0 to 1 each way. @param {PointerEvent | MouseEvent} event @param {Element} element */
export function place(event, element) {
    const box = element.getBoundingClientRect();
    const within = (/** @type {number} */ share) => Math.max(0, Math.min(1 - 1e-9, share));
    return { x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) };
}

/** A frame that is seen on light and dark. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y
 *  @param {number} width @param {number} height @param {string} colour */
export function outline(context, x, y, width, height, colour) {
    for (const [style, thick] of /** @type {[string, number][]} */ ([
        ["#000", 5],
        [colour, 3],
    ])) {
        context.strokeStyle = style;
        context.lineWidth = thick;
        context.strokeRect(x, y, width, height);
    }
}
