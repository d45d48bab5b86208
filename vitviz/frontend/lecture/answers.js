// What is right at the steps of a lesson: Python says it, and it is shown when the hand asks for it.

/** @import { Lecture } from "./lecture.js" */
/** @import { State, Truth } from "../types/lecture.js" */

import { Pause, revealed } from "./states.js";

export class Answers {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        /** What is right, or why nobody can say so, by lesson and step. @type {Map<string, { truth: Truth | null, why: string }>} */
        this.truths = new Map();
        /** Whether the answer is to be shown as soon as Python says it. */
        this.awaited = false;
        this.pause = new Pause(() => lecture.board.invalidate());
    }

    /** Whether PgDn does nothing else for now: an answer is on its way, or something has just come on screen. */
    get waits() {
        return this.awaited || this.pause.on;
    }

    /** What is asked is at another phase. @param {State["phase"]} phase */
    moved(phase) {
        this.awaited = false;
        this.pause.begin(phase);
    }

    /** @param {{ lesson: string, step: number, truth: Truth | null, why: string }} answer */
    keep(answer) {
        this.truths.set(`${answer.lesson} ${answer.step}`, answer);
    }

    /** What is right at the present step, where Python has said so; nothing is of a lesson that the room is not at. */
    get present() {
        const { elsewhere, words, state } = this.lecture;
        return elsewhere ? undefined : this.truths.get(`${words.lesson} ${state?.step}`);
    }

    /** Ask Python what is right, where it has not said so: it reads which step the address names. */
    want() {
        const { applying, role, state, python } = this.lecture;
        if (role !== "follow" && state?.question && !applying.waits && !this.present) python.ask();
    }

    /** Show what is right, now or as soon as Python has said it. */
    reveal() {
        const { lecture, present } = this;
        const { state, lesson, room, own, board } = lecture;
        this.awaited = !present;
        if (!present) this.want();
        else if (state && lesson && present.truth) {
            if (room) room.say({ reveal: { step: state.step, truth: present.truth } });
            else {
                lecture.state = revealed(state, lesson, present.truth, own[0]);
                this.moved("revealed");
            }
        }
        board.invalidate();
    }
}
