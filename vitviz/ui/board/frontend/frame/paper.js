// A page on paper: in the layout of the screen, as large as a sheet lets it be, and in ink on white.

import { linkOf } from "./link.js";

const SHEET = { wide: 960, high: 690 }; // CSS pixels between the margins of A4 or Letter, lying

/** Before something is printed the styles are told how wide and high the screen is, and everything is drawn for paper.
 *  @param {HTMLElement} board as wide as what is printed; it is to be on one sheet @param {() => void} draw at once
 *  @param {AbortController} [until] what ends it */
export function onPaper(board, draw, until) {
    const { dataset, style } = document.documentElement;
    const before = () => {
        const { clientWidth: wide, clientHeight: high } = board;
        dataset.paper = getComputedStyle(board).colorScheme;
        style.setProperty("--wide", `${wide}px`);
        style.setProperty("--high", `${innerHeight}px`);
        style.setProperty("--fits", String(Math.min(1, SHEET.wide / wide, SHEET.high / high)));
        style.setProperty("--address", JSON.stringify(linkOf(location.href)));
        draw();
    };
    const after = () => {
        delete dataset.paper;
        for (const name of ["--wide", "--high", "--fits", "--address"]) style.removeProperty(name);
        draw();
    };
    addEventListener("beforeprint", before, until);
    addEventListener("afterprint", after, until);
}
