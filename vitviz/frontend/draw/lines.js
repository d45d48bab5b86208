// Sentences on a canvas, in lines.

/** @import { How } from "./words.js" */

import { widthOf, write } from "./words.js";

/** Write a text in lines of at most `width`. @param {CanvasRenderingContext2D} context @param {string} text @param {number} x
 *  @param {number} y of its first line @param {number} width @param {How} [how] @param {number} [line] from one line to the next */
export function wrapped(context, text, x, y, width, how, line = 20) {
    let written = "";
    for (const word of text.split(" ")) {
        const longer = written ? `${written} ${word}` : word;
        if (written && widthOf(context, longer, how) > width) {
            write(context, written, x, y, how);
            [written, y] = [word, y + line];
        } else written = longer;
    }
    write(context, written, x, y, how);
}

/** Write a text that is read on any ground: `around` is the colour around its letters.
 *  @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y @param {How} how
 *  @param {string} around */
export function writeClear(context, text, x, y, how, around) {
    write(context, text, x, y, how); // in its font
    Object.assign(context, { strokeStyle: around, lineWidth: 4, lineJoin: "round" });
    context.strokeText(text, x, y);
    write(context, text, x, y, how);
}
