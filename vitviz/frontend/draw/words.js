// Words on a canvas: what a text is says how large it stands there, the same in all scenes.

import { styles } from "./surface.js";

/** How a text is written by what it is: a result, what a picture is of, a sentence, a name or number at an axis or under a
 *  small picture, and one in a cell. */
const FONTS = { number: "600 26px", title: "600 17px", text: "16px", tick: "15px", cell: "14px" };

/** What a text is, or its pixels where they follow from a picture; how it stands at its place, and the most it may take.
 *  @typedef {{ as?: keyof typeof FONTS | number, bold?: boolean, align?: CanvasTextAlign, base?: CanvasTextBaseline,
 *    colour?: string, width?: number }} How */

/** Of a canvas that another script drew, as the one from which a part of a scene is fetched, the page says it anew.
 *  @param {CanvasRenderingContext2D} context */
const styleOf = (context) => styles.get(context) ?? getComputedStyle(context.canvas);

/** The colour of the page's own words. @param {CanvasRenderingContext2D} context */
export const inkOf = (context) => styleOf(context).color;

/** @param {CanvasRenderingContext2D} context @param {How} how */
function font(context, { as = "text", bold }) {
    const size = FONTS[/** @type {keyof typeof FONTS} */ (as)] ?? `${as}px`;
    context.font = `${bold ? "600 " : ""}${size} ${styleOf(context).fontFamily}`;
}

/** Write a text, in the page's own colour where it says no other. @param {CanvasRenderingContext2D} context
 *  @param {string} text @param {number} x @param {number} y @param {How} [how] */
export function write(context, text, x, y, how = {}) {
    const { align = "left", base = "alphabetic", colour = inkOf(context), width } = how;
    font(context, how);
    Object.assign(context, { textAlign: align, textBaseline: base, fillStyle: colour });
    context.fillText(text, x, y, width);
}

/** How many pixels a text takes. @param {CanvasRenderingContext2D} context @param {string} text @param {How} [how] */
export function widthOf(context, text, how = {}) {
    font(context, how);
    return context.measureText(text).width;
}

/** Say that something has not come. @param {CanvasRenderingContext2D} context @param {number} width @param {string} [says] */
export const coming = (context, width, says = "The numbers are on their way.") =>
    write(context, says, 0, 20, { width });
