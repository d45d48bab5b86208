// A lesson that was made to be taken home: this browser's own guesses go in, and it is saved.

import { Guesses } from "../kept.js";

const NONE = 'id="guesses">{}<';

/** @typedef {{ word: string, url: string, name: string, lesson: string }} Made */

/** The file with guesses in it, in which no text ends the element that it stands in. @param {string} text
 *  @param {Record<string, unknown>} guesses */
export function withGuesses(text, guesses) {
    const written = JSON.stringify(guesses).replaceAll("<", "\\u003c");
    return text.replace(NONE, () => `id="guesses">${written}<`);
}

/** @param {Made} made */
async function save({ url, name, lesson }) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const text = withGuesses(await answer.text(), new Guesses().of(lesson));
    const href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Streamlit shows the same again with every run: each file is saved once. @type {Set<string>} */
const saved = new Set();

/** @param {{ data: [Made], parentElement: ShadowRoot }} component */
export default function home({ data: [made], parentElement }) {
    parentElement.host.toggleAttribute("data-drawn", true);
    if (saved.has(made.word)) return;
    saved.add(made.word);
    save(made).catch((error) => {
        console.error(error);
        parentElement.textContent = "The file did not arrive: press the button again.";
    });
}
