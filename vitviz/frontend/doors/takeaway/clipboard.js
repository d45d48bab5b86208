// A text for the clipboard, which may come later than the click that asks for it.

/** Ask for the clipboard within the click, as WebKit and Firefox want it: what is written comes later, or never.
 *  Null where a browser has no such promise; then the text is written when it is here. */
export function clipboardLater() {
    /** @type {(text: string) => void} */
    let come = () => {};
    /** @type {() => void} */
    let leave = () => {};
    try {
        const coming = new Promise((resolve, reject) => {
            come = (text) => resolve(new Blob([text], { type: "text/plain" }));
            leave = () => reject(new DOMException("nothing came", "AbortError"));
        });
        const written = navigator.clipboard.write([new ClipboardItem({ "text/plain": coming })]);
        for (const it of [coming, written]) it.catch(() => {}); // whoever gives a text hears of it
        return {
            /** @param {string} text */
            give(text) {
                come(text);
                return written;
            },
            leave,
        };
    } catch {
        return null;
    }
}

/** Copy a text, into the clipboard that waits for it if one does. @param {string} text
 *  @param {ReturnType<typeof clipboardLater>} [later] @returns {Promise<boolean>} whether the browser took it */
export async function copy(text, later) {
    try {
        await (later ? later.give(text) : navigator.clipboard.writeText(text));
        return true;
    } catch {
        return false;
    }
}

/** @typedef {ReturnType<typeof clipboardLater>} Later */
