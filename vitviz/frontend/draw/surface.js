// Canvases that are sharp on every screen, and the colours of numbers.

/** @import { Meta } from "../types/board.js" */

const FINE = 3; // pixels of a canvas for one of the page, on paper

/** How the page writes around a canvas. @type {WeakMap<CanvasRenderingContext2D, { fontFamily: string, color: string }>} */
export const styles = new WeakMap();

/** Pixels of the screen for one of an element, which may be drawn larger. @param {Element} element */
export const density = (element) => (devicePixelRatio || 1) * (element.currentCSSZoom ?? 1);

/** A canvas as large as its box; `draw` gets a context in CSS pixels, which fills and strokes in the colour of the page's
 *  words, `ink`. Nothing is drawn into an empty box. @param {HTMLCanvasElement} canvas
 *  @param {(context: CanvasRenderingContext2D, width: number, height: number, ink: string) => void} draw */
export function onCanvas(canvas, draw) {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const dense = "paper" in document.documentElement.dataset ? FINE : density(canvas);
    const [across, down] = [Math.round(width * dense), Math.round(height * dense)];
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(across / width, 0, 0, down / height, 0, 0);
    context.clearRect(0, 0, width, height);
    const { fontFamily, color } = getComputedStyle(canvas);
    styles.set(context, { fontFamily, color });
    context.fillStyle = context.strokeStyle = color;
    draw(context, width, height, color);
}

/** The largest, 1 where all are 0. @param {ArrayLike<number>} values */
export function largest(values) {
    let most = 0;
    for (let at = 0; at < values.length; at++) if (values[at] > most) most = values[at];
    return most || 1;
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

/** Colours that go over into each other, for a style. @param {string[]} colours */
export const blended = (colours) => `linear-gradient(to right, ${colours})`;

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

/** A picture of few pixels, each of which is to be seen. @param {CanvasRenderingContext2D} context
 *  @param {CanvasImageSource} picture @param {...number} box where it goes: left, top, width, height; before them, where it
 *  is a part of the picture, the same of that */
export function enlarged(context, picture, ...box) {
    context.imageSmoothingEnabled = false;
    context.drawImage(picture, .../** @type {[number, number, number, number]} */ (box));
    context.imageSmoothingEnabled = true;
}

/** A frame, faint where it says no colour. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y
 *  @param {number} width @param {number} height @param {string} [colour] @param {number} [thick] */
export function frame(context, x, y, width, height, colour = "#8888", thick = 1) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.strokeRect(x, y, width, height);
}

/** A frame that is seen on light and dark. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y
 *  @param {number} width @param {number} height @param {string} colour @param {number} [thick] */
export function outline(context, x, y, width, height, colour, thick = 3) {
    frame(context, x, y, width, height, "#000", thick + 2);
    frame(context, x, y, width, height, colour, thick);
}

/** Lines between the patches of a picture. @param {CanvasRenderingContext2D} context @param {number} width
 *  @param {number} height @param {{ rows: number, columns: number }} grid */
export function drawGrid(context, width, height, { rows, columns }) {
    context.strokeStyle = "rgb(255 255 255 / .5)";
    context.lineWidth = 1;
    context.beginPath();
    for (let x = 1; x < columns; x++) context.rect(Math.round((x * width) / columns) - 0.5, 0, 0, height);
    for (let y = 1; y < rows; y++) context.rect(0, Math.round((y * height) / rows) - 0.5, width, 0);
    context.stroke();
}

/** Frame patch tokens of a picture in a box; a token without a place has no frame. @param {CanvasRenderingContext2D} context
 *  @param {Meta} meta @param {number} token @param {readonly [number, number, number, number]} box left, top, width, height
 *  @param {string} colour @param {number} [thick] */
export function outlineToken(context, { prefix, columns, rows }, token, [x, y, width, height], colour, thick) {
    const patch = token - prefix.length;
    const [wide, tall] = [width / columns, height / rows];
    if (patch < 0) return;
    outline(context, x + (patch % columns) * wide, y + Math.floor(patch / columns) * tall, wide, tall, colour, thick);
}

/** The patch token at a place of a picture, from 0 to 1 each way. @param {Meta} meta @param {number} x @param {number} y */
export const tokenAt = ({ prefix, columns, rows }, x, y) =>
    prefix.length + Math.floor(y * rows) * columns + Math.floor(x * columns);
