// The beginning: what this is, Start, a photo of one's own, a lesson, and pictures to choose from.

/** @import { Column } from "#frontend/state/column.js" */

import { buttonFor, element } from "#frontend/draw/elements.js";
import { taps, toHand } from "#frontend/draw/touch.js";
import { ofLecture } from "#frontend/state/address.js";
import { visit } from "#frontend/transport/inbox.js";
import { home } from "#frontend/transport/words.js";

/** A long lesson and a short one, with the links to their beginnings.
 *  @typedef {{ title: string, link: string, short: string, short_link: string }} Offered */
/** @typedef {{ samples?: [string, string][], sample?: string, with_classes?: string, tour: Offered | null }} Facts */

const SAYS =
    "This is a Vision Transformer: a model that cuts a picture into squares, lets every square look at all others, ";
const SAYS_AT_LAST = "and then says what it sees.";
const GATHERS = "and gathers what it sees in numbers; it has no words for it.";
const OWN = "Your picture is in. Move over it; Start opens the model step by step.";

export class Start {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.says = element("p");
        this.why = element("span");
        this.other = buttonFor("", () => column.board.sidebar?.chooseOtherModel());
        this.fetches = buttonFor("", () => column.board.sidebar?.chooseWithClasses());
        this.match = element("p", { class: "match" }, this.why, " ", this.other, " ", this.fetches);
        this.pictures = element("div", { class: "pictures", role: "group", "aria-label": "Pictures" });
        const file = element("input", { type: "file", accept: "image/*", hidden: "" });
        file.addEventListener("change", () => {
            if (file.files?.length) column.board.sidebar?.chooseUpload(file.files[0]);
            file.value = "";
        });
        const ways = taps() ? "Your own photo" : "Your own photo: drop or paste it anywhere, or click to choose";
        const zone = buttonFor(ways, () => file.click(), { class: "zone" });
        const go = buttonFor("Start ›", () => column.choose({ moment: "stages" }), { class: "go" });
        const { tour } = this.facts;
        this.tour = element("p", { class: "tour" });
        if (tour)
            this.tour.append(
                "As a lesson: ",
                lesson(`${tour.title} ›`, tour.link),
                " ",
                lesson(`or ${tour.short} ›`, tour.short_link),
            );
        this.root = element(
            "div",
            { class: "start" },
            this.says,
            this.match,
            element("div", { class: "on" }, go, zone, file),
            this.tour,
            this.pictures,
        );
        this.written = "";
    }

    get facts() {
        return /** @type {Facts} */ (this.column.data.facts);
    }

    draw() {
        const { samples = [], sample, with_classes = "" } = this.facts;
        const { match, classes } = this.column.meta;
        this.says.textContent = sample === "own" ? toHand(OWN) : SAYS + (classes ? SAYS_AT_LAST : GATHERS);
        this.match.hidden = !match;
        this.why.textContent = match?.why ?? "";
        this.other.textContent = match ? `${match.label[0].toUpperCase()}${match.label.slice(1)}` : "";
        this.fetches.textContent = with_classes;
        this.fetches.hidden = !with_classes;
        this.tour.hidden = !this.facts.tour || ofLecture();
        const written = JSON.stringify(samples);
        if (written !== this.written) this.write(samples);
        this.written = written;
        for (const [place, button] of [...this.pictures.children].entries())
            button.ariaPressed = String(samples[place][0] === sample);
    }

    /** @param {[string, string][]} samples */
    write(samples) {
        const small = getComputedStyle(document.documentElement); // the small pictures stand in the page's style
        this.pictures.replaceChildren(
            ...samples.map(([id, title], place) => {
                const button = element("button", { type: "button", title }, element("span", {}, title));
                const url = small.getPropertyValue(`--sample-${id}`).match(/"(.+)"/)?.[1];
                if (url) button.prepend(element("img", { alt: "", src: url }));
                button.addEventListener("click", () => this.column.board.sidebar?.chooseSample(place + 1));
                return button;
            }),
        );
    }
}

/** A link to the beginning of a lesson. @param {string} text @param {string} to */
function lesson(text, to) {
    const link = element("a", { href: to }, text);
    link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        visit(home() + to, true);
    });
    return link;
}
