// A lesson as a guided tour: offered to a newcomer on the front page, once in a browser.

import { element } from "../../draw/elements.js";
import { home, visit } from "../../state/address.js";

const KEPT = "vitviz_tour";

/** What a browser keeps, or nothing where it keeps nothing: then no tour is offered, for it would be again and again. */
function storage() {
    try {
        return localStorage;
    } catch {
        return null;
    }
}

export class Tour {
    constructor() {
        this.kept = storage();
        this.offered = !this.kept || this.kept.getItem(KEPT) !== null;
        this.link = element("a", {});
        this.link.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            this.past();
            visit(home() + this.link.getAttribute("href"), true);
        });
        const no = element("button", { type: "button", "aria-label": "No tour" }, "×");
        no.addEventListener("click", () => {
            this.past();
            this.root.hidden = true;
        });
        this.root = element("p", { class: "tour", hidden: "" }, "New here? ", this.link, no);
    }

    /** @param {{ title: string, link: string } | undefined} tour */
    draw(tour) {
        const within = /[?&](lesson|room|record)=/.test(location.search);
        this.root.hidden = this.offered || within || !tour;
        if (!tour || this.root.hidden) return;
        this.link.textContent = `${tour.title}, as a guided tour ›`;
        this.link.setAttribute("href", tour.link);
    }

    /** It was taken or put away, or somebody has gone on without it. */
    past() {
        if (this.offered || this.root.hidden) return;
        this.offered = true;
        this.kept?.setItem(KEPT, "offered");
    }
}
