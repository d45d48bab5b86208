// What everybody has to know at once: that a lecture is over, that there is no such room, or that it has shut this window out;
// large, with the way out.

import { buttonFor, element, saying } from "../draw/elements.js";
import { takingHome } from "./words.js";

/** @import { Lecture } from "./lecture.js" */

export const TAKE_HOME = "Take the lecture home";

/** @param {Lecture} lecture @param {string} lesson by its name */
export function takeHome(lecture, lesson) {
    lecture.end();
    lecture.applying.show(takingHome(lesson), { entry: true });
}

/** As a sentence begins. @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What is to be known now, if anything. @param {Pick<Lecture, "finished" | "room" | "state">} lecture
 *  @returns {{ title: string, says: string, out: string, back?: string } | null} */
export function known({ finished, room, state }) {
    if (finished) return { title: "The lecture is over", says: "You can go on here by yourself.", out: "Close" };
    if (!room?.trouble || (state && !room.shut)) return null;
    if (room.shut)
        return {
            title: capital(room.trouble),
            says: `Room ${room.code}: this page waits until you come back to it.`,
            out: "Go on without the lecture",
            back: "Come back here",
        };
    return {
        title: capital(room.trouble),
        says: room.unknown
            ? `Room ${room.code}: are these the letters that the lecturer shows? As soon as the room is open, you are in it.`
            : `Room ${room.code}: leave this page open; you come in by yourself as soon as you can.`,
        out: "Go on without the lecture",
    };
}

export class Notice {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        this.title = element("h2");
        this.says = element("p");
        this.back = buttonFor("", () => lecture.room?.comeBack());
        this.out = buttonFor("", () => lecture.end());
        this.take = buttonFor(TAKE_HOME, () => takeHome(lecture, lecture.attended));
        const words = element("div", { role: "status" }, this.title, this.says);
        this.root = element(
            "section",
            { class: "lecture-notice", "aria-label": "The lecture", hidden: "" },
            words,
            this.back,
            this.take,
            this.out,
        );
    }

    draw() {
        const now = known(this.lecture);
        this.root.hidden = !now;
        if (!now) return;
        this.take.hidden = !this.lecture.finished || !this.lecture.attended;
        saying(this.title, now.title);
        saying(this.says, now.says);
        saying(this.out, now.out);
        this.back.hidden = !now.back;
        saying(this.back, now.back ?? "");
    }
}
