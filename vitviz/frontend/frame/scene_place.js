// The place of a scene: that of the page, built when the page comes; where it cannot be drawn, a sentence.

/** @import { Column } from "../state/column.js" */
/** @import { Make, Selection } from "../types/board.js" */
/** @import { Photo } from "./photo.js" */

const CAN_DRAW = "OffscreenCanvas" in globalThis;
const INSTEAD = "Details (D) hold the same as charts and tables; a newer browser shows it here.";

export class ScenePlace {
    /** @param {HTMLElement} root @param {HTMLElement} cannot @param {Column} column @param {Photo} photo
     *  @param {Map<string, Make>} scenes */
    constructor(root, cannot, column, photo, scenes) {
        this.root = root;
        /** What the root is, whatever stands in it. */
        this.named = root.className;
        this.cannot = cannot;
        this.column = column;
        this.photo = photo;
        this.scenes = scenes;
        /** Page, model and picture of the scene that is built. */
        this.mounted = "";
    }

    /** The scene of a page, built when the page comes. @param {string} stem */
    mount(stem) {
        const { column, root } = this;
        const facts = column.facts.get(stem); // the board is there before Python has said anything of a page
        if (facts && facts !== column.data.facts) column.data = { ...column.data, facts };
        const make = facts && this.scenes.get(stem);
        const key = make ? `${stem} ${column.meta.digest}` : "";
        if (key === this.mounted) return;
        this.mounted = key;
        column.scene?.close?.();
        root.replaceChildren();
        root.className = this.named;
        this.cannot.textContent = `This browser lacks what the pictures are drawn with (OffscreenCanvas). ${INSTEAD}`;
        column.scene = (CAN_DRAW && make?.(root, column, this.photo)) || null;
        if (column.scene) column.scene.page = stem;
        for (const canvas of root.querySelectorAll("canvas")) canvas.setAttribute("aria-describedby", "instead");
    }

    /** A scene that fails says so here, and leaves the rest of the board as it is. @param {Selection} shown */
    draw(shown) {
        try {
            this.column.scene?.draw(shown);
            const { refusal } = this.column;
            if (refusal) this.cannot.textContent = refusal;
            this.cannot.hidden = CAN_DRAW && !refusal;
        } catch (error) {
            console.error(error);
            this.cannot.textContent = `This cannot be drawn here. ${INSTEAD}`;
            this.cannot.hidden = false;
        }
    }
}
