// How large the board is drawn: in a window type, scene and photo grow with it, and more so where a hall looks on; on paper it
// stands in the layout of the screen, as large as a sheet lets it be, and in ink on white.

import { linkOf } from "./link.js";

const USUAL = { wide: 1280, high: 720 }; // CSS pixels of the window in which the board is as large as its styles say
const LEAST = { wide: 1024, high: 560 }; // all that is pressed is seen from here up; below, the board shrinks a little
const SMALLEST = 12 / 14; // by which the smallest type is still 12 px
const NARROW = 800; // up to here there is one column, which is scrolled
const AT_A_DESK = 0.75; // of the growth that a hall gets, as a power
const SHEET = { wide: 960, high: 690 }; // CSS pixels between the margins of A4 or Letter, lying

/** Tell the styles how much larger everything is drawn, and how high the window is in these larger pixels. */
export function grow() {
    const { dataset, style } = document.documentElement;
    if ("paper" in dataset) return;
    const fits = (/** @type {typeof USUAL} */ { wide, high }) => Math.min(innerWidth / wide, innerHeight / high);
    const power = dataset.lecture === "led" ? 1 : AT_A_DESK;
    const small = innerWidth > NARROW ? Math.max(SMALLEST, Math.min(1, fits(LEAST))) : 1;
    const grown = small * Math.max(1, fits(USUAL)) ** power;
    style.setProperty("--grown", String(grown));
    style.setProperty("--high", `${innerHeight / grown}px`);
}

/** Before something is printed the styles are told how wide and high the screen is, and everything is drawn for paper.
 *  @param {HTMLElement} board as wide as what is printed; it is to be on one sheet @param {() => void} draw at once
 *  @param {AbortController} [until] what ends it */
export function onPaper(board, draw, until) {
    const { dataset, style } = document.documentElement;
    const before = () => {
        const { clientWidth: wide, clientHeight: high } = board;
        dataset.paper = getComputedStyle(board).colorScheme;
        style.setProperty("--wide", `${wide}px`);
        style.setProperty("--fits", String(Math.min(1, SHEET.wide / wide, SHEET.high / high)));
        style.setProperty("--address", JSON.stringify(linkOf(location.href)));
        draw();
    };
    const after = () => {
        delete dataset.paper;
        for (const name of ["--wide", "--fits", "--address"]) style.removeProperty(name);
        draw();
    };
    addEventListener("beforeprint", before, until);
    addEventListener("afterprint", after, until);
}
