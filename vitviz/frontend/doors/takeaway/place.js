// The button in the corner of a picture that is not the board's: it opens the board's menu.

/** @import { Component, Place } from "../../types/board.js" */

import { element } from "../../draw/elements.js";
import { inbox } from "../../transport/inbox.js";

/** A finger scrolls the page where Plotly would draw a box, unless somebody has chosen to pan. @param {TouchEvent} event */
const scrolls = (event) => {
    const plot = /** @type {Element} */ (event.target)
        .closest?.(".js-plotly-plot .draglayer")
        ?.closest(".js-plotly-plot");
    if (plot && !plot.querySelector("[data-val=pan].active")) event.stopPropagation();
};
document.addEventListener("touchstart", scrolls, { capture: true, passive: true });

/** @param {Component<[Omit<Place, "button">]>} component */
export default function place({ data, parentElement }) {
    const [place] = data;
    const name = `Take away: ${place.title}`;
    const old = /** @type {HTMLButtonElement | undefined} */ (
        [...parentElement.children].find((it) => it instanceof HTMLButtonElement)
    );
    const button = old ?? element("button", { type: "button", "aria-haspopup": "dialog" }, "take away");
    if (!old) parentElement.append(button);
    button.setAttribute("aria-label", name);
    button.title = name;
    parentElement.host.toggleAttribute("data-drawn", true);
    inbox().push({ place: { ...place, button } });
}
