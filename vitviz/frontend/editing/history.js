// What is changed now, and what was: undo, redo, reset, and the list in words, each with a button that takes it back.

/** @import { Column } from "../state/column.js" */
/** @import { Edit } from "../edits/edits.js" */
/** @import { ActionOf } from "../types/board.js" */

import { buttonFor, element } from "../draw/elements.js";
import { doing, inOrder, read, take, textOf, write } from "../edits/edits.js";
import { inWords } from "../edits/words.js";
import { acting, PRESSED, shownOf, titleOf } from "../state/actions.js";

const MOST = 200; // steps that can be taken back
/** @param {"undo" | "redo" | "reset"} label @param {...string} keys @returns {ActionOf<History>} */
const step = (label, ...keys) => ({
    keys,
    shown: keys[0].toUpperCase(),
    label,
    perform: (history) => history[label](),
});
const STEPS = { undo: step("undo", "z"), redo: step("redo", "y", "Z"), reset: step("reset", "0") };

const needsSecond = doing("second");

export class History {
    /** @param {Column} column @param {(edits: string) => void} changed is told at once, before the next frame */
    constructor(column, changed) {
        this.column = column;
        this.changed = changed;
        /** @type {string[]} */
        this.past = [];
        /** @type {string[]} */
        this.future = [];
        this.actions = acting(STEPS, this);
        this.acts = Object.values(this.actions).map((action) => {
            const key = element("kbd", { "aria-hidden": "true" }, shownOf(action));
            const named = { "aria-label": action.label, title: titleOf(action) };
            return buttonFor([key, action.label], () => action.perform(PRESSED), named);
        });
        this.buttons = element("span", { class: "undo", role: "group", "aria-label": "steps" }, ...this.acts);
        this.list = element("ul", { class: "edits", "aria-label": "What is changed" });
        const unfold = () => this.unfold(!this.listed.classList.contains("all"));
        this.more = buttonFor("", unfold, { "aria-expanded": "false" });
        this.listed = element("div", { class: "listed" }, this.list, this.more);
        this.list.addEventListener("focusin", ({ target }) => {
            if (/** @type {Element} */ (target).matches(":focus-visible")) this.unfold(true);
        });
        this.written = "nothing";
    }

    /** @param {string} text @returns {Edit[]} */
    read(text) {
        return inOrder(read(text, this.column.meta), this.column.meta);
    }

    /** What is chosen now, in the order of its text. */
    get edits() {
        return this.read(this.column.chosen.edits);
    }

    /** Change something, as a step of its own. @param {Edit[]} edits */
    set(edits) {
        this.begin();
        this.during(edits);
    }

    /** The hand begins to drag: all that follows is one step. */
    begin() {
        this.past = [...this.past.slice(-MOST), this.column.chosen.edits];
        this.future = [];
    }

    /** Change something within a step. @param {Edit[]} edits */
    during(edits) {
        const text = write(edits, this.column.meta);
        if (text !== this.column.chosen.edits) this.go(text, this.donor(edits));
    }

    /** @param {string} text @param {{ donor?: string }} [donor] */
    go(text, donor = {}) {
        this.column.choose({ edits: text, measured: "no", ...donor });
        this.changed(text);
    }

    /** Edits that take something from the second picture name it in the address. @param {Edit[]} edits */
    donor(edits) {
        const { donor } = this.column.chosen;
        return edits.some(needsSecond) && !donor ? { donor: String(this.column.data.facts.second) } : {};
    }

    undo() {
        const { edits } = this.column.chosen;
        while (this.past.at(-1) === edits) this.past.pop(); // steps that changed nothing
        const before = this.past.pop();
        if (before === undefined) return;
        this.future.push(edits);
        this.go(before);
    }

    redo() {
        const next = this.future.pop();
        if (next === undefined) return;
        this.past.push(this.column.chosen.edits);
        this.go(next);
    }

    reset() {
        if (this.column.chosen.edits) this.set([]);
    }

    /** @param {string} shown */
    draw(shown) {
        const { edits } = this.column.chosen;
        const [undoing, redoing, resetting] = this.acts;
        undoing.disabled = !this.past.some((text) => text !== edits);
        redoing.disabled = !this.future.length;
        resetting.disabled = !edits;
        if (shown !== this.written) this.write(shown);
        this.written = shown;
        const lines = /** @type {HTMLElement[]} */ ([...this.list.children]);
        const hidden = lines.filter((it) => it.offsetTop - this.list.offsetTop >= this.list.clientHeight).length;
        if (!hidden && this.listed.classList.contains("all") && lines.length < 2) this.unfold(false);
        const open = this.listed.classList.contains("all");
        this.more.hidden = !hidden && !open;
        this.more.textContent = open ? "less" : `${hidden} more`;
    }

    /** Show all that is changed, over what stands below, or as many as have room. @param {boolean} all */
    unfold(all) {
        this.listed.classList.toggle("all", all);
        this.more.ariaExpanded = String(all);
        this.column.invalidate();
    }

    /** @param {string} shown */
    write(shown) {
        const { meta } = this.column;
        this.list.replaceChildren(
            ...this.read(shown).map((edit) => {
                const words = inWords(edit, meta);
                const button = buttonFor("✕", () => this.set(take(this.edits, edit)), {
                    "aria-label": `take back: ${words}`,
                });
                return element("li", { "data-edit": textOf(edit) }, words, " ", button);
            }),
        );
    }
}
