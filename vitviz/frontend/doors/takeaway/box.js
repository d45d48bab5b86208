// The box of the menu: beside the button that opened it, on the screen in any case, with keys of its own.

/** @import { Place } from "../../types/board.js" */

import { element } from "../../draw/elements.js";

const STYLE = `
.takes { position: fixed; inset: auto; margin: 0; padding: .5rem; width: 17rem; max-width: calc(100vw - 12px); max-height: calc(100vh - 12px); overflow-y: auto; box-sizing: border-box;
  font: 16px/1.3 var(--st-font); color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: .5rem; box-shadow: 0 4px 18px #0003 }
.takes.takes h2 { font-size: 16px; margin: .1rem .4rem .3rem; overflow-wrap: anywhere }
.takes.takes button { position: static; opacity: 1; display: block; width: 100%; min-height: 32px; text-align: left; font: inherit; color: inherit; background: none; border: 0; border-radius: .3rem; padding: .15rem .4rem; cursor: pointer }
.takes.takes button:hover { background: color-mix(in srgb, currentColor 8%, transparent) }
.takes :is(button, input, textarea):focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -1px }
.takes button[aria-disabled=true] { opacity: .6; cursor: default }
.takes.takes :is(p, label) { display: block; margin: .3rem .4rem; font-size: 15px; overflow-wrap: anywhere }
.takes label { padding: .2rem 0; cursor: pointer }
.takes [role=status]:not(:empty) { border-top: 1px solid var(--st-border-color); padding-top: .4rem }
.takes :is(input[type=text], textarea) { width: calc(100% - .8rem); margin: .2rem .4rem; box-sizing: border-box; font: 14px/1.3 ui-monospace, monospace; color: inherit; background: none; border: 1px solid var(--st-border-color); border-radius: .3rem }
.takes textarea { height: 9rem; resize: vertical }
.takes [hidden] { display: none }
@media print { .takes { display: none } }
`;

const GAP = 6; // pixels between the button and the box, and around it

/** What has the focus, if anything has. */
export function focused() {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active instanceof HTMLElement && active !== document.body ? active : null;
}

export class Box {
    /** @param {Place} place whose button opened it @param {(back: boolean) => void} leave somebody goes on elsewhere, or
     *  `back` where the focus was */
    constructor(place, leave) {
        this.place = place;
        this.leave = leave;
        this.tabbed = false; // whether Tab moves the focus
        this.root = element("div", {
            class: "takes",
            role: "dialog",
            "aria-label": `Take away: ${place.title}`,
            popover: "manual",
        });
        const { root } = this;
        root.append(element("style", {}, STYLE), element("h2", {}, place.title));
        root.addEventListener("keydown", (event) => this.pressed(event));
        root.addEventListener("focusin", () => {
            this.tabbed = false;
        });
        root.addEventListener("focusout", ({ relatedTarget }) => {
            const left = relatedTarget instanceof Node && !root.contains(relatedTarget);
            if (left && this.tabbed) leave(false); // a page that is drawn may take the focus, too
        });
        place.button.setAttribute("aria-expanded", "true");
        this.outside = (/** @type {Event} */ event) => {
            const path = event.composedPath();
            if (!path.includes(root) && !path.includes(place.button)) leave(false);
        };
        addEventListener("pointerdown", this.outside, true);
    }

    /** Show it in a home; what leaves the document is hidden, also when Streamlit mounts that anew.
     *  @param {HTMLElement | null} home */
    stand(home) {
        home?.append(this.root);
        this.root.showPopover();
        this.put();
        this.root.querySelector("button")?.focus();
    }

    /** Above the button where there is more room, else below; on the screen in any case. */
    put() {
        const { root, place } = this;
        if (!place.button.isConnected) return;
        const at = place.button.getBoundingClientRect();
        const { width, height } = root.getBoundingClientRect();
        const { clientWidth, clientHeight } = document.documentElement;
        const below = at.bottom + GAP + height <= clientHeight || at.top < clientHeight / 2;
        const top = below ? at.bottom + GAP : at.top - GAP - height;
        root.style.left = `${Math.max(GAP, Math.min(at.right - width, clientWidth - width - GAP))}px`;
        root.style.top = `${Math.max(GAP, Math.min(top, clientHeight - height - GAP))}px`;
    }

    /** Whether its buttons wait. @param {boolean} on */
    busy(on) {
        for (const button of this.root.querySelectorAll("button")) button.setAttribute("aria-disabled", String(on));
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
        event.stopPropagation();
        this.tabbed = event.key === "Tab";
        if (event.key.toLowerCase() === "t" && event.repeat) return; // still held from opening it
        if (event.key === "Escape" || (event.key.toLowerCase() === "t" && event.target instanceof HTMLButtonElement)) {
            event.preventDefault();
            this.leave(true);
            return;
        }
        const to = { ArrowDown: 1, ArrowUp: -1, Home: 0, End: 0 }[event.key];
        if (to === undefined || event.target instanceof HTMLTextAreaElement) return;
        event.preventDefault();
        const all = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("button, input")]);
        const stops = all.filter((it) => it.checkVisibility());
        const at = stops.indexOf(/** @type {HTMLElement} */ (event.target));
        const next = event.key === "Home" ? 0 : event.key === "End" ? stops.length - 1 : at + to;
        stops[(next + stops.length) % stops.length]?.focus();
    }

    close() {
        removeEventListener("pointerdown", this.outside, true);
        this.root.remove();
        this.place.button.setAttribute("aria-expanded", "false");
    }
}
