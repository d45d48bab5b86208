// The strip across the top: the stages of the model as real links, the present one lit; all other pages in a menu.

/** @import { Board } from "../state/board.js" */

import { buttonFor, element } from "../draw/elements.js";
import { titleOf } from "../state/actions.js";
import { home } from "../transport/words.js";
import { ACTIONS, press } from "./actions.js";

export class Strip {
    /** @param {HTMLElement} root @param {Board} board */
    constructor(root, board) {
        this.root = root;
        this.board = board;
        this.written = "";
        this.picture = element("b");
        this.device = element("span");
        this.model = element("span");
        /** The page whose box was scrolled to. @type {string | undefined} */
        this.shown = undefined;
        root.addEventListener("click", (event) => {
            const link = /** @type {Element} */ (event.target).closest("a[data-stem]");
            if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            this.menu?.removeAttribute("open");
            board.store.go(link.dataset.stem ?? "");
        });
    }

    draw() {
        const { data, local, chosen } = this.board.first;
        const { stages, others, page: here, lit: there = here, picture, model_title, device } = data;
        const written = JSON.stringify([stages, others]);
        const { page } = chosen;
        const lit = page === here ? there : page;
        if (written !== this.written) this.write();
        this.written = written;
        for (const link of this.root.querySelectorAll("a[data-stem]")) {
            const { stem } = /** @type {HTMLElement} */ (link).dataset;
            if (stem === page || stem === lit) link.ariaCurrent = stem === page ? "page" : "step";
            else link.removeAttribute("aria-current");
        }
        this.picture.textContent = picture;
        this.model.textContent = model_title;
        if (this.side) this.side.title = `${picture}, ${model_title}: ${titleOf(ACTIONS.sidebar)}`;
        this.device.textContent = local ? "browser" : device;
        if (lit !== this.shown) requestAnimationFrame(() => this.reveal()); // measured now, the page would be laid out twice
        this.shown = lit;
    }

    /** Scroll the present box into a narrow strip, and nothing else. */
    reveal() {
        const box = this.root.querySelector("a.box[aria-current]");
        const list = this.root.querySelector("ol");
        if (!(box instanceof HTMLElement) || !list) return;
        const [there, here] = [box.getBoundingClientRect(), list.getBoundingClientRect()];
        list.scrollLeft += (there.left + there.right - here.left - here.right) / 2;
    }

    write() {
        const { stages, others } = this.board.first.data;
        const boxes = stages.map((stage) => {
            const link = element(
                "a",
                { href: home() + stage.stem, class: "box" },
                element("b", {}, stage.label),
                element("span", {}, stage.shape),
            );
            link.dataset.stem = stage.stem;
            link.title = stage.title;
            link.style.setProperty("--role", stage.colour);
            return element("li", {}, link);
        });
        /** @type {HTMLElement[]} */
        const chapters = [];
        for (const { begins, stem, title } of others) {
            if (begins) chapters.push(element("div", {}, element("p", {}, begins)));
            const link = element("a", { href: home() + stem }, title);
            link.dataset.stem = stem;
            chapters.at(-1)?.append(link);
        }
        const step = (/** @type {1 | -1} */ by, /** @type {string} */ text, /** @type {string} */ label) => {
            return buttonFor(text, () => this.board.turn(by), { class: "step", "aria-label": label });
        };
        this.menu = element(
            "details",
            { class: "others" },
            element("summary", { "aria-label": "More pages" }, element("span", {}, "More "), "⋯"),
            element("div", { class: "menu" }, ...chapters),
        );
        const bars = element("span", { class: "bars", "aria-hidden": "true" }, "☰");
        const words = element("span", { class: "words" }, this.picture, " ", this.device, " ", this.model);
        this.side = buttonFor([bars, words], () => press(this.board, "sidebar"), { class: "choose" });
        this.root.replaceChildren(
            this.side,
            element("ol", {}, ...boxes),
            this.menu,
            step(-1, "‹", "Back"),
            step(1, "›", "Next"),
        );
    }
}
