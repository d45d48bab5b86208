// What stands under a picture: its name and its number, side by side or, where they have no room for that, one below the other.

import { widthOf, write } from "#frontend/draw/words.js";

export const LINE = 26; // pixels for one line
export const LINES = 44; // and for two
const BETWEEN = 8;
const SQUEEZED = 0.85; // of its width: narrower, a name cannot be read
const WIDEST = "≈ −0.888"; // of cosines

/** How many pixels the names and numbers of pictures need, whatever the numbers. @param {CanvasRenderingContext2D} context
 *  @param {string[]} names @param {number} wide of a picture */
export const heightOf = (context, names, wide) =>
    names.every((name) => asWide(context, name) + asWide(context, WIDEST) + BETWEEN <= wide) ? LINE : LINES;

/** The first words of a name, as many as can be read in a width. @param {CanvasRenderingContext2D} context
 *  @param {string} name @param {number} wide */
function cut(context, name, wide) {
    const words = name.split(" ");
    let shown = name;
    while (words.length > 1 && SQUEEZED * asWide(context, shown) > wide) {
        words.pop();
        shown = `${words.join(" ")} …`;
    }
    return shown;
}

/** As if it were bold, which whatever is chosen is. @param {CanvasRenderingContext2D} context @param {string} text */
const asWide = (context, text) => widthOf(context, text, { as: "tick", bold: true });

/** @param {CanvasRenderingContext2D} context @param {[string, string]} words name and number @param {number} x
 *  @param {number} y where the picture ends @param {number} wide @param {number} height of the line or lines
 *  @param {{ name: boolean, number: boolean }} bold */
export function writeUnder(context, [name, says], x, y, wide, height, bold) {
    const two = height > LINE;
    const room = two ? wide : wide - asWide(context, says) - BETWEEN;
    write(context, cut(context, name, room), x, y + 18, { as: "tick", bold: bold.name, width: room });
    const number = /** @type {const} */ ({ as: "tick", bold: bold.number, width: wide });
    if (two) write(context, says, x, y + 35, number);
    else write(context, says, x + wide, y + 18, { ...number, align: "right" });
}
