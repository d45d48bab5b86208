// How to come into a room, huge: its letters, its address, and what a phone scans; on every screen while the lecturer shows it.

import { element } from "../draw/elements.js";

export class Invitation {
    /** @param {() => void} away what a click on it does besides hiding it here */
    constructor(away) {
        this.letters = element("b");
        this.picture = element("img", { alt: "QR code of the address" });
        this.address = element("p");
        this.root = element(
            "section",
            { class: "invitation", "aria-label": "How to come into the room", hidden: "" },
            this.letters,
            this.picture,
            element("small", {}, "Scan this, or open the address and type the letters:"),
            this.address,
        );
        /** The room that it is of. */
        this.code = "";
        this.hidden = false;
        this.root.addEventListener("click", () => {
            this.hidden = true;
            this.root.hidden = true;
            away();
        });
    }

    /** @param {string} code @param {boolean} shown whether the lecturer shows it @param {string} folder of all pages */
    draw(code, shown, folder) {
        if (!shown) this.hidden = false;
        this.root.hidden = !shown || this.hidden;
        if (!shown || this.code === code) return;
        this.code = code;
        this.letters.textContent = code;
        this.letters.classList.toggle("long", code.length > 4);
        this.bring(`${folder}lecture/invitation/${code}?scheme=${location.protocol.slice(0, -1)}`);
    }

    /** @param {string} from */
    async bring(from) {
        const answer = await fetch(from);
        if (!answer.ok) return;
        const { address, qr } = await answer.json();
        this.picture.src = qr;
        this.address.textContent = address.replace(/^https?:\/\//, "").replace(/\?.*$/, "lecture");
    }
}
