// The beginning: what this is, which picture, and Start.

/** @import { Board } from "../../state/board.js" */

import { element } from "../../draw/elements.js";
import { chooseSample, chooseUpload } from "../../streamlit.js";
import { Tour } from "./tour.js";

/** @typedef {{ samples?: [string, string][], sample?: string, tour?: import("./tour.js").Offered }} Facts */

const SAYS =
    "A model that cuts a picture into squares, lets every square look at all others, and then says what it sees. " +
    "You will open it step by step: every number on screen is computed from this model on your picture.";

export class Start {
    /** @param {Board} board */
    constructor(board) {
        this.board = board;
        this.pictures = element("div", { class: "pictures", role: "group", "aria-label": "Pictures" });
        const file = element("input", { type: "file", accept: "image/*", hidden: "" });
        file.addEventListener("change", () => {
            if (file.files?.length) chooseUpload(file.files[0]);
            file.value = "";
        });
        const zone = element(
            "button",
            { type: "button", class: "zone" },
            "Drop a photo anywhere, or click to choose a file",
        );
        zone.addEventListener("click", () => file.click());
        const go = element("button", { type: "button", class: "go" }, "Start ›");
        go.addEventListener("click", () => board.choose({ moment: 1 }));
        this.tour = new Tour();
        this.root = element(
            "div",
            { class: "start" },
            element("p", {}, SAYS),
            this.pictures,
            element("div", { class: "on" }, zone, file, go),
            this.tour.root,
        );
        this.written = "";
    }

    draw() {
        const { samples = [], sample, tour } = /** @type {Facts} */ (this.board.data.facts);
        this.tour.draw(tour);
        const written = JSON.stringify(samples);
        if (written !== this.written) this.write(samples);
        this.written = written;
        for (const [place, button] of [...this.pictures.children].entries())
            button.setAttribute("aria-pressed", String(samples[place][0] === sample));
    }

    /** @param {[string, string][]} samples */
    write(samples) {
        const small = getComputedStyle(document.documentElement); // the small pictures stand in the page's style
        this.pictures.replaceChildren(
            ...samples.map(([id, title], place) => {
                const button = element("button", { type: "button", title }, element("span", {}, title));
                const url = small.getPropertyValue(`--sample-${id}`).match(/"(.+)"/)?.[1];
                if (url) button.prepend(element("img", { alt: "", src: url }));
                button.addEventListener("click", () => chooseSample(place + 1));
                return button;
            }),
        );
    }
}
