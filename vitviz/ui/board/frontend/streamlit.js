// What the board presses on Streamlit's page around it.

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

const UPLOADER = '.st-key-upload input[type="file"]';
const PATIENCE = 5000; // ms until an uploader that does not come is no longer waited for

/** Open the sidebar at its uploader, and give it the first of these files. @param {FileList} files */
export async function chooseUpload(files) {
    if (!document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]')) toggleSidebar();
    const tabs = [...document.querySelectorAll('[data-testid="stSidebar"] [data-testid="stButtonGroup"] button')];
    const tab = tabs.find((button) => button.textContent?.trim() === "Upload");
    if (tab?.getAttribute("aria-checked") !== "true") /** @type {HTMLElement | undefined} */ (tab)?.click();
    const input = await appeared();
    if (!input) return;
    const one = new DataTransfer();
    one.items.add(files[0]);
    input.files = one.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The uploader, when Streamlit has drawn it. @returns {Promise<HTMLInputElement | null>} */
function appeared() {
    const find = () => /** @type {HTMLInputElement | null} */ (document.querySelector(UPLOADER));
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
