// What the board presses on Streamlit's page around it.

/** Streamlit's own button opens and closes its sidebar. */
export function toggleSidebar() {
    const open = document.querySelector('[data-testid="stSidebar"][aria-expanded="true"]');
    const button = document.querySelector(
        open ? '[data-testid="stSidebarCollapseButton"] button' : '[data-testid="stExpandSidebarButton"]',
    );
    /** @type {HTMLElement | null} */ (button)?.click();
}
