// A photo that is dropped or pasted anywhere on the page goes to Streamlit's own uploader in the sidebar.

/** @import { Board } from "../state/board.js" */

import { chooseUpload, expectPicture, PICTURES, UPLOADERS } from "./page.js";

/** @param {DragEvent} event */
const carriesFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

/** Where a paste is of text. */
const WRITTEN = "input, textarea, [contenteditable]";

/** Whether something happens within an element of a kind. @param {Event} event @param {string} kind */
const within = (event, kind) => event.composedPath().some((it) => it instanceof Element && it.matches(kind));

/** @param {HTMLElement} root says where a photo would go, as long as it is dragged over the page
 *  @param {Board} board @param {AbortController} until what ends it */
export function acceptPhotos(root, board, until) {
    const give = (/** @type {Event} */ event) => {
        if (within(event, PICTURES)) expectPicture(board);
    };
    const over = (/** @type {DragEvent} */ event) => {
        const ours = carriesFiles(event) && !within(event, UPLOADERS);
        root.toggleAttribute("data-drop", ours);
        if (ours) event.preventDefault();
    };
    const leave = (/** @type {DragEvent} */ event) => {
        if (!event.relatedTarget) root.removeAttribute("data-drop");
    };
    const drop = (/** @type {DragEvent} */ event) => {
        root.removeAttribute("data-drop");
        if (!carriesFiles(event)) return;
        if (within(event, UPLOADERS)) return give(event);
        event.preventDefault();
        const files = /** @type {DataTransfer} */ (event.dataTransfer).files;
        if (files.length) chooseUpload(files[0], board);
    };
    const paste = (/** @type {ClipboardEvent} */ event) => {
        const picture = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
        if (picture && !within(event, WRITTEN)) chooseUpload(picture, board);
    };
    document.addEventListener("paste", paste, until);
    document.addEventListener("dragover", over, until);
    document.addEventListener("dragleave", leave, until);
    const first = { capture: true, signal: until.signal }; // before Streamlit, which may refuse a file at once
    document.addEventListener("drop", drop, first);
    document.addEventListener("change", give, first);
}
