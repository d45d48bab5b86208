// The brush: patches of the photo are hidden, painted over, swapped or shuffled, and the photo shows what became of it.

/** @import { Photo } from "#frontend/frame/photo.js" */
/** @import { Column } from "#frontend/state/column.js" */
/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { History } from "#frontend/editing/history.js" */
/** @import { Action } from "#frontend/types/board.js" */

import { buttonFor, element } from "#frontend/draw/elements.js";
import { tokenName } from "#frontend/draw/text.js";
import { ALL, put, take, whatAt } from "#frontend/edits/edits.js";
import { painted } from "./painted.js";

/** What a stroke does: its name on the button, the end of the word that it writes, and what that means. */
const TOOLS = /** @type {const} */ ([
    ["hide", "", "no token may attend to it"],
    ["remove", "=removed", "its token is deleted"],
    ["grey", "=grey", "its pixels turn grey"],
    ["blur", "=blur", "its pixels take their mean colour"],
    ["paste", "=paste", "its pixels come from the second picture"],
    ["swap", "swap", "drag from one patch to another"],
]);

export class Brush {
    /** @param {Column} column @param {Photo} photo @param {History} history */
    constructor(column, photo, history) {
        this.column = column;
        this.photo = photo;
        this.history = history;
        this.tool = 0;
        /** The patch where a stroke is now, whether it takes away, and where it began.
         *  @type {{ at: number, erases: boolean, from: number } | null} */
        this.stroke = null;
        this.tools = TOOLS.map(([name, , says], at) => {
            return buttonFor(
                name,
                () => {
                    this.tool = at;
                    column.invalidate();
                },
                { title: says },
            );
        });
        this.means = element("p", { class: "means" });
        this.here = buttonFor("", () => this.dab());
        this.root = element(
            "div",
            { class: "brush" },
            element("p", { class: "hint" }, "Paint on the photo; over a painted patch the brush takes away."),
            element("p", { class: "tools", role: "group", "aria-label": "Brush" }, ...this.tools),
            this.means,
            element(
                "p",
                { class: "tools" },
                this.here,
                buttonFor("all other patches", () => this.invert()),
                buttonFor("shuffle all", () => this.shuffle()),
                buttonFor("clean the photo", () => this.clean()),
            ),
        );
    }

    get what() {
        return TOOLS[this.tool][1];
    }

    /** @param {Edit[]} edits @param {boolean} active @param {CanvasImageSource | null} second */
    draw(edits, active, second) {
        const { photo, column } = this;
        this.tools[4].hidden = !second;
        for (const [at, button] of this.tools.entries()) button.ariaPressed = String(at === this.tool);
        this.means.textContent = `${TOOLS[this.tool][0]}: ${TOOLS[this.tool][2]}`;
        const token = column.meta.prefix.length + column.patchOf(column.chosen);
        this.here.textContent =
            this.what === "swap" ? "swap with the next" : `${TOOLS[this.tool][0]} ${tokenName(column.meta, token)} (I)`;
        if (photo.picture) photo.view = painted(photo.picture, second, edits, column.meta);
        if (!active) return;
        photo.grid = true;
        photo.chooses = null;
        photo.paints = (at, phase) => this.paint(at - column.meta.prefix.length, phase);
        if (this.stroke && this.what === "swap") {
            const first = column.meta.prefix.length;
            const colour = column.data.palette.chosen;
            photo.frames = [this.stroke.from, this.stroke.at].map((patch) => ({ token: first + patch, colour }));
        }
    }

    /** @param {number} patch @param {"first" | "on" | "end"} phase */
    paint(patch, phase) {
        const { history } = this;
        if (phase === "first") {
            const erases = this.what !== "swap" && whatAt(history.edits, "p", ALL, patch) === this.what;
            this.stroke = { at: patch, erases, from: patch };
            if (this.what !== "swap") history.begin();
        }
        const { stroke } = this;
        if (!stroke) return;
        if (this.what === "swap") {
            stroke.at = patch;
            if (phase === "end" && patch !== stroke.from) history.set(this.swapped(stroke.from, patch));
        } else if (phase !== "end") {
            const edits = this.between(stroke.at, patch).reduce(
                (all, at) => this.with(all, at, stroke.erases),
                history.edits,
            );
            stroke.at = patch;
            history.during(edits);
        }
        if (phase === "end") this.stroke = null;
        this.column.invalidate();
    }

    /** The patches on the way of a quick hand. @param {number} from @param {number} to */
    between(from, to) {
        const { columns } = this.column.meta;
        const [x, y] = [from % columns, Math.floor(from / columns)];
        const [across, down] = [(to % columns) - x, Math.floor(to / columns) - y];
        const steps = Math.max(Math.abs(across), Math.abs(down), 1);
        return Array.from(
            { length: steps + 1 },
            (_, at) => Math.round(y + (down * at) / steps) * columns + Math.round(x + (across * at) / steps),
        );
    }

    /** @param {number} patch */
    edit(patch, what = this.what) {
        return /** @type {Edit} */ ({ letter: "p", layer: ALL, prefix: false, first: patch, last: patch, what });
    }

    /** @param {Edit[]} edits @param {number} patch @param {boolean} erases */
    with(edits, patch, erases) {
        const edit = this.edit(patch);
        return erases ? take(edits, edit) : put(edits, edit, this.column.meta);
    }

    /** @param {number} one @param {number} other @returns {Edit[]} */
    swapped(one, other) {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const edit = { letter: "i", layer: ALL, prefix: false, first, last: first, what: `=${second + 1}` };
        const same = whatAt(this.history.edits, "i", ALL, first) === edit.what;
        return same ? take(this.history.edits, edit) : put(this.history.edits, edit, this.column.meta);
    }

    /** @returns {Record<string, Action>} */
    get actions() {
        return { paint: { keys: ["i", "I"], label: "paint the chosen patch", perform: () => this.dab() } };
    }

    /** What a stroke would do to the chosen patch alone: for the keyboard. */
    dab() {
        const patch = this.column.patchOf(this.column.chosen);
        const { history } = this;
        if (this.what === "swap") return history.set(this.swapped(patch, (patch + 1) % this.column.meta.patches));
        history.set(this.with(history.edits, patch, whatAt(history.edits, "p", ALL, patch) === this.what));
    }

    /** Paint what is not painted, and the other way round. */
    invert() {
        if (this.what === "swap") this.tool = 0;
        const before = this.history.edits;
        const is = Array.from(
            { length: this.column.meta.patches },
            (_, at) => whatAt(before, "p", ALL, at) !== undefined,
        );
        const others = is.reduce((edits, painted, at) => this.with(edits, at, painted), this.bare(before));
        this.history.set(is.includes(true) ? others : before);
    }

    /** @param {Edit[]} edits */
    bare(edits) {
        return edits.filter(({ letter }) => letter !== "p");
    }

    /** Another order every time. */
    shuffle() {
        const now = whatAt(this.history.edits, "i") ?? "=shuffled@0";
        const what = `=shuffled@${Number(now.split("@")[1] ?? 0) + 1}`;
        const edit = { letter: "i", layer: ALL, prefix: false, first: ALL, last: ALL, what };
        this.history.set(put(this.history.edits, edit, this.column.meta));
    }

    clean() {
        this.history.set(this.bare(this.history.edits).filter(({ letter }) => letter !== "i"));
    }
}
