// The foot of a cell of the notebook: it tells Python that the cell has come into sight, and looks again while Python computes.

/** Whether the cell is "wanted", "waits" for what is computed, or is "there"; what is said of it, which numbers they are, and the
 *  page that it stands on. @typedef {import("../../types/board.js").Component<Record<"state" | "says" | "key" | "page", string>>} Sight */

const NEAR = "60% 0px"; // of a screen beside what is seen
const REST = 120; // ms in sight, for what is only scrolled past
const LOOKS = [250, 500, 1000, 2000]; // ms between two looks
const APART = 60; // ms between what two cells tell: Streamlit hears one of those that speak at once
const AGAIN = 5000; // ms until it is told once more, which may have been lost

let free = 0; // when the next cell may speak

/** @type {WeakMap<ShadowRoot, Watch>} */
const watches = new WeakMap();

/** @param {Sight} component */
export default function sight({ data, parentElement, setTriggerValue }) {
    const watch = watches.get(parentElement) ?? new Watch(parentElement);
    watches.set(parentElement, watch);
    watch.hear(data, () => setTriggerValue("near", data.key));
    return () => {
        watch.leave();
        watches.delete(parentElement);
    };
}

class Watch {
    /** @param {ShadowRoot} root */
    constructor(root) {
        this.root = root;
        this.page = "";
        this.state = "";
        this.key = "";
        this.looks = 0;
        this.timer = 0;
        this.near = false;
        this.printed = false; // once, in sight or not
        this.tell = () => {};
        const options = { rootMargin: NEAR, scrollMargin: NEAR };
        this.observer = new IntersectionObserver((entries) => {
            this.near = entries[entries.length - 1].isIntersecting;
            if (this.near) this.soon(REST);
        }, options);
        this.observer.observe(root.host.closest('[class*="st-key-cell-"]') ?? root.host);
        this.until = new AbortController();
        const all = () => {
            this.printed = true;
            this.soon(0);
        };
        root.host.addEventListener("wanted", all, this.until);
    }

    /** What Python says of the cell. @param {Sight["data"]} data @param {() => void} tell */
    hear({ state, says, key, page }, tell) {
        this.tell = tell;
        if (key !== this.key || state !== "waits") this.looks = 0;
        [this.state, this.key, this.page] = [state, key, page];
        if (state === "there") this.printed = false;
        const host = /** @type {HTMLElement} */ (this.root.host);
        host.dataset.cell = state;
        host.toggleAttribute("data-drawn", true);
        const said = this.root.querySelector("p");
        if (said) said.textContent = says;
        if (state === "waits") this.soon(LOOKS[Math.min(this.looks++, LOOKS.length - 1)]);
        else if (this.near || this.printed) this.soon(0);
    }

    /** @param {number} pause ms */
    soon(pause) {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => {
            if (!location.pathname.endsWith(`/${this.page}`)) return; // Python computes for another page, and hears no cell
            if (this.state !== "waits" && !(this.state === "wanted" && (this.near || this.printed))) return;
            const now = performance.now();
            if (now < free) {
                this.soon(free - now);
                return;
            }
            free = now + APART;
            this.tell();
            this.soon(AGAIN);
        }, pause);
    }

    leave() {
        clearTimeout(this.timer);
        this.observer.disconnect();
        this.until.abort();
    }
}
