// The attention explorers of the file: a frame made of the page that all share, and of the numbers of one.

import { opened, text } from "../../explorer/frontend/file.js";

/** JSON in which no text ends the element that it stands in. @param {unknown} value */
const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** Show an explorer where a step looks. @param {HTMLDialogElement} dialog
 *  @param {DOMStringMap} asked its number, and what is chosen */
export async function openExplorer(dialog, { explorer, chosen = "{}" }) {
    const { caption, source, said } = JSON.parse(text(`said-${explorer}`));
    const page = new DOMParser().parseFromString(new TextDecoder().decode(await opened("explorer")), "text/html");
    const write = (/** @type {string} */ selector, /** @type {string} */ words) => {
        /** @type {Element} */ (page.querySelector(selector)).textContent = words;
    };
    page.title = caption;
    write("footer b", caption);
    write("footer p:last-child", source);
    write("#said", json({ ...said, chosen: { ...said.chosen, ...JSON.parse(chosen) } }));
    write("#numbers", text(`numbers-${explorer}`));
    const { theme } = document.documentElement.dataset;
    if (theme) page.documentElement.dataset.theme = theme;
    const frame = document.createElement("iframe");
    frame.title = caption;
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = `<!doctype html>${page.documentElement.outerHTML}`;
    frame.addEventListener("load", () => frame.focus());
    dialog.querySelector("iframe")?.remove();
    dialog.append(frame);
    if (!dialog.open) dialog.showModal();
}
