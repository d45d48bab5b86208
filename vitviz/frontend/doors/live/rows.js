// A row that is pointed at anywhere on the page, in a table or in a chart, is lit everywhere.

import { visit } from "../../transport/inbox.js";

const EVENT = "vitviz-row";

/** @param {string} row "" for none */
export const light = (row) => document.dispatchEvent(new CustomEvent(EVENT, { detail: row }));

/** Be told which row is lit. @param {(row: string) => void} then @returns {() => void} what ends it */
export function onLight(then) {
    const hear = (/** @type {Event} */ event) => then(/** @type {CustomEvent<string>} */ (event).detail);
    document.addEventListener(EVENT, hear);
    return () => document.removeEventListener(EVENT, hear);
}

/** Let the tables of the page take part; they are Streamlit's HTML, and it makes them anew. */
export function joinTables() {
    if (document.documentElement.dataset.rows) return;
    document.documentElement.dataset.rows = "joined";
    let pointed = "";
    const point = (/** @type {Event} */ event) => {
        const row = rowOf(event);
        if (row !== pointed) light(row);
        pointed = row;
    };
    document.addEventListener("pointerover", point);
    document.addEventListener("click", (event) =>
        follow(event, /** @type {Element} */ (event.target).closest(".counts a")),
    );
    onLight((row) => {
        for (const at of document.querySelectorAll("[data-row]"))
            at.classList.toggle("lit", row !== "" && rowAt(at) === row);
    });
}

/** Go where a link of the app leads without loading the app anew, unless a new tab is asked for.
 *  @param {MouseEvent} event @param {Element | null | undefined} link */
export function follow(event, link) {
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    visit(link.pathname + link.search, true);
}

/** @param {Element} element */
export const rowAt = (element) => element.getAttribute("data-row") ?? "";

/** The row under a pointer. @param {Event} event */
export function rowOf(event) {
    const at = /** @type {Element} */ (event.target).closest?.("[data-row]");
    return at ? rowAt(at) : "";
}
