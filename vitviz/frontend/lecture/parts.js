// The parts of a lecture on the page: headline where the page has none, question, bar, pointer, the black sheet.

/** @import { Photo } from "../frame/photo.js" */
/** @import { Reader } from "../types/board.js" */

import { element, fillWithRoles } from "../draw/elements.js";
import { Question } from "../questions/question.js";
import { home } from "../transport/words.js";
import { Bar } from "./bar.js";
import { Invitation } from "./invitation.js";
import { Lecture } from "./lecture.js";
import { Notice } from "./notice.js";
import { Pointer } from "./pointer.js";
import { Recording } from "./recording.js";
import { hides } from "./states.js";

/** What a lecture needs of the board on the page. @typedef {{ root: ShadowRoot | HTMLElement, photo: Photo }} Place */

export class Parts {
    /** @param {Reader} python */
    static lecture(python) {
        return new Lecture(python);
    }

    /** @param {Lecture} lecture @param {Place} place */
    constructor(lecture, { root, photo }) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        this.lecture = lecture;
        this.root = root;
        this.said = element("p", { class: "lecture-said", "aria-live": "polite" });
        this.asked = element("section", { class: "asked", "aria-label": "The question", hidden: "" });
        this.stage = find(".stage");
        this.area = find(".scene-area");
        this.area.before(this.said);
        this.said.after(this.asked);
        this.bar = new Bar(lecture);
        this.notice = new Notice(lecture);
        this.sheet = element("div", { class: "lecture-sheet", role: "presentation" });
        this.sheet.addEventListener("click", () => lecture.blank());
        this.invitation = new Invitation(() => lecture.role === "lead" && lecture.room?.say({ code: false }));
        this.question = new Question(this.asked, lecture.board.first, photo, (vote) => lecture.vote(vote));
        lecture.pointer = new Pointer(lecture, { photo: find(".photo canvas"), scene: find(".scene") });
        lecture.recording ??= new Recording(lecture);
        root.append(
            this.bar.root,
            this.notice.root,
            lecture.recording.root,
            lecture.pointer.ring,
            this.invitation.root,
            this.sheet,
        );
        this.top = find(".top");
        /** The step and phase whose sentence was brought on screen. */
        this.brought = "";
    }

    draw() {
        const { lecture } = this;
        const { board, says, asking, state } = lecture;
        const page = document.documentElement;
        if (lecture.on) page.dataset.lecture = lecture.leads ? "led" : "free";
        else delete page.dataset.lecture;
        const counts = hides(state) && !lecture.away; // they answer, and stay hidden where the scene does not
        for (const place of [page, this.area]) {
            place.toggleAttribute("data-asking", counts);
            place.toggleAttribute("data-covered", counts && !asking);
        }
        this.said.hidden = says === undefined || !this.area.hidden;
        if (says !== undefined) fillWithRoles(this.said, says, board.first.data.palette);
        this.bar.draw();
        this.notice.draw();
        if (this.area.hidden && board.first.data.stages.length) this.light(); // not before anything is known of the page
        lecture.recording?.draw();
        this.sheet.hidden = !state?.blank;
        this.invitation.draw(lecture.room?.code ?? "", Boolean(state?.code), home());
        if (lecture.pointer && (lecture.astray || !lecture.on)) lecture.pointer.ring.hidden = true;
        this.bring();
    }

    /** A new sentence is on screen, also where somebody has scrolled down. */
    bring() {
        const { state, says } = this.lecture;
        const now = says === undefined ? "" : `${state?.step} ${state?.phase}`;
        if (now && now !== this.brought) {
            const sentence = this.area.hidden ? this.said : this.top;
            setTimeout(() => sentence.scrollIntoView({ block: "nearest" })); // it lays the page out, and the frame need not wait
        }
        this.brought = now;
    }

    /** The question in the place of the scene, or what came of it under the scene; it may light the photo. */
    light() {
        const { lecture, asked } = this;
        const { asking, state } = lecture;
        const on = state?.question && !lecture.away && (asking || state.phase === "revealed") ? state : null;
        asked.hidden = !on;
        this.area.toggleAttribute("data-led", lecture.leads && !on);
        lecture.asks = {};
        if (!on) return;
        if (this.area.hidden === this.stage.contains(asked))
            this.area.hidden ? this.said.after(asked) : this.stage.append(asked);
        const voted = lecture.role === "lead" ? (lecture.room?.voted ?? 0) : null;
        this.question.draw(on, lecture.own, lecture.there, voted, lecture.room?.uncounted);
        lecture.asks = this.question.actions;
    }

    close() {
        this.lecture.pointer?.close();
        for (const part of [this.bar.root, this.notice.root, this.sheet, this.invitation.root, this.said, this.asked])
            part.remove();
    }
}
