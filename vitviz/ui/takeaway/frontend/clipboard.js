// A text for the clipboard that is still on its way when somebody presses the button.

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
