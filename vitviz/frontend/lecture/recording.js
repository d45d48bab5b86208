// Keeping views as the steps of a lesson, and writing them as the file that the app reads.

import { buttonFor, element } from "../draw/elements.js";
import { FIRST } from "../schema/pages.js";
import { placeOf } from "../state/moments.js";
import { storage } from "./kept.js";

/** @import { Lecture } from "./lecture.js" */

/** What was recorded. @typedef {{ title: string, steps: { view: string, says: string }[] }} Recorded */

export const LONGEST = { title: 80, says: 200 }; // letters

/** A text as TOML writes it: as JSON does, but for what JSON leaves as it is and TOML refuses. @param {string} text */
export function quoted(text) {
    const whole = text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
    return JSON.stringify(whole).replace(/\x7f/g, "\\u007f");
}

/** @param {Recorded} recorded */
export function toml({ title, steps }) {
    const written = steps.map(({ view, says }) => {
        const line = says.trim().replace(/\s+/g, " ");
        return `[[step]]\nview = ${quoted(view.startsWith("?") || !view ? FIRST + view : view)}\nsays = ${quoted(line || "…")}\n`;
    });
    return [`title = ${quoted(title.trim() || "My lesson")}\n`, ...written].join("\n");
}

const KEPT = "vitviz_recording"; // in the tab's own storage
const TITLE = "My lesson";

export class Recording {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        this.storage = storage("sessionStorage");
        /** @type {Recorded} */
        this.kept = JSON.parse(this.storage.getItem(KEPT) ?? "null") ?? { title: TITLE, steps: [] };
        this.open = false;
        this.title = element("input", { "aria-label": "Title", maxlength: String(LONGEST.title) });
        this.title.value = this.kept.title;
        this.title.addEventListener("input", () => this.change({ ...this.kept, title: this.title.value }));
        this.list = element("ol");
        this.download = buttonFor("Download the lesson", () => this.give());
        this.root = element(
            "section",
            { class: "lecture-recording", "aria-label": "Views that are kept", hidden: "" },
            element("p", {}, this.title, this.download),
            this.list,
        );
        this.root.addEventListener("keydown", ({ key }) => ["Enter", "Escape"].includes(key) && this.fold());
        this.write();
    }

    get many() {
        return this.kept.steps.length;
    }

    /** Keep what is on screen as the next step; what is said there now stands for what will be said. */
    keep() {
        const { board, view } = this.lecture;
        const { data, stage, chosen } = board.first;
        const page = data.others.find(({ stem }) => stem === chosen.page);
        const moment = stage?.moments[placeOf(stage.moments, chosen.moment)];
        const says = moment?.sentence ?? page?.title ?? "";
        const plain = says.replace(/[{}]/g, "").slice(0, LONGEST.says);
        this.change({ ...this.kept, steps: [...this.kept.steps, { view, says: plain }] });
        this.open = true;
        this.write();
        board.invalidate();
        const field = this.list.querySelector("li:last-child input");
        requestAnimationFrame(() => /** @type {HTMLInputElement | null} */ (field)?.select());
    }

    /** @param {number} step from 0 */
    drop(step) {
        this.change({ ...this.kept, steps: this.kept.steps.filter((_, at) => at !== step) });
        this.write();
        this.lecture.board.invalidate();
    }

    /** @param {Recorded} kept */
    change(kept) {
        this.kept = kept;
        this.storage.setItem(KEPT, JSON.stringify(kept));
    }

    turn() {
        this.open = !this.open;
        this.lecture.board.invalidate();
    }

    fold() {
        this.open = false;
        /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
        this.lecture.board.invalidate();
    }

    write() {
        const rows = this.kept.steps.map(({ view, says }, at) => {
            const field = element("input", {
                "aria-label": `What is said at step ${at + 1}`,
                maxlength: String(LONGEST.says),
            });
            field.value = says;
            field.addEventListener("input", () => {
                const steps = this.kept.steps.map((step, it) => (it === at ? { ...step, says: field.value } : step));
                this.change({ ...this.kept, steps });
            });
            const drop = buttonFor("×", () => this.drop(at), { "aria-label": `Delete step ${at + 1}` });
            return element("li", {}, element("div", {}, field, drop), element("small", {}, view || "the first page"));
        });
        this.list.replaceChildren(...rows);
        this.download.disabled = !rows.length;
    }

    /** The file, as a download. */
    give() {
        const href = URL.createObjectURL(new Blob([toml(this.kept)], { type: "application/toml" }));
        element("a", { href, download: "lesson.toml" }).click();
        setTimeout(() => URL.revokeObjectURL(href), 1000);
    }

    draw() {
        this.root.hidden = !this.open || !this.lecture.words.record;
    }
}
