// Two columns on the board: one bar of controls, the first and the second model or picture, and what differs.

/** @import { Board } from "../state/board.js" */
/** @import { Photo } from "../frame/photo.js" */
/** @import { Specials } from "../frame/specials.js" */
/** @import { Steps } from "../frame/steps.js" */
/** @import { Difference, Make } from "../types/board.js" */

import { element, fillWithRoles, saying } from "../draw/elements.js";
import { Photo as SecondPhoto } from "../frame/photo.js";
import { ScenePlace } from "../frame/scene_place.js";
import { ColumnHeads } from "./column_heads.js";
import { differs } from "./place.js";
import { Second } from "./second.js";

/** The parts of the first column that stand in the bar while there are two.
 *  @typedef {{ board: Board, photo: Photo, specials: Specials, steps: Steps, sceneRoot: HTMLElement }} First */

export class Columns {
    /** The second column's board. @param {Board} board */
    static second(board) {
        return new Second(board);
    }

    /** @param {First} first @param {Second} second @param {Map<string, Make>} scenes
     *  @param {Record<string, Difference>} differences what draws the difference of a page, by its stem */
    constructor(first, second, scenes, differences) {
        this.first = first;
        this.second = second;
        this.differences = differences;
        this.stage = /** @type {HTMLElement} */ (first.sceneRoot.parentElement);
        this.heads = new ColumnHeads(first.board, second);
        this.canvas = element("canvas", { role: "img" });
        this.readout = element("span", { class: "readout" });
        this.figure = element(
            "figure",
            { class: "photo second" },
            this.canvas,
            element("figcaption", {}, this.readout),
        );
        this.root = element("div", { class: "scene second" });
        this.cannot = element("p", { class: "cannot second", role: "alert", hidden: "" });
        this.waits = element("p", { class: "waits", role: "status" });
        this.photo = new SecondPhoto(this.canvas, second.column);
        this.place = new ScenePlace(this.root, this.cannot, second.column, this.photo, scenes);
        this.bar = element("div", { class: "controls" });
        this.notes = element("p", { class: "notes" });
        this.strip = element("section", { class: "difference", "aria-label": "Difference, B minus A" });
        /** The difference of the page that is shown, and of which page. @type {{ draw(): void } | null} */
        this.difference = null;
        this.of = "";
        /** The controls of the first scene, while they stand in the bar. @type {HTMLElement | undefined} */
        this.controls = undefined;
        this.parts = [this.bar, ...this.heads.roots, this.figure, this.root, this.cannot, this.waits, this.strip];
        this.stage.append(...this.parts);
        this.stage.setAttribute("data-columns", "");
        const { specials, steps } = first;
        /** Where the controls stood: in the first column. */
        this.from = /** @type {HTMLElement} */ (steps.root.parentElement);
        this.bar.append(specials.root, steps.root, steps.holding);
        this.resized = new ResizeObserver(() => first.board.invalidate());
        this.resized.observe(this.root);
    }

    /** The digest of what the second column shows, "" as long as it shows nothing. */
    get digest() {
        return this.place.mounted ? this.second.column.parcels.digest : "";
    }

    draw() {
        const { second, photo, place } = this;
        const { column } = second;
        const { board } = this.first;
        const stem = board.store.chosen.page;
        this.heads.draw();
        this.takeControls();
        const ready = second.ready && column.facts.has(stem);
        this.waits.hidden = ready;
        this.waits.textContent = this.why(stem);
        this.figure.hidden = this.root.hidden = this.strip.hidden = !ready;
        if (!ready) return;
        photo.bare = this.first.photo.bare;
        place.mount(stem);
        photo.bring();
        photo.clear();
        const shown = column.shown;
        place.draw(shown);
        photo.draw();
        fillWithRoles(this.readout, column.scene?.readout?.(shown) ?? "", board.first.data.palette);
        this.canvas.ariaLabel = column.meta.picture.alt;
        this.compare(stem);
    }

    /** Why the second column shows nothing. @param {string} stem */
    why(stem) {
        const { second } = this;
        const why = second.setup.says || (second.last?.page === stem ? second.failed : "");
        return why ? `${why.replace(/\.$/, "")}. The first column stays.` : "B is on its way.";
    }

    /** What differs, below both. @param {string} stem */
    compare(stem) {
        const { second, strip } = this;
        const { column } = second;
        const { board } = this.first;
        const of = `${stem} ${board.first.parcels.digest} ${column.parcels.digest}`;
        if (of !== this.of) {
            strip.replaceChildren();
            this.difference = this.differences[stem]?.difference(strip, board.first, column) ?? null;
            strip.append(this.notes);
        }
        this.of = of;
        this.difference?.draw();
        const { caveat } = column.meta;
        const notes = [
            ...differs(board.store.shown, board.first.meta, column.meta),
            ...second.setup.notes.map((it) => `B: ${it}.`),
        ];
        notes.push(second.keeps(board.store.chosen.moment === this.differences[stem]?.LEARNED));
        if (caveat) notes.push(`B: ${caveat}`);
        const text = notes.filter(Boolean).join(" ");
        saying(this.notes, text);
        this.notes.hidden = !text;
    }

    /** The first scene's own controls stand once, for both. */
    takeControls() {
        const { controls } = this.first.board.first.scene ?? {};
        if (controls === this.controls) return;
        this.controls?.remove();
        this.controls = controls;
        if (controls) this.bar.append(controls);
    }

    close() {
        const { specials, steps, sceneRoot, board } = this.first;
        this.from.prepend(steps.holding, steps.root, specials.root);
        if (this.controls) sceneRoot.firstElementChild?.append(this.controls);
        for (const part of this.parts) part.remove();
        this.stage.removeAttribute("data-columns");
        const { column } = this.second;
        column.scene?.close?.();
        column.scene = null;
        this.resized.disconnect();
        board.invalidate();
    }
}
