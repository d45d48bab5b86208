// What an offline file reads of itself, and its colours.

/** What stands in this file under a name. @param {string} id */
export const text = (id) => /** @type {HTMLElement} */ (document.getElementById(id)).textContent ?? "";

/** What stands in this file as base64 of a gzip file. @param {string} id @returns {Promise<Uint8Array>} */
export async function opened(id) {
    const packed = Uint8Array.from(atob(text(id)), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Light becomes dark, and dark light. */
export function turnTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
}
