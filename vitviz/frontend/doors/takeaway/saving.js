// A lesson that was made to be taken home: this browser's own guesses go in, and it is saved.

import { Guesses } from "../../lecture/kept.js";
import { fetched, save } from "./files.js";

const NONE = 'id="guesses">{}<';

/** @typedef {{ word: string, url: string, name: string, lesson: string }} Made */

/** The file with guesses in it, in which no text ends the element that it stands in. @param {string} text
 *  @param {Record<string, unknown>} guesses */
export function withGuesses(text, guesses) {
    const written = JSON.stringify(guesses).replaceAll("<", "\\u003c");
    return text.replace(NONE, () => `id="guesses">${written}<`);
}

/** @param {Made} made */
async function bring({ url, name, lesson }) {
    const file = await fetched(url);
    if (!file) throw new Error(`${name} did not come`);
    const text = withGuesses(await file.text(), new Guesses().of(lesson));
    save(new Blob([text], { type: "text/html" }), name);
}

/** Streamlit shows the same again with every run: each file is saved once. @type {Set<string>} */
const saved = new Set();

/** @param {{ data: [Made], parentElement: ShadowRoot }} component */
export default function home({ data: [file], parentElement }) {
    parentElement.host.toggleAttribute("data-drawn", true);
    if (saved.has(file.word)) return;
    saved.add(file.word);
    bring(file).catch((error) => {
        console.error(error);
        parentElement.textContent = "The file did not arrive: press the button again.";
    });
}
