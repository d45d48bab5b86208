// A photo that is dropped anywhere on the page goes to Streamlit's own uploader in the sidebar.

import { chooseUpload, UPLOADERS } from "../streamlit.js";

/** @param {DragEvent} event */
const carriesFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

/** Whether the pointer is over an uploader, which takes its files itself. @param {DragEvent} event */
const elsewhere = (event) => event.composedPath().some((it) => it instanceof Element && it.matches(UPLOADERS));

/** @param {HTMLElement} board says where a photo would go, as long as it is dragged over the page
 *  @returns {() => void} what ends it */
export function acceptPhotos(board) {
    const over = (/** @type {DragEvent} */ event) => {
        const ours = carriesFiles(event) && !elsewhere(event);
        board.toggleAttribute("data-drop", ours);
        if (ours) event.preventDefault();
    };
    const leave = (/** @type {DragEvent} */ event) => {
        if (!event.relatedTarget) board.removeAttribute("data-drop");
    };
    const drop = (/** @type {DragEvent} */ event) => {
        board.removeAttribute("data-drop");
        if (!carriesFiles(event) || elsewhere(event)) return;
        event.preventDefault();
        const files = /** @type {DataTransfer} */ (event.dataTransfer).files;
        if (files.length) chooseUpload(files[0]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
        document.removeEventListener("dragover", over);
        document.removeEventListener("dragleave", leave);
        document.removeEventListener("drop", drop);
    };
}
