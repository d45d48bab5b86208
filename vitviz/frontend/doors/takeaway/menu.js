// The menu of a picture: a link, and files that Python makes when they are asked for. It is fetched when it is first opened.

import { element } from "../../draw/elements.js";
import { linkOf } from "../../frame/link.js";
import { HERE_ALONE } from "../../schema/pages.js";
import { fetched, NAMES, save, WITH_PICTURE } from "./files.js";

/** @import { TakeAway } from "../../frame/takeaway.js" */
/** @import { Place, FileAnswer } from "../../types/board.js" */

export const STYLE = `
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

/** Ask for the clipboard within the click, as WebKit and Firefox want it: what is written comes later, or never.
 *  Null where a browser has no such promise; then the text is written when it is here. */
export function clipboardLater() {
    /** @type {(text: string) => void} */
    let come = () => {};
    /** @type {() => void} */
    let leave = () => {};
    try {
        const coming = new Promise((resolve, reject) => {
            come = (text) => resolve(new Blob([text], { type: "text/plain" }));
            leave = () => reject(new DOMException("nothing came", "AbortError"));
        });
        const written = navigator.clipboard.write([new ClipboardItem({ "text/plain": coming })]);
        for (const it of [coming, written]) it.catch(() => {}); // whoever gives a text hears of it
        return {
            /** @param {string} text */
            give(text) {
                come(text);
                return written;
            },
            leave,
        };
    } catch {
        return null;
    }
}

/** Copy a text, into the clipboard that waits for it if one does. @param {string} text
 *  @param {ReturnType<typeof clipboardLater>} [later] @returns {Promise<boolean>} whether the browser took it */
export async function copy(text, later) {
    try {
        await (later ? later.give(text) : navigator.clipboard.writeText(text));
        return true;
    } catch {
        return false;
    }
}

/** @typedef {ReturnType<typeof clipboardLater>} Later */

const WORD = "take"; // of the address: what Python is asked for
const AGAIN = 20_000; // ms until Python is asked once more: Streamlit drops what it is told while its connection is away
const TRIES = 3; // of a file that was forgotten before it could be fetched
const GAP = 6; // pixels between the button and the menu, and around it

/** @param {TakeAway} takeaway */
export const menu = (takeaway) => new Menu(takeaway);

/** What has the focus, if anything has. */
function focused() {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active instanceof HTMLElement && active !== document.body ? active : null;
}

class Menu {
    /** @param {TakeAway} takeaway */
    constructor(takeaway) {
        this.takeaway = takeaway;
        /** The open menu, and whose it is. @type {{ root: HTMLElement, place: Place, before: HTMLElement | null } | null} */
        this.opened = null;
        /** What Python was asked for, how often in this word and in which, whether it has answered, and who waits for it.
         *  @type {{ what: string, word: string, times: number, tries: number, timer: number, answered: boolean, clipboard: Later } | null} */
        this.waits = null;
        this.count = 0;
        this.tabbed = false; // whether Tab moves the focus
        this.status = element("p", { role: "status" });
        this.text = element("div", {});
    }

    /** Open it, or close it where it is open. @param {HTMLElement} [button] of which picture, if not the first
     *  @returns {boolean} whether there is such a picture */
    open(button) {
        const places = this.places();
        const place = button ? places.find((it) => it.button === button) : places[0];
        if (!place) return false;
        const before = this.opened?.before ?? focused(); // gets the focus back
        const again = this.opened?.place.button === place.button;
        this.close();
        if (again) return true;
        const root = element("div", {
            class: "takes",
            role: "dialog",
            "aria-label": `Take away: ${place.title}`,
            popover: "manual",
        });
        this.opened = { root, place, before };
        this.status.textContent = "";
        this.text.replaceChildren();
        const files = Object.entries(NAMES).filter(([what]) => place.files.includes(what));
        const buttons = files.map(([what, name]) => {
            const some = WITH_PICTURE.includes(what) && place.layers ? `, ${place.layers}` : "";
            return { what, button: this.button(name + some, () => this.ask(what)) };
        });
        const tick = element("input", { type: "checkbox" });
        const ticked = () => {
            for (const { what, button } of buttons)
                button.hidden = Boolean(place.own) && !tick.checked && WITH_PICTURE.includes(what);
        };
        tick.addEventListener("change", ticked);
        ticked();
        this.withPicture = () => tick.checked;
        root.append(
            element("style", {}, STYLE),
            element("h2", {}, place.title),
            this.button("Link", () => this.link()),
            ...(place.cell ? [this.button("See in the notebook", () => this.see(String(place.cell)))] : []),
            ...(place.own ? [element("label", {}, tick, " with my picture")] : []),
            ...buttons.map(({ button }) => button),
            ...(place.remade ? [element("p", {}, "The numbers are made on the CPU in float32.")] : []),
            this.status,
            this.text,
        );
        root.addEventListener("keydown", (event) => this.pressed(event));
        root.addEventListener("focusin", () => {
            this.tabbed = false;
        });
        root.addEventListener("focusout", ({ relatedTarget }) => {
            const left = relatedTarget instanceof Node && !root.contains(relatedTarget);
            if (left && this.tabbed) this.close(false); // a page that is drawn may take the focus, too
        });
        place.button.setAttribute("aria-expanded", "true");
        this.stand();
        this.outside = (/** @type {Event} */ event) => {
            const path = event.composedPath();
            if (!path.includes(root) && !path.includes(place.button)) this.close(false);
        };
        addEventListener("pointerdown", this.outside, true);
        return true;
    }

    /** Show the open menu in its home; what leaves the document is hidden, also when Streamlit mounts that anew. */
    stand() {
        if (!this.opened) return;
        const { root } = this.opened;
        this.takeaway.home?.append(root);
        root.showPopover();
        this.put();
        root.querySelector("button")?.focus();
    }

    /** The pictures that are seen: the board's columns, then what the page has drawn, from the top. @returns {Place[]} */
    places() {
        const { board, columns, drawn } = this.takeaway;
        const { stage } = board.first;
        const shown = columns.flatMap(({ column: own, button }) => {
            const { meta } = own.data;
            if (!meta?.takes || !stage || !button.checkVisibility()) return [];
            const [key, title] = own === board.first ? ["", ""] : [".b", ", B"];
            const { moment, learned } = own.chosen;
            const learns = learned >= 0 && moment === meta.takes.learns;
            const all = meta.takes.files_at?.[moment] ?? meta.takes.files;
            const files = all.filter((what) => !learns || !WITH_PICTURE.includes(what));
            return [{ ...meta.takes, files, key: meta.takes.key + key, title: stage.title + title, button }];
        });
        const last = new Map(drawn.map((it) => [it.button, it]));
        const seen = [...last.values()].filter(({ button }) => button.checkVisibility());
        this.takeaway.drawn = [...last.values()].filter(({ button }) => button.isConnected);
        this.takeaway.columns = columns.filter(({ button }) => button.isConnected);
        const top = (/** @type {Place} */ { button }) => button.getBoundingClientRect().top;
        return [...shown, ...seen.sort((a, b) => top(a) - top(b))];
    }

    /** Above the button where there is more room, else below; on the screen in any case. */
    put() {
        if (!this.opened?.place.button.isConnected) return;
        const { root, place } = this.opened;
        const at = place.button.getBoundingClientRect();
        const { width, height } = root.getBoundingClientRect();
        const { clientWidth, clientHeight } = document.documentElement;
        const below = at.bottom + GAP + height <= clientHeight || at.top < clientHeight / 2;
        const top = below ? at.bottom + GAP : at.top - GAP - height;
        root.style.left = `${Math.max(GAP, Math.min(at.right - width, clientWidth - width - GAP))}px`;
        root.style.top = `${Math.max(GAP, Math.min(top, clientHeight - height - GAP))}px`;
    }

    /** @param {boolean} [back] whether the focus goes back */
    close(back = true) {
        if (!this.opened) return;
        const { root, place, before } = this.opened;
        this.opened = null;
        this.stop();
        if (this.outside) removeEventListener("pointerdown", this.outside, true);
        root.remove();
        place.button.setAttribute("aria-expanded", "false");
        if (back) before?.focus();
    }

    /** @param {string} name @param {() => void} act */
    button(name, act) {
        const made = element("button", { type: "button" }, name);
        made.addEventListener("click", () => made.getAttribute("aria-disabled") === "true" || act());
        return made;
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
        event.stopPropagation();
        this.tabbed = event.key === "Tab";
        if (event.key.toLowerCase() === "t" && event.repeat) return; // still held from opening it
        if (event.key === "Escape" || (event.key.toLowerCase() === "t" && event.target instanceof HTMLButtonElement)) {
            event.preventDefault();
            this.close();
            return;
        }
        const to = { ArrowDown: 1, ArrowUp: -1, Home: 0, End: 0 }[event.key];
        if (to === undefined || event.target instanceof HTMLTextAreaElement) return;
        event.preventDefault();
        const stops = /** @type {HTMLElement[]} */ ([
            ...(this.opened?.root.querySelectorAll("button, input") ?? []),
        ]).filter((it) => it.checkVisibility());
        const at = stops.indexOf(/** @type {HTMLElement} */ (event.target));
        const next = event.key === "Home" ? 0 : event.key === "End" ? stops.length - 1 : at + to;
        stops[(next + stops.length) % stops.length]?.focus();
    }

    /** @param {string} text */
    say(text) {
        this.status.textContent = text;
        this.put();
    }

    /** Copy the address of all that is seen. */
    link() {
        const { board } = this.takeaway;
        const to = new URL(board.first.stage ? board.first.address : location.href, location.href);
        const own = this.opened?.place.own ? " The picture itself is not in it: others see a sample in its place." : "";
        this.copy(
            linkOf(to.href),
            element("input", { type: "text", readonly: "", "aria-label": "Link" }),
            `The link is copied.${own}`,
        );
    }

    /** Go to the cell of what is seen, in the notebook. @param {string} cell where that of the page is */
    see(cell) {
        const { board, visit } = this.takeaway;
        const [here, to] = [
            new URL(board.first.stage ? board.first.address : location.href, location.href),
            new URL(cell, location.href),
        ];
        for (const [name, text] of here.searchParams)
            if (!HERE_ALONE.includes(name) && !to.searchParams.has(name)) to.searchParams.append(name, text);
        if (board.first.stage)
            to.searchParams.set("cell", `${to.searchParams.get("cell")}.${board.store.chosen.moment}`);
        this.close(false);
        visit(to.pathname + to.search, true);
    }

    /** Copy a text, into the clipboard that waits for it if one does; where the browser does not, let people do it.
     *  @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} done
     *  @param {Later} [later] */
    async copy(text, field, done, later) {
        field.value = text;
        this.text.replaceChildren(field);
        const copied = await copy(text, later);
        if (!copied) field.select();
        this.say(copied ? done : "Press Ctrl+C, or ⌘C: this page may not copy by itself.");
    }

    /** @param {string} what @param {number} [tries] @param {Later} [clipboard] asked for within the click */
    ask(what, tries = 1, clipboard = what === "cite" ? clipboardLater() : null) {
        if (!this.opened) return;
        this.stop();
        this.text.replaceChildren();
        this.busy(true);
        this.say(`${NAMES[what]} is being made …`);
        const held = this.withPicture?.() ? "with" : "bare";
        this.count += 1;
        this.waits = {
            what,
            word: `${this.opened.place.key}.${what}.${held}.${Date.now() % 1e9}${this.count % 10}`,
            times: 1,
            tries,
            timer: 0,
            answered: false,
            clipboard,
        };
        this.send();
    }

    send() {
        if (!this.waits) return;
        this.write(this.waits.word);
        clearTimeout(this.waits.timer);
        this.waits.timer = window.setTimeout(() => this.send(), AGAIN * this.waits.times++);
    }

    /** Let Python make a file; nothing any more without a word. @param {string} [word] */
    write(word) {
        const { board, visit, replace } = this.takeaway;
        const to = new URL(board.first.address, location.href);
        if (word) to.searchParams.set(WORD, word);
        else to.searchParams.delete(WORD);
        if (word) visit(to.pathname + to.search, false);
        else replace(to.pathname + to.search);
    }

    /** Wait no longer. */
    stop() {
        if (!this.waits) return;
        clearTimeout(this.waits.timer);
        this.waits.clipboard?.leave();
        this.waits = null;
        this.busy(false);
        this.write();
    }

    /** @param {boolean} on */
    busy(on) {
        for (const button of this.opened?.root.querySelectorAll("button") ?? [])
            button.setAttribute("aria-disabled", String(on));
    }

    /** What Python says of what it was asked for. @param {FileAnswer} file */
    async receive(file) {
        if (!this.waits) this.write(); // somebody loaded the page again in the meantime
        if (file.word !== this.waits?.word || this.waits.answered) return;
        const { what, tries, clipboard } = this.waits;
        this.waits.answered = true;
        if (file.says !== undefined) {
            this.stop();
            this.say(file.says);
            return;
        }
        clearTimeout(this.waits.timer);
        const content = await fetched(file.url ?? "");
        const text = what === "cite" && content ? await content.text() : "";
        if (file.word !== this.waits?.word) return; // closed, or another one was asked for
        if (content || tries < TRIES) this.waits.clipboard = null; // goes on to wait, or gets its text
        if (!content && tries < TRIES) {
            this.ask(what, tries + 1, clipboard);
            return;
        }
        this.stop();
        if (!content) this.say("The file did not come whole; choose it again.");
        else if (what === "cite") {
            const field = element("textarea", { readonly: "", "aria-label": "Citation" });
            await this.copy(text, field, "Copied.", clipboard);
        } else this.say(save(content, file.name ?? "view"));
    }
}
