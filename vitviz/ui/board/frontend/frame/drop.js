// A photo that is dropped or pasted anywhere on the page goes to Streamlit's own uploader in the sidebar.

import { chooseUpload, UPLOADERS } from "../streamlit.js";

/** @param {DragEvent} event */
const carriesFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

/** Where a paste is of text. */
const WRITTEN = "input, textarea, [contenteditable]";

/** Whether something happens within an element of a kind. @param {Event} event @param {string} kind */
const within = (event, kind) => event.composedPath().some((it) => it instanceof Element && it.matches(kind));

/** @param {HTMLElement} board says where a photo would go, as long as it is dragged over the page
 *  @param {AbortController} until what ends it */
export function acceptPhotos(board, until) {
    const over = (/** @type {DragEvent} */ event) => {
        const ours = carriesFiles(event) && !within(event, UPLOADERS);
        board.toggleAttribute("data-drop", ours);
        if (ours) event.preventDefault();
    };
    const leave = (/** @type {DragEvent} */ event) => {
        if (!event.relatedTarget) board.removeAttribute("data-drop");
    };
    const drop = (/** @type {DragEvent} */ event) => {
        board.removeAttribute("data-drop");
        if (!carriesFiles(event) || within(event, UPLOADERS)) return;
        event.preventDefault();
        const files = /** @type {DataTransfer} */ (event.dataTransfer).files;
        if (files.length) chooseUpload(files[0]);
    };
    const paste = (/** @type {ClipboardEvent} */ event) => {
        const picture = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
        if (picture && !within(event, WRITTEN)) chooseUpload(picture);
    };
    document.addEventListener("paste", paste, until);
    document.addEventListener("dragover", over, until);
    document.addEventListener("dragleave", leave, until);
    document.addEventListener("drop", drop, until);
}
