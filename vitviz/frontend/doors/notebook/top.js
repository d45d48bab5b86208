// What stands above the cells of the notebook: chapters, and layer, head and query, which move the cells that have one.

/** @import { Component } from "../../types/board.js" */
/** What Python says: of layer, head and query where they stand and of how many, and which cell is to be seen first.
 *  @typedef {Record<"layer" | "head" | "query", [number, number]> & { chapter: string, chapters: [string, string][],
 *      tokens: string[], columns: number, cell: string }} Cells */

import { buttonFor, element } from "../../draw/elements.js";
import { visit } from "../../transport/inbox.js";
import { here, withWords } from "../../transport/words.js";

const REST = 200; // ms until the address follows the hand
const LOOK = 200; // ms between two looks at cells that are to be printed
const FOUND = 5000; // ms in which the cell of the address is looked for, and stays in sight while others are drawn
const HANDS = ["wheel", "keydown", "pointerdown", "touchstart"]; // what moves a page

/** @type {WeakMap<ShadowRoot, Top>} */
const tops = new WeakMap();

/** @param {Component<[Cells]>} component */
export default function cells({ data, parentElement }) {
    const top = tops.get(parentElement) ?? new Top(parentElement);
    tops.set(parentElement, top);
    top.hear(data[0]);
    return () => {
        top.until.abort();
        tops.delete(parentElement);
    };
}

class Top {
    /** @param {ShadowRoot} root */
    constructor(root) {
        this.cell = ""; // that was brought into sight
        this.timer = 0;
        this.moved = false; // whether the hand is further than the address
        this.until = new AbortController();
        this.chapters = element("nav", { "aria-label": "Chapters" });
        this.sliders = element("div", { class: "sliders" });
        this.print = buttonFor("Print", () => this.handout(), { class: "print" });
        root.append(element("div", { class: "top" }, this.chapters, this.print), this.sliders);
        this.slider("layer", "Layer");
        this.slider("head", "Head");
        this.slider("query", "Query");
        root.host.toggleAttribute("data-drawn", true);
        const { until } = this;
        document.addEventListener("click", (event) => this.follow(event), until);
        addEventListener("beforeprint", () => this.all(), until);
        const pressed = (/** @type {KeyboardEvent} */ event) => {
            if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "p") return;
            event.preventDefault();
            this.handout();
        };
        addEventListener("keydown", pressed, until);
        this.held = false; // whether the cell stays in sight, until a hand moves the page
        for (const hand of HANDS)
            addEventListener(hand, () => (this.held = false), { signal: until.signal, passive: true });
    }

    /** @param {Cells} data */
    hear({ chapter, chapters, layer, head, query, tokens, columns, cell }) {
        const other = cell !== this.cell;
        this.cell = cell;
        if (cell && other) {
            this.held = true;
            this.find(cell, performance.now() + FOUND);
        }
        this.chapters.replaceChildren(
            ...chapters.map(([word, title]) => {
                const link = element("a", { href: this.address({ chapter: word, cell: "" }) }, title);
                if (word === chapter) link.setAttribute("aria-current", "page");
                return link;
            }),
        );
        const counted = (/** @type {number} */ at) => String(at + 1);
        const token = (/** @type {number} */ at) => tokens[at] ?? String(at - tokens.length + 1);
        const inWords = (/** @type {number} */ at) => {
            const patch = at - tokens.length;
            const place = `row ${Math.floor(patch / columns) + 1}, column ${(patch % columns) + 1}`;
            return patch < 0 ? `[${tokens[at]}]` : `patch ${patch + 1} (${place})`;
        };
        this.slide("layer", layer, counted, counted);
        this.slide("head", head, counted, counted);
        this.slide("query", query, token, inWords);
    }

    /** @param {string} name @param {string} label */
    slider(name, label) {
        const input = element("input", { type: "range", id: name, min: "0", step: "1", "aria-label": label });
        this.sliders.append(element("div", {}, element("span", {}, label), element("output", { for: name }), input));
    }

    /** @param {string} name @param {[number, number]} of where it stands, and of how many
     *  @param {(at: number) => string} written in the address @param {(at: number) => string} says */
    slide(name, [at, many], written, says) {
        const input = /** @type {HTMLInputElement} */ (this.sliders.querySelector(`#${name}`));
        const output = /** @type {HTMLOutputElement} */ (input.previousElementSibling);
        const say = () => {
            output.textContent = says(Number(input.value));
            input.setAttribute("aria-valuetext", output.textContent);
        };
        input.max = String(many - 1);
        input.disabled = many < 2;
        if (!this.moved) input.value = String(at);
        say();
        input.oninput = () => {
            say();
            this.moved = true;
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => {
                this.moved = false;
                const now = Number(input.value);
                visit(this.address({ [name]: now ? written(now) : "" }), false);
            }, REST);
        };
    }

    /** This address with other words; "" for none. @param {Record<string, string>} words */
    address(words) {
        return withWords(here(), words);
    }

    /** Go where a link of the notebook leads; Back leads to the cell. @param {MouseEvent} event */
    follow(event) {
        const link = /** @type {Element | undefined} */ (event.composedPath()[0])?.closest?.("a");
        const cell = link?.closest('[class*="st-key-cell-"]');
        const own = cell || link?.closest(".cell-head, nav:not(.strip)");
        if (!link || !own || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const name = cell?.querySelector("[data-name]")?.getAttribute("data-name");
        if (name) history.replaceState(history.state, "", this.address({ cell: name }));
        visit(link.pathname + link.search, true);
    }

    /** Bring the cell into sight once the page is seen, and hold it there. @param {string} name @param {number} until */
    find(name, until) {
        if (!this.held || name !== this.cell || this.until.signal.aborted) return;
        const cell = document.querySelector(`[data-name="${name}"]`)?.closest('[class*="st-key-cell-"]');
        if (cell?.checkVisibility({ visibilityProperty: true })) cell.scrollIntoView();
        const grows = cell && document.querySelector("[data-cell=waits]");
        if (grows || performance.now() < until) setTimeout(() => this.find(name, until), LOOK / 4);
    }

    /** Let all cells be computed, as many as there are. */
    all() {
        const feet = document.querySelectorAll("[data-cell]");
        for (const foot of feet) foot.dispatchEvent(new Event("wanted"));
        return feet.length;
    }

    /** Print when all cells are there. */
    handout() {
        const all = this.all();
        const look = () => {
            if (this.until.signal.aborted) return;
            const left = document.querySelectorAll("[data-cell]:not([data-cell=there])").length;
            this.print.textContent = left ? `Print: ${all - left} of ${all}` : "Print";
            this.print.disabled = left > 0;
            if (left) setTimeout(look, LOOK);
            else print();
        };
        look();
    }
}
