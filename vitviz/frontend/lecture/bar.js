// The bar at the foot of the page: which step, on and back, and the way back to the lecture.

/** @import { Lecture } from "./lecture.js" */

import { buttonFor, element } from "../draw/elements.js";
import { shownOf, titleOf } from "../state/actions.js";
import { ACTIONS } from "./actions.js";
import { capital, TAKE_HOME, takeHome } from "./notice.js";
import { asksAgain, next } from "./states.js";

/** Whether nothing comes after this step of a lesson that is taken alone. @param {Pick<Lecture, "state" | "role">} lecture */
const ends = ({ state, role }) => role === "alone" && state?.step === state?.of;

/** What the button says that leads on. @param {Lecture} lecture */
export function onward({ state, role, own }) {
    if (!state) return "Next";
    const what = next(state, role === "alone");
    if (what === "step" && ends({ state, role })) return "End the lesson";
    if (what !== "reveal") return { step: "Next", ask: "Ask", lock: "Lock" }[what];
    return role === "lead" || own[0] === null ? "Show" : "Check";
}

/** Where this browser is in the lecture. @param {Lecture} lecture */
export function place({ role, room, state, astray, answers, elsewhere, words, missing }) {
    const step = state ? `${elsewhere ? `${state.title}, ` : ""}step ${state.step} of ${state.of}` : "";
    if (room && !room.connected) return capital(room.trouble) || "Connecting to the lecture …";
    if (role === "follow") return astray ? "On your own" : `Following${step && ` · ${step}`}`;
    if (role === "lead") return `${room?.code} · ${step} · ${state?.following ?? 0} follow`;
    if (!words.lesson) return "Recording";
    if (!state) return missing === words.lesson ? "This lesson is not here" : "The lesson is on its way …";
    const end = ends({ state, role }) && next(state, true) === "step" ? " · The end" : "";
    return `Step${step.slice(4)}${answers.present?.truth === null ? ` · ${answers.present.why}` : ""}${end}`;
}

export class Bar {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        this.place = element("b", { role: "status" });
        this.typed = element("span", { class: "typed" });
        this.back = this.button("‹ Back", titleOf(ACTIONS.back), () => lecture.back());
        this.take = this.button(TAKE_HOME, "All steps with your guesses, as one file", () =>
            takeHome(lecture, lecture.words.lesson),
        );
        this.on = this.button("Next ›", titleOf(ACTIONS.on), () => this.onward());
        this.on.className = "on";
        this.home = this.button("", titleOf(ACTIONS.home), () => lecture.comeBack());
        this.point = this.button("Pointer", titleOf(ACTIONS.pointer), () => lecture.pointer?.turn());
        this.again = this.button("Ask again", titleOf(ACTIONS.again), () => lecture.room?.say({ ask: 2 }));
        this.blank = this.button("Blank", titleOf(ACTIONS.blank), () => lecture.blank());
        this.views = this.button("", "Views that are kept", () => lecture.recording?.turn());
        this.keep = this.button("Keep this view", titleOf(ACTIONS.keep), () => lecture.recording?.keep());
        this.keep.className = "on";
        this.end = this.button("×", "End the lesson", () => lecture.end());
        this.end.ariaLabel = this.end.title;
        this.root = element(
            "aside",
            { class: "lecture-bar", "aria-label": "Lecture" },
            this.place,
            this.typed,
            this.home,
            this.point,
            this.blank,
            this.back,
            this.again,
            this.take,
            this.on,
            this.views,
            this.keep,
            this.end,
        );
        this.root.addEventListener("keydown", ({ key }) => key === "Escape" && lecture.end());
    }

    /** @param {string} text @param {string} title @param {() => void} act */
    button(text, title, act) {
        const button = buttonFor(text, act, { title });
        button.addEventListener("click", ({ detail }) => detail && button.blur()); // Space plays
        return button;
    }

    onward() {
        if (onward(this.lecture) === "End the lesson") this.lecture.end();
        else this.lecture.next();
    }

    draw() {
        const { lecture } = this;
        const { role, astray, lesson, state, typing } = lecture;
        const leads = role === "lead";
        this.root.hidden = !lecture.on;
        this.place.textContent = place(lecture);
        this.typed.textContent = typing.typed && `→ ${typing.typed} ⏎`;
        this.typed.hidden = !typing.typed;
        this.home.hidden = !astray;
        this.home.textContent = `Back to the ${role === "follow" ? "lecturer" : "step"} (${shownOf(ACTIONS.home)})`;
        this.point.hidden = this.blank.hidden = !leads;
        this.again.hidden = !leads || !asksAgain(state);
        this.point.ariaPressed = String(Boolean(lecture.pointer?.on));
        this.back.hidden = this.on.hidden = !lesson || lecture.elsewhere;
        this.back.disabled = state?.step === 1;
        const many = lecture.recording?.many ?? 0;
        this.views.hidden = this.keep.hidden = !lecture.words.record;
        this.views.textContent = `${many} ${many === 1 ? "view" : "views"}`;
        this.views.disabled = !many;
        this.views.ariaExpanded = String(Boolean(lecture.recording?.open));
        const onwards = onward(lecture);
        this.take.hidden = onwards !== "End the lesson";
        this.on.textContent = lecture.answers.awaited ? "Counting …" : `${onwards}${onwards === "Next" ? " ›" : ""}`;
        this.on.disabled = lecture.answers.waits || (onwards === "Next" && state?.step === state?.of);
    }
}
