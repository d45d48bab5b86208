// What the board presses on Streamlit's page around it.

/** @import { Board } from "../state/board.js" */
/** @import { Sidebar } from "../types/board.js" */

import { visit } from "../transport/inbox.js";
import { home } from "../transport/words.js";

/** Where files are dropped on Streamlit's own uploaders. */
export const UPLOADERS = "[data-testid=stFileUploaderDropzone]";

const SIDEBAR = "[data-testid=stSidebar]";
const EXPANDED = `${SIDEBAR}[data-collapsed=false]`;
/** The uploader of pictures. */
export const PICTURES = ".st-key-upload";

const UPLOADER = `${PICTURES} input[type=file]`;
const REFUSED = `${PICTURES} [data-testid=stFileChip][aria-invalid=true]`;
const UPLOADER_MS = 5000; // ms until an uploader that does not come is no longer waited for
const ON_ITS_WAY = 180000; // ms in which a file may be refused by the uploader itself

/** @param {string} selector */
const press = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();

/** Streamlit's own button opens and closes its sidebar. */
function toggleSidebar() {
    const [close, open] = ["[data-testid=stSidebarCollapseButton] button", "[data-testid=stExpandSidebarButton]"];
    press(document.querySelector(EXPANDED) ? close : open);
}

/** Open or close the sidebar, where it is not. @param {boolean} open */
export function showSidebar(open) {
    if (Boolean(document.querySelector(EXPANDED)) !== open) toggleSidebar();
}

/** Say that a picture is on its way, or no longer. @param {Board} board @param {boolean} comes */
function expect(board, comes) {
    board.coming = comes ? board.first.data.arrived : null;
    board.invalidate();
}

/** Give the sidebar's uploader a file. @param {File} file @param {Board} board */
export async function chooseUpload(file, board) {
    expect(board, true);
    turnTo("Upload");
    const input = /** @type {HTMLInputElement | null} */ (await appeared(UPLOADER));
    if (!input) return expect(board, false);
    const one = new DataTransfer();
    one.items.add(file);
    input.files = one.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Expect the picture that the uploader has been given; the sidebar opens only where that refuses it, and says why.
 *  @param {Board} board */
export async function expectPicture(board) {
    expect(board, true);
    if (await appeared(REFUSED, ON_ITS_WAY, document.querySelector(REFUSED))) showSidebar(true);
    expect(board, false);
}

/** Streamlit's sidebar, whose parts are pressed where it is closed, too. @param {Board} board @returns {Sidebar} */
export const sidebarOf = (board) => ({
    toggle: toggleSidebar,
    chooseOtherModel: () => press(".st-key-other-model button"),
    chooseWithClasses: () => press(".st-key-with-classes button"),
    async chooseSample(place) {
        turnTo("Samples");
        (await appeared(`.st-key-sample button:nth-of-type(${place})`))?.click();
    },
    chooseUpload: (file) => chooseUpload(file, board),
});

/** Turn the sidebar to where a picture comes from. @param {string} name */
function turnTo(name) {
    const tabs = [...document.querySelectorAll(`${SIDEBAR} [data-testid=stButtonGroup] button`)];
    const tab = tabs.find((button) => button.textContent?.trim() === name);
    if (tab?.getAttribute("aria-checked") !== "true") /** @type {HTMLElement | undefined} */ (tab)?.click();
}

/** Something of the sidebar, when Streamlit has drawn it. @param {string} selector @param {number} [timeout_ms]
 *  @param {Element | null} [before] what it is not @returns {Promise<HTMLElement | null>} */
function appeared(selector, timeout_ms = UPLOADER_MS, before = null) {
    const find = () =>
        /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]).find((it) => it !== before);
    return new Promise((done) => {
        const end = () => {
            watch.disconnect();
            clearTimeout(timer);
            done(find() ?? null);
        };
        const watch = new MutationObserver(() => find() && end());
        const timer = setTimeout(end, timeout_ms);
        watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["aria-invalid"] });
        if (find()) end();
    });
}

/** Go where Streamlit's own links to a view lead, by the address: of themselves they leave the picture and the model of
 *  the sidebar as they are. @param {AbortController} until what ends it */
export function followLinks(until) {
    const follow = (/** @type {MouseEvent} */ event) => {
        const link = /** @type {Element} */ (event.target).closest("[data-testid=stPageLink-NavLink]");
        const to = link?.getAttribute("href"); // in the folder of all pages: of the first one nothing but words
        if (!to?.includes("?") || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        visit(home() + to, true);
    };
    addEventListener("click", follow, { capture: true, signal: until.signal });
}
