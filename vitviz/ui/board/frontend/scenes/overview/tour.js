// A lesson as a guided tour: offered to a newcomer on the front page, once in a browser.

import { element } from "../../draw/elements.js";
import { home, visit } from "../../state/address.js";

/** @typedef {{ title: string, link: string, short: string, short_link: string }} Offered */

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
        this.long = this.link();
        this.short = this.link();
        const no = element("button", { type: "button", "aria-label": "No tour" }, "×");
        no.addEventListener("click", () => {
            this.past();
            this.root.hidden = true;
        });
        this.root = element("p", { class: "tour", hidden: "" }, "New here? ", this.long, " ", this.short, no);
    }

    link() {
        const link = element("a", {});
        link.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            this.past();
            visit(home() + link.getAttribute("href"), true);
        });
        return link;
    }

    /** @param {Offered | undefined} tour */
    draw(tour) {
        const within = /[?&](lesson|room|record)=/.test(location.search);
        this.root.hidden = this.offered || within || !tour;
        if (!tour || this.root.hidden) return;
        this.long.textContent = `${tour.title}, as a guided tour ›`;
        this.long.setAttribute("href", tour.link);
        this.short.textContent = `or ${tour.short} ›`;
        this.short.setAttribute("href", tour.short_link);
    }

    /** It was taken or put away, or somebody has gone on without it. */
    past() {
        if (this.offered || this.root.hidden) return;
        this.offered = true;
        this.kept?.setItem(KEPT, "offered");
    }
}
