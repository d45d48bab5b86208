// The menu of a picture: a link, and files that Python makes when they are asked for. It is fetched when it is first opened.

/** @import { TakeAway } from "../../frame/takeaway.js" */
/** @import { FileAnswer, Place } from "../../types/board.js" */
/** @import { Later } from "./clipboard.js" */

import { element } from "../../draw/elements.js";
import { linkOf } from "../../frame/link.js";
import { Box, focused } from "./box.js";
import { copy } from "./clipboard.js";
import { NAMES, WITH_PICTURE } from "./files.js";
import { Making } from "./making.js";
import { addressOf, cellOf, placesOf } from "./offered.js";

/** @param {TakeAway} takeaway */
export const menu = (takeaway) => new Menu(takeaway);

class Menu {
    /** @param {TakeAway} takeaway */
    constructor(takeaway) {
        this.takeaway = takeaway;
        /** The open menu, and whose it is. @type {{ box: Box, place: Place, before: HTMLElement | null } | null} */
        this.opened = null;
        this.making = new Making(takeaway, this);
        this.status = element("p", { role: "status" });
        this.text = element("div", {});
        /** Whether a picture of the visitor's own goes along. */
        this.tick = element("input", { type: "checkbox" });
    }

    /** Open it, or close it where it is open. @param {HTMLElement} [button] of which picture, if not the first
     *  @returns {boolean} whether there is such a picture */
    open(button) {
        const places = placesOf(this.takeaway);
        const place = button ? places.find((it) => it.button === button) : places[0];
        if (!place) return false;
        const before = this.opened?.before ?? focused(); // gets the focus back
        const again = this.opened?.place.button === place.button;
        this.close();
        if (again) return true;
        const box = new Box(place, (back) => this.close(back));
        this.opened = { box, place, before };
        this.fill(box, place);
        this.stand();
        return true;
    }

    /** @param {Box} box @param {Place} place */
    fill({ root }, place) {
        this.status.textContent = "";
        this.text.replaceChildren();
        const files = Object.entries(NAMES).filter(([what]) => place.files.includes(what));
        const buttons = files.map(([what, name]) => {
            const some = WITH_PICTURE.includes(what) && place.layers ? `, ${place.layers}` : "";
            return { what, button: this.button(name + some, () => this.ask(what)) };
        });
        const ticked = () => {
            for (const { what, button } of buttons)
                button.hidden = Boolean(place.own) && !this.tick.checked && WITH_PICTURE.includes(what);
        };
        this.tick.checked = false;
        this.tick.onchange = ticked;
        ticked();
        root.append(
            this.button("Link", () => this.link()),
            ...(place.cell ? [this.button("See in the notebook", () => this.see(String(place.cell)))] : []),
            ...(place.own ? [element("label", {}, this.tick, " with my picture")] : []),
            ...buttons.map(({ button }) => button),
            ...(place.remade ? [element("p", {}, "The numbers are made on the CPU in float32.")] : []),
            this.status,
            this.text,
        );
    }

    /** Show the open menu in its home. */
    stand() {
        this.opened?.box.stand(this.takeaway.home);
    }

    /** @param {boolean} [back] whether the focus goes back */
    close(back = true) {
        if (!this.opened) return;
        const { box, before } = this.opened;
        this.opened = null;
        this.making.stop();
        box.close();
        if (back) before?.focus();
    }

    /** @param {string} name @param {() => void} act */
    button(name, act) {
        const made = element("button", { type: "button" }, name);
        made.addEventListener("click", () => made.getAttribute("aria-disabled") === "true" || act());
        return made;
    }

    /** @param {string} text */
    say(text) {
        this.status.textContent = text;
        this.opened?.box.put();
    }

    /** @param {boolean} on */
    busy(on) {
        this.opened?.box.busy(on);
    }

    /** Copy the address of all that is seen. */
    link() {
        const own = this.opened?.place.own ? " The picture itself is not in it: others see a sample in its place." : "";
        const field = element("input", { type: "text", readonly: "", "aria-label": "Link" });
        this.copy(linkOf(addressOf(this.takeaway).href), field, `The link is copied.${own}`);
    }

    /** Go to the cell of what is seen, in the notebook. @param {string} cell where that of the page is */
    see(cell) {
        const to = cellOf(this.takeaway, cell);
        this.close(false);
        this.takeaway.visit(to, true);
    }

    /** A text to cite has come. @param {string} text @param {Later} clipboard */
    cite(text, clipboard) {
        const field = element("textarea", { readonly: "", "aria-label": "Citation" });
        return this.copy(text, field, "Copied.", clipboard);
    }

    /** Copy a text, into the clipboard that waits for it if one does; where the browser does not, let people do it.
     *  @param {string} text @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} done
     *  @param {Later} [later] */
    async copy(text, field, done, later) {
        field.value = text;
        this.text.replaceChildren(field);
        const copied = await copy(text, later);
        if (!copied) field.select();
        this.say(copied ? done : "Press Ctrl+C, or ⌘C: this page may not copy by itself.");
    }

    /** Let Python make a file. @param {string} what */
    ask(what) {
        if (!this.opened) return;
        this.text.replaceChildren();
        this.making.ask(what, { key: this.opened.place.key, held: this.tick.checked ? "with" : "bare" });
    }

    /** @param {FileAnswer} file */
    receive(file) {
        return this.making.receive(file);
    }
}
