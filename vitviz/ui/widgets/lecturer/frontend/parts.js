// What stands in the lecturer's window.

/** @import { Lecturer } from "./lecturer.js" */

import { element } from "../../../board/frontend/draw/elements.js";
import { saying } from "../../../board/frontend/lecture/asked/words.js";
import { clock, planned } from "./clock.js";
import { advice, counted, rightOf } from "./counted.js";
import { HANDS } from "./hands.js";
import { folder } from "./room.js";

const PHASES = {
    none: "Not asked yet.",
    open: "Open: guesses come in.",
    locked: "Locked.",
    revealed: "Shown.",
};

/** A sentence without the braces around its roles. @param {string} text */
const plain = (text) => text.replace(/[{}]/g, "");

export class Parts {
    /** @param {ShadowRoot} root @param {Lecturer} window */
    constructor(root, window) {
        this.window = window;
        this.room = element("b", { class: "room" });
        this.follow = element("span", { role: "status" });
        this.clock = element("span", { class: "clock" });
        this.at = element("span", {});
        this.typed = element("b", {});
        this.trouble = element("p", { class: "trouble", role: "alert" });
        this.secret = element("input", { type: "password", autocomplete: "off" });
        this.asked = element("label", {}, "The lecturer's secret ", this.secret);
        this.opening = this.form();
        this.says = element("h2", { class: "says", "aria-live": "polite" });
        this.notes = element("p", { class: "notes" });
        this.question = element("section", { class: "question", "aria-label": "The question" });
        this.made = "";
        this.next = element("aside", { class: "next", "aria-label": "The next step" });
        this.hands = HANDS.map((hand) => {
            const button = element("button", { type: "button", class: hand.name });
            button.addEventListener("click", () => hand.act(window));
            return { hand, button, says: "" };
        });
        this.screen = element("a", { target: "_blank", class: "screen" }, "The class's screen");
        const yes = element("button", { type: "button" }, "Close it: all guesses are forgotten");
        const no = element("button", { type: "button" }, "Keep it");
        this.closing = element("p", { class: "closing", role: "alert" }, yes, no);
        this.closing.hidden = true;
        yes.addEventListener("click", () => {
            this.closing.hidden = true;
            window.room.close();
            this.draw();
        });
        no.addEventListener("click", () => {
            this.closing.hidden = true;
        });
        this.letters = element("b", {});
        this.picture = element("img", { alt: "The address of the room as a QR code" });
        this.where = element("p", {});
        this.code = element("dialog", { class: "letters" }, this.letters, this.picture, this.where);
        this.code.addEventListener("click", () => this.code.close());
        this.main = element(
            "main",
            {},
            element("div", { class: "now" }, this.says, this.notes, this.question),
            this.next,
        );
        this.foot = element(
            "nav",
            { "aria-label": "The lecture" },
            ...this.hands.map(({ button }) => button),
            this.screen,
        );
        const head = element("header", {}, this.room, this.follow, this.clock, this.at, this.typed);
        root.append(
            element(
                "div",
                { class: "lecturer" },
                head,
                this.trouble,
                this.opening,
                this.closing,
                this.main,
                this.foot,
                this.code,
            ),
        );
    }

    form() {
        const { window } = this;
        const form = element("form", {}, this.asked, element("button", { type: "submit" }, "Open a room"));
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            window.room.open(this.secret.value || window.room.led.secret);
            this.secret.value = "";
        });
        return form;
    }

    draw() {
        const { window } = this;
        const { lesson, room, step, steps, typing } = window;
        const { code, secret, began } = room.led;
        this.main.hidden = this.foot.hidden = !lesson;
        saying(this.room, code ? `Room ${code}` : "No room is open");
        saying(this.follow, room.connected ? `${room.following} follow` : code ? "connecting …" : "");
        saying(this.clock, lesson ? clock(began, Date.now(), planned(steps, step), lesson.minutes) : "");
        saying(this.at, lesson ? `Step ${step} of ${steps.length}` : "");
        saying(this.typed, typing.typed && `→ ${typing.typed} ⏎`);
        this.trouble.hidden = !room.trouble;
        saying(this.trouble, room.trouble && `${room.trouble[0].toUpperCase()}${room.trouble.slice(1)}.`);
        this.opening.hidden = Boolean(code) || !lesson;
        this.asked.hidden = Boolean(secret);
        if (lesson) this.drawStep();
        this.drawHands(code);
    }

    drawStep() {
        const { window } = this;
        const { steps, step } = window;
        const now = steps[step - 1];
        const after = steps[step];
        saying(this.says, plain(now.says));
        saying(this.notes, now.notes);
        const { room, truth, answers, grid } = window;
        const wanted = JSON.stringify([
            step,
            room.state?.phase,
            room.state?.round,
            room.rounds,
            truth,
            answers.get(step)?.why,
        ]);
        if (wanted !== this.made) this.ask(grid);
        this.made = wanted;
        const said = after
            ? [element("p", {}, plain(after.says)), after.question ? "asks a question" : ""]
            : ["The end."];
        const written = JSON.stringify(after ?? "");
        if (this.next.dataset.step !== written) this.next.replaceChildren(element("h3", {}, "Next"), ...said);
        this.next.dataset.step = written;
    }

    /** @param {[number, number]} grid */
    ask(grid) {
        const { steps, step, room, truth, answers } = this.window;
        const { question, explains } = steps[step - 1];
        this.question.hidden = !question;
        if (!question) return;
        const { state, rounds } = room;
        const phase = state ? PHASES[state.phase] : "Open a room to ask it.";
        const last = rounds.at(-1);
        const why = answers.get(step)?.why ?? "";
        const right = truth ? `Right: ${truth.text}` : why || "The answer is being computed …";
        const call =
            last && truth && state?.phase === "locked"
                ? advice(rightOf(question, last, truth), last.voted, state.round)
                : "";
        this.question.replaceChildren(
            element("h3", {}, question.asks),
            element("p", { class: "right" }, right),
            element(
                "p",
                { class: "phase", role: "status" },
                last ? `${phase} ${last.voted} of ${room.following} have guessed.` : phase,
            ),
            element("p", { class: "advice" }, call),
            rounds.length ? counted(question, rounds, truth, grid) : "",
            element("p", { class: "explains" }, plain(explains)),
        );
    }

    /** @param {string} code */
    drawHands(code) {
        const { window } = this;
        for (const it of this.hands) {
            const { hand, button } = it;
            const alone = ["back", "on"].includes(hand.name);
            const says = code || alone ? hand.says(window) : "";
            button.hidden = !says;
            button.disabled = Boolean(hand.waits?.(window));
            if (it.says === says) continue;
            it.says = says;
            button.replaceChildren(...(hand.shown ? [element("kbd", {}, hand.shown), " "] : []), says);
        }
        this.screen.hidden = !code;
        if (!code) return;
        const { lesson, step, steps } = window;
        const [page, words = ""] = (steps[step - 1]?.view ?? "").split("?");
        const asked = new URLSearchParams(words);
        asked.set("lesson", lesson?.name ?? "");
        asked.set("step", String(step));
        asked.set("room", code);
        this.screen.href = `${folder()}${page}?${asked}`;
        saying(this.letters, code);
        const picture = `${folder()}lecture/code/${code}.svg`;
        if (this.code.open && this.picture.getAttribute("src") !== picture) this.picture.src = picture;
        saying(this.where, `${location.host}${folder()}?room=${code}`);
    }
}
