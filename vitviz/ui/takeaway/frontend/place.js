// The button in the corner of a picture that is not the board's: it opens the board's menu.

/** @import { Component, Place } from "../../board/frontend/types.js" */

import { element } from "../../board/frontend/draw/elements.js";
import { inbox } from "../../board/frontend/state/inbox.js";

/** @param {Component<[Omit<Place, "button">]>} component */
export default function place({ data, parentElement }) {
    const [said] = data;
    const name = `Take away: ${said.title}`;
    const button = element(
        "button",
        { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", "aria-label": name, title: name },
        "take away",
    );
    for (const old of parentElement.querySelectorAll("button")) old.remove();
    parentElement.append(button);
    parentElement.host.toggleAttribute("data-drawn", true);
    inbox().push({ place: { ...said, button } });
}
