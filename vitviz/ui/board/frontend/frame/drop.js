// A photo that is dropped anywhere on the page goes to Streamlit's own uploader in the sidebar.

import { chooseUpload, UPLOADERS } from "../streamlit.js";

/** @param {DragEvent} event */
const carriesFiles = (event) => Boolean(event.dataTransfer?.types.includes("Files"));

/** Whether the pointer is over an uploader, which takes its files itself. @param {DragEvent} event */
const elsewhere = (event) => event.composedPath().some((it) => it instanceof Element && it.matches(UPLOADERS));

/** @returns {() => void} what ends it */
export function acceptPhotos() {
    const over = (/** @type {DragEvent} */ event) => {
        if (carriesFiles(event) && !elsewhere(event)) event.preventDefault();
    };
    const drop = (/** @type {DragEvent} */ event) => {
        if (!carriesFiles(event) || elsewhere(event)) return;
        event.preventDefault();
        const files = /** @type {DataTransfer} */ (event.dataTransfer).files;
        if (files.length) chooseUpload(files[0]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("drop", drop);
    return () => {
        document.removeEventListener("dragover", over);
        document.removeEventListener("drop", drop);
    };
}
