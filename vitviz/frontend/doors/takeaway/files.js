// The files: what they are called in the menu, and how they come.

import { element } from "../../draw/elements.js";

/** What a picture can be taken away as, in the order of the menu; an offline file shows the heads, on every page.
 * @type {Record<string, string>} */
export const NAMES = {
    png: "PNG",
    svg: "SVG",
    npz: "Data (.npz)",
    csv: "Data (.csv)",
    notebook: "Notebook",
    chapter: "Chapter as a notebook",
    file: "Offline file: heads",
    file_weights: "Offline file: heads, with the model",
    cite: "Cite",
};
/** What holds the picture, whatever else. */
export const WITH_PICTURE = ["file", "file_weights"];

/** All of a file, or null. @param {string} url */
export async function fetched(url) {
    try {
        const answer = await fetch(new URL(url.replace(/^\/+/, ""), document.baseURI));
        return answer.status === 200 ? await answer.blob() : null;
    } catch {
        return null;
    }
}

/** Hand a file to the browser's downloads, and say so. @param {Blob} content @param {string} name */
export function save(content, name) {
    const link = element("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    const size = content.size < 1e6 ? `${Math.ceil(content.size / 1e3)} kB` : `${(content.size / 1e6).toFixed(1)} MB`;
    return `${name}, ${size}, is in your downloads.`;
}
