// The switchboard: a row per layer, a switch per head, for attention and for the MLP; the row's name switches its block.
// A click switches off and on, a drag scales from 0 to 2, with Shift the mean takes its place, with Alt it stays alone.

/** @import { Column } from "../state/column.js" */
/** @import { Edit } from "../edits/edits.js" */
/** @import { Action } from "../types/board.js" */
/** @import { History } from "./history.js" */

import { element, saying } from "../draw/elements.js";
import { ARROWS, way } from "../draw/touch.js";
import { put, take, whatAt, written } from "../edits/edits.js";
import { coveredBy } from "../edits/effects.js";

export const HINT = "click: off and on · drag: 0 to 2 · Shift: mean · Alt: only this one";
const SLOP = 5; // pixels that a click may move
const UNIT = 60; // pixels of a drag from 0 to 1
const STEP = 0.1; // of a key
const MOST = 2;
const MOVE = 999; // switches: more than a row has
const NAMES = { h: "head", a: "attention", m: "MLP", b: "block" };

/** Where a switch stands: `head` is -1 for what a layer has once. @typedef {{ letter: "h" | "a" | "m" | "b", layer: number,
 *  head: number }} Place */

export class Switchboard {
    /** @param {Column} column @param {History} history */
    constructor(column, history) {
        this.column = column;
        this.history = history;
        this.root = element("table", { class: "switchboard", role: "grid", "aria-label": "Switches of the model" });
        /** @type {{ place: Place, button: HTMLButtonElement }[]} */
        this.switches = [];
        /** Row and column that have the focus. */
        this.at = { row: 0, column: 0 };
        this.written = "";
        this.root.title = HINT;
    }

    /** Whether there is no room for words. */
    get many() {
        return this.column.meta.heads > 6 || this.column.meta.depth > 8;
    }

    /** Columns of a row: the block, its heads, attention, MLP. @param {number} layer @returns {Place[]} */
    row(layer) {
        const heads = Array.from({ length: this.column.meta.heads }, (_, head) => ({ letter: "h", layer, head }));
        const once = (/** @type {string} */ letter) => ({ letter, layer, head: -1 });
        return /** @type {Place[]} */ ([once("b"), ...heads, once("a"), once("m")]);
    }

    /** @param {Edit[]} edits @param {{ layer: number, head: number }} shown */
    draw(edits, shown) {
        const { depth, heads, digest } = this.column.meta;
        if (this.written !== digest) this.write();
        this.written = digest;
        for (const { place, button } of this.switches) {
            const what = whatAt(edits, place.letter, place.layer, place.head) ?? "*1";
            const covered = coveredBy(edits, place);
            const mean = what.startsWith("=mean");
            const scale = mean ? 1 : Number(what.slice(1));
            button.style.setProperty("--filled", String(Math.min(1, scale)));
            button.className = `${place.letter} ${mean ? "mean" : scale === 0 ? "off" : ""} ${covered ? "gone" : ""}`;
            const text = mean ? "mean" : scale === 1 ? covered && "off" : scale === 0 ? "off" : written(scale);
            const label = place.letter === "b" ? `${place.layer + 1}` : "";
            const says = label && text && !this.many ? `${label} ${text}` : label || text;
            saying(button, says);
            button.ariaChecked = String(scale !== 0 && !covered);
            const state = mean ? "at its mean" : scale === 1 ? "on" : scale === 0 ? "off" : `times ${written(scale)}`;
            button.title = covered && `no effect, ${covered}`;
            button.ariaLabel = `${this.name(place)}: ${button.title || state}`;
            const seen = place.letter === "h" && place.layer === shown.layer && place.head === shown.head;
            button.toggleAttribute("data-chosen", seen && heads * depth > 1);
        }
    }

    /** @param {Place} place */
    name({ letter, layer, head }) {
        return letter === "h" ? `head ${head + 1} of layer ${layer + 1}` : `${NAMES[letter]} of layer ${layer + 1}`;
    }

    write() {
        const { depth, heads } = this.column.meta;
        const head = element(
            "tr",
            {},
            element("th", { scope: "col" }, "layer"),
            ...Array.from({ length: heads }, (_, at) =>
                element("th", { scope: "col" }, at ? `${at + 1}` : heads > 6 ? "1" : "head 1"),
            ),
            element("th", { scope: "col" }, "attn."),
            element("th", { scope: "col" }, "MLP"),
        );
        this.switches = [];
        const rows = Array.from({ length: depth }, (_, layer) =>
            element(
                "tr",
                {},
                ...this.row(layer).map((place, column) => {
                    const button = element("button", { type: "button", role: "switch", tabindex: "-1" });
                    this.listen(button, place);
                    this.switches.push({ place, button });
                    button.addEventListener("focus", () => this.focus(layer, column, false));
                    return element(column ? "td" : "th", column ? {} : { scope: "row" }, button);
                }),
            ),
        );
        this.root.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
        this.root.classList.toggle("many", this.many);
        this.focus(0, 1, false);
    }

    /** @param {HTMLButtonElement} button @param {Place} place */
    listen(button, place) {
        /** Where the hand began, and what it began from. @type {{ x: number, scale: number, drags: boolean } | null} */
        let grip = null;
        button.addEventListener("pointerdown", (event) => {
            if (event.button || event.shiftKey || event.altKey) return;
            button.setPointerCapture(event.pointerId);
            grip = { x: event.clientX, scale: this.scale(place), drags: false };
        });
        button.addEventListener("pointermove", (event) => {
            if (!grip || !(event.buttons & 1)) return;
            const moved = event.clientX - grip.x;
            if (!grip.drags && Math.abs(moved) < SLOP) return;
            if (!grip.drags) this.history.begin();
            grip.drags = true;
            this.history.during(this.scaled(place, grip.scale + moved / UNIT));
        });
        button.addEventListener("pointercancel", () => {
            grip = null;
        });
        button.addEventListener("click", (event) => {
            const dragged = grip?.drags;
            grip = null;
            if (!dragged) this.press(place, event);
        });
    }

    /** @param {Place} place @param {{ shiftKey?: boolean, altKey?: boolean }} event */
    press(place, { shiftKey, altKey }) {
        if (shiftKey && !altKey && place.letter === "b") return; // its parts have means
        if (altKey) this.history.set(this.alone(place));
        else if (shiftKey) this.history.set(this.with(place, "=mean"));
        else this.history.set(this.with(place, this.changed(place) ? "*1" : "*0"));
    }

    /** @param {Place} place */
    edit({ letter, layer, head }, what = "*0") {
        return { letter, layer, prefix: false, first: head, last: head, what };
    }

    /** @param {Place} place */
    changed({ letter, layer, head }) {
        return whatAt(this.history.edits, letter, layer, head) !== undefined;
    }

    /** @param {Place} place */
    scale({ letter, layer, head }) {
        const what = whatAt(this.history.edits, letter, layer, head) ?? "*1";
        return what.startsWith("*") ? Number(what.slice(1)) : 1;
    }

    /** @param {Place} place @param {string} what */
    with(place, what) {
        return put(this.history.edits, this.edit(place, what), this.column.meta);
    }

    /** @param {Place} place @param {number} scale */
    scaled(place, scale) {
        return this.with(place, `*${written(Math.round(Math.max(0, Math.min(MOST, scale)) * 20) / 20)}`);
    }

    /** All others of its kind off: the other heads of its layer, or attention, MLP or block of the other layers.
     *  @param {Place} place */
    alone(place) {
        const { depth, heads, meta } = { ...this.column.meta, meta: this.column.meta };
        const many = place.letter === "h" ? heads : depth;
        const others = Array.from({ length: many }, (_, at) =>
            place.letter === "h" ? { ...place, head: at } : { ...place, layer: at },
        ).filter(({ layer, head }) => layer !== place.layer || head !== place.head);
        const rest = take(this.history.edits, this.edit(place));
        return others.reduce((edits, other) => put(edits, this.edit(other), meta), rest);
    }

    /** While a switch has the focus. @returns {Record<string, Action>} */
    get actions() {
        if (!this.root.matches(":focus-within")) return {};
        const place = this.row(this.at.row)[this.at.column];
        const scale = (/** @type {number} */ step) => this.history.set(this.scaled(place, this.scale(place) + step));
        return {
            switch: { keys: ARROWS, label: "to a switch", perform: ({ key }) => this.move(...way(key)) },
            end: {
                keys: ["Home", "End"],
                label: "to an end",
                perform: ({ key }) => this.move(key === "End" ? MOVE : -MOVE, 0),
            },
            scale: {
                keys: ["+", "=", "-"],
                shown: "+ −",
                label: "its scale",
                perform: ({ key }) => scale(key === "-" ? -STEP : STEP),
            },
            mean: { keys: ["m", "M"], label: "its mean", perform: () => this.press(place, { shiftKey: true }) },
            only: { keys: ["o", "O"], label: "only this one", perform: () => this.press(place, { altKey: true }) },
        };
    }

    /** @param {number} across @param {number} down */
    move(across, down) {
        const { row, column } = this.at;
        const { depth, heads } = this.column.meta;
        this.focus(Math.max(0, Math.min(depth - 1, row + down)), Math.max(0, Math.min(heads + 2, column + across)));
    }

    /** @param {number} row @param {number} column */
    focus(row, column, moves = true) {
        const across = this.column.meta.heads + 3;
        this.at = { row, column };
        for (const [at, { button }] of this.switches.entries()) button.tabIndex = at === row * across + column ? 0 : -1;
        if (moves) this.switches[row * across + column].button.focus();
    }
}
