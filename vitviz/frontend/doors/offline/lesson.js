// A lesson in a file of its own: what it asked is asked again, or shown with the guess that somebody brought home.

import { Asked } from "./asked.js";
import { opened, text, turnTheme } from "./file.js";

/** @import { Meta } from "../../types/board.js" */
/** @import { Question, Truth } from "../../types/lecture.js" */

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
    write(".made b", caption);
    write(".made p:last-child", source);
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

/** @type {{ questions: Record<string, { question: Question, truth: Truth, meta: Meta }>, palette: Record<string, string> }} */
const { questions: records, palette } = JSON.parse(text("lesson"));
/** @type {Record<string, unknown>} */
const guesses = JSON.parse(text("guesses"));
const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

document.documentElement.style.setProperty("--chosen", palette.chosen);
const questions = Object.entries(records).map(([step, told]) => new Asked(find(`#step-${step}`), told, say));
const counted = find(".score").textContent;

/** How many were guessed, and how many of these are right. */
function say() {
    const guessed = questions.filter(({ guess }) => guess !== null);
    const right = guessed.filter((it) => it.right);
    find(".score").textContent = guessed.length
        ? `${counted} You guessed ${guessed.length}; right: ${right.length}.`
        : counted;
}

for (const [at, step] of Object.keys(records).entries())
    if (Object.hasOwn(guesses, step)) questions[at].bring(guesses[step]);
find(".theme").addEventListener("click", turnTheme);
const dialog = /** @type {HTMLDialogElement} */ (find("dialog"));
find(".close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => dialog.querySelector("iframe")?.remove());
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".explore")))
    button.addEventListener("click", () => openExplorer(dialog, button.dataset));
