// After the last step: PgDn goes nowhere else, and this says what may be done now.

/** @import { Lecturer } from "./lecturer.js" */

import { element, saying } from "../../../board/frontend/draw/elements.js";
import { folder } from "./room.js";

export class End {
    /** @param {Lecturer} window */
    constructor(window) {
        this.window = window;
        const { room } = window;
        const button = (/** @type {string} */ text, /** @type {() => void} */ act) => {
            const made = element("button", { type: "button" }, text);
            made.addEventListener("click", act);
            return made;
        };
        this.says = element("h2", { "aria-live": "polite" });
        this.ofRoom = [
            button("Close the room: its guesses are forgotten", () => room.close()),
            button("Save the guesses first, as CSV", () => room.say({ table: true })),
        ];
        this.home = element("a", { target: "_blank" }, "Take the lecture home");
        this.root = element(
            "section",
            { class: "end", "aria-label": "The end", hidden: "" },
            this.says,
            element("p", {}, ...this.ofRoom, this.home),
            element("p", {}, element("kbd", {}, "PgUp"), " goes back to the last step."),
        );
    }

    draw() {
        const { ended, lesson, room } = this.window;
        this.root.hidden = !ended;
        const open = Boolean(room.led.code);
        saying(this.says, open ? "The end. Close the room?" : "The end.");
        for (const button of this.ofRoom) {
            button.hidden = !open;
            button.disabled = !room.connected;
        }
        this.home.href = `${folder()}lecture?home=${encodeURIComponent(lesson?.name ?? "")}`;
    }
}
