// What stands in the lecturer's window.

import { element, saying } from "../../draw/elements.js";
import { ACTIONS as LECTURE } from "../../lecture/actions.js";
import { takingHome } from "../../lecture/words.js";
import { PRESSED, shownOf } from "../../state/actions.js";
import { home, withWords } from "../../transport/words.js";
import { HANDS, OTHERS } from "./actions.js";
import { Asking, plain } from "./counted.js";

/** @import { Step } from "../../types/lecture.js" */
/** @import { Lecturer } from "./leading.js" */

/** Minutes that are planned before a step; what is optional is on top. @param {Step[]} steps @param {number} step from 1 */
export const planned = (steps, step) =>
    steps.slice(0, step - 1).reduce((sum, { minutes, optional }) => sum + (optional ? 0 : minutes), 0);

/** Where a step after the next one begins that is not optional, as a word on how to skip to it. @param {Step[]} steps
 *  @param {number} step the one that is optional, from 1 */
export function skipping(steps, step) {
    const at = steps.findIndex(({ optional }, place) => place >= step && !optional);
    return at < 0 ? "optional" : `optional: ${at + 1} ⏎ goes past`;
}

/** @param {number} began in ms, 0 where nothing has begun @param {number} now @param {number} plan minutes
 *  @param {number} all minutes of the lesson */
export function clock(began, now, plan, all) {
    const minutes = began ? Math.floor((now - began) / 60_000) : 0;
    return `${minutes} min · plan ${Math.round(plan)} of ${Math.round(all)}`;
}

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
            element("p", {}, element("kbd", {}, shownOf(LECTURE.back)), " goes back to the last step."),
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
        this.home.href = takingHome(lesson?.name ?? "");
    }
}

/** Whether the class's screen is open, and how many pages are on their way.
 *  @param {{ screens: number, waiting: number }} room */
export const hall = ({ screens, waiting }) =>
    `${screens ? (screens > 1 ? `${screens} screens` : "screen open") : "no screen open"} · ${waiting} wait`;

export class Parts {
    /** @param {ShadowRoot} root @param {Lecturer} window */
    constructor(root, window) {
        this.window = window;
        this.room = element("b", { class: "room" });
        this.follow = element("span", { role: "status" });
        this.hall = element("span", {
            class: "hall",
            title: "The class's screen, where it is open; pages that this server is making, for whomever",
        });
        this.clock = element("span", {});
        this.at = element("span", {});
        this.typed = element("b", {});
        this.trouble = element("p", { class: "trouble", role: "alert" });
        this.secret = element("input", { type: "password", autocomplete: "off" });
        this.asked = element("label", {}, "The lecturer's secret ", this.secret);
        this.long = element("input", { type: "checkbox" });
        this.opening = this.form();
        this.yes = element("button", { type: "button" }, "Close the room: its guesses are forgotten");
        this.closing = this.question();
        this.says = element("h2", { class: "says", "aria-live": "polite" });
        this.notes = element("p", { class: "notes" });
        this.asking = new Asking(window);
        this.end = new End(window);
        this.next = element("section", { class: "next", "aria-label": "The next step" });
        this.hands = Object.entries(HANDS).map(([name, hand]) => {
            const button = element("button", { type: "button", class: name });
            button.addEventListener("click", () => hand.perform(window, PRESSED));
            return { name, hand, button, says: "" };
        });
        const buttons = (/** @type {boolean} */ rare) =>
            this.hands.filter(({ hand }) => Boolean(hand.rare) === rare).map(({ button }) => button);
        this.screen = element(
            "a",
            { target: "_blank" },
            element("kbd", {}, shownOf(OTHERS.screen)),
            " The class's screen",
        );
        this.tools = element("span", { class: "tools" }, this.screen, ...buttons(true));
        this.main = element(
            "main",
            {},
            element("div", {}, this.says, this.notes, this.asking.root),
            element("aside", {}, this.asking.counted, this.next),
        );
        this.foot = element("nav", { "aria-label": "The lecture" }, ...buttons(false));
        const head = element(
            "header",
            {},
            this.room,
            this.follow,
            this.hall,
            this.clock,
            this.at,
            this.typed,
            this.tools,
        );
        const all = [head, this.trouble, this.end.root, this.opening, this.closing, this.main, this.foot];
        root.append(element("div", { class: "lecturer" }, ...all));
    }

    form() {
        const long = element("label", {}, this.long, " Six letters, not four: no stranger finds the room by trying");
        const button = element("button", { type: "submit" }, element("kbd", {}, shownOf(OTHERS.open)), " Open a room");
        const form = element("form", {}, this.asked, button, long);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.open();
        });
        return form;
    }

    /** Open a room, once the secret is known. */
    open() {
        const { room } = this.window;
        const secret = this.secret.value || room.led.secret;
        if (!secret) return this.secret.focus();
        room.open(secret, this.long.checked);
        this.secret.value = "";
        this.secret.blur();
        this.draw();
    }

    /** Whether the room is to be closed. */
    question() {
        const yes = this.yes;
        const no = element("button", { type: "button" }, "Keep it open");
        const asks = element("p", { class: "closing", role: "alert", hidden: "" }, yes, no);
        yes.addEventListener("click", () => this.window.room.close());
        for (const button of [yes, no])
            button.addEventListener("click", () => {
                asks.hidden = true;
                this.draw();
            });
        return asks;
    }

    draw() {
        const { elsewhere, lesson, room, step, steps, typing } = this.window;
        const { code, secret, began } = room.led;
        this.main.hidden = this.foot.hidden = !lesson;
        saying(this.room, code ? `Room ${code}` : "No room is open");
        saying(this.follow, room.connected ? `${room.following} follow` : code && "connecting …");
        saying(this.hall, room.connected ? hall(room) : "");
        saying(this.clock, lesson ? clock(began, Date.now(), planned(steps, step), lesson.minutes) : "");
        saying(this.at, lesson ? `Step ${step} of ${steps.length}${this.optional(step)}` : "");
        saying(this.typed, typing.typed && `→ ${typing.typed} ⏎`);
        const trouble = room.trouble || (lesson && elsewhere && `the room is at another lesson, “${elsewhere}”`) || "";
        this.trouble.hidden = !trouble;
        saying(this.trouble, trouble && `${trouble[0].toUpperCase()}${trouble.slice(1)}.`);
        this.yes.disabled = !room.connected; // a room that does not hear of it would go on
        this.opening.hidden = Boolean(code) || !lesson;
        this.asked.hidden = Boolean(secret);
        this.drawHands();
        this.end.draw();
        if (!lesson) return;
        const [now, after] = [steps[step - 1], steps[step]];
        saying(this.says, plain(now.says));
        saying(this.notes, now.notes);
        this.asking.draw();
        const written = JSON.stringify(after ?? null);
        if (this.next.dataset.step === written) return;
        this.next.dataset.step = written;
        const text = after ? plain(after.says) : "This is the last step.";
        const asks = after?.question ? element("p", { class: "asks" }, `Asks: ${after.question.asks}`) : "";
        this.next.replaceChildren(element("h3", {}, `Next${this.optional(step + 1)}`), element("p", {}, text), asks);
    }

    /** What is said of a step that may be left out, and how. @param {number} step */
    optional(step) {
        const { steps } = this.window;
        return steps[step - 1]?.optional ? `, ${skipping(steps, step)}` : "";
    }

    drawHands() {
        const { window } = this;
        for (const it of this.hands) {
            const { hand, button } = it;
            const says = !hand.when || hand.when(window) ? hand.says(window) : "";
            button.hidden = !says;
            button.disabled = Boolean(hand.waits?.(window));
            button.classList.toggle("advised", Boolean(says && hand.advised?.(window)));
            if (it.says === says) continue;
            it.says = says;
            const [key] = hand.keys;
            button.replaceChildren(...(key ? [element("kbd", {}, shownOf({ keys: [key] })), " "] : []), says);
        }
        const { code } = window.room.led;
        this.screen.hidden = !code || !window.lesson || Boolean(window.elsewhere);
        if (!code || !window.lesson) return;
        const { lesson, step, steps } = window;
        this.screen.href = withWords(home() + steps[step - 1].view, { lesson: lesson.name, step, room: code });
    }
}
