// What the board presses on Streamlit's page around it.

import { home, visit } from "./state/address.js";

/** Where files are dropped on Streamlit's own uploaders. */
export const UPLOADERS = '[data-testid="stFileUploaderDropzone"]';

/** Streamlit's own button opens and closes its sidebar. */
export function toggleSidebar() {
    const open = document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]');
    const button = document.querySelector(
        open ? '[data-testid="stSidebarCollapseButton"] button' : '[data-testid="stExpandSidebarButton"]',
    );
    /** @type {HTMLElement | null} */ (button)?.click();
}

const SIDEBAR = '[data-testid="stSidebar"]';
const UPLOADER = '.st-key-upload input[type="file"]';
const PATIENCE = 5000; // ms until an uploader that does not come is no longer waited for

/** Open the sidebar at its uploader, and give it a file. @param {File} file */
export async function chooseUpload(file) {
    if (!document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]')) toggleSidebar();
    turnTo("Upload");
    const input = /** @type {HTMLInputElement | null} */ (await appeared(UPLOADER));
    if (!input) return;
    const one = new DataTransfer();
    one.items.add(file);
    input.files = one.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Press a sample of the sidebar, which may be closed. @param {number} place the first being 1 */
export async function chooseSample(place) {
    turnTo("Samples");
    (await appeared(`.st-key-sample button:nth-of-type(${place})`))?.click();
}

/** Turn the sidebar to where a picture comes from. @param {string} name */
function turnTo(name) {
    const tabs = [...document.querySelectorAll(`${SIDEBAR} [data-testid="stButtonGroup"] button`)];
    const tab = tabs.find((button) => button.textContent?.trim() === name);
    if (tab?.getAttribute("aria-checked") !== "true") /** @type {HTMLElement | undefined} */ (tab)?.click();
}

/** Something of the sidebar, when Streamlit has drawn it. @param {string} selector @returns {Promise<HTMLElement | null>} */
function appeared(selector) {
    const find = () => /** @type {HTMLElement | null} */ (document.querySelector(selector));
    return new Promise((done) => {
        if (find()) return done(find());
        const watch = new MutationObserver(() => find() && end());
        const end = () => {
            watch.disconnect();
            clearTimeout(patience);
            done(find());
        };
        const patience = setTimeout(end, PATIENCE);
        watch.observe(document.body, { childList: true, subtree: true });
    });
}

/** Go where Streamlit's own links to a view lead, by the address: of themselves they leave the picture and the model of
 *  the sidebar as they are. @returns what ends it */
export function followLinks() {
    const follow = (/** @type {MouseEvent} */ event) => {
        const link = /** @type {Element} */ (event.target).closest('[data-testid="stPageLink-NavLink"]');
        const to = link?.getAttribute("href");
        if (!to?.includes("?") || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        visit(home() + to, true);
    };
    addEventListener("click", follow, true);
    return () => removeEventListener("click", follow, true);
}
