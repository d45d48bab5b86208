// Who leads a lesson: the step that the hand is at, what comes next, and the room that goes along.

/** @import { Lesson, State, WindowData } from "../../types/lecture.js" */
/** @import { Hand } from "./actions.js" */

import { Typing } from "../../lecture/actions.js";
import { next, Pause } from "../../lecture/states.js";
import { PRESSED } from "../../state/actions.js";
import { Asked } from "./asked.js";
import { Parts } from "./parts.js";
import { Room, startOf } from "./room.js";

export class Lecturer {
    /** @param {ShadowRoot} root */
    constructor(root) {
        /** @type {Lesson | null} */
        this.lesson = null;
        this.step = 1;
        /** Whether the answer is to be shown as soon as Python says it. */
        this.awaited = false;
        /** Whether somebody went on from the last step. */
        this.ended = false;
        /** What the question was at when the room last said so. */
        this.at = "";
        this.pause = new Pause(() => this.draw());
        this.room = new Room(
            () => this.changed(),
            () => this.began(),
        );
        this.typing = new Typing(
            (step) => this.go(step),
            () => this.draw(),
        );
        this.asked = new Asked(this.room);
        this.parts = new Parts(root, this);
    }

    get steps() {
        return this.lesson?.steps ?? [];
    }

    /** What this step asks. */
    get question() {
        return this.steps[this.step - 1]?.question ?? null;
    }

    /** What is right, as far as Python has said it. */
    get answer() {
        return this.asked.answers.get(this.step);
    }

    get truth() {
        return this.answer?.truth ?? null;
    }

    /** The title of the lesson that the room is at, where that is another one: it stays there until a hand gives this one. */
    get elsewhere() {
        const { state } = this.room;
        return state?.title && state.lesson !== this.lesson?.name ? state.title : "";
    }

    /** What the room shows, where it is at this lesson. */
    get state() {
        return this.elsewhere ? null : this.room.state;
    }

    /** What comes next: of a question in a room asking, locking and showing, as long as there is an answer; else a step,
     *  or the end. */
    get next() {
        const what = this.state ? next(this.state, false) : "step";
        if (what !== "step" && !(what === "reveal" && this.answer?.why)) return what;
        return this.step === this.steps.length ? "end" : "step";
    }

    /** @param {WindowData} data */
    receive(data) {
        const { lesson, step } = data;
        if (lesson && lesson.name !== this.lesson?.name) {
            this.lesson = lesson;
            this.step = step;
            this.asked.answers.clear();
            if (this.room.state) this.follow(this.room.state);
        }
        this.asked.receive(data, this.step);
        if (this.awaited) this.reveal();
        this.draw();
    }

    /** The state that a room begins with. @returns {State | null} */
    began() {
        return this.lesson && startOf(this.lesson, this.step, null);
    }

    /** The room has said something. */
    changed() {
        if (this.room.state && this.lesson) this.follow(this.room.state);
        const { step = 0, phase = "none", round = 1 } = this.state ?? {};
        if (this.at !== `${step} ${phase} ${round}`) {
            this.awaited = false;
            this.pause.begin(phase);
        }
        this.at = `${step} ${phase} ${round}`;
        this.draw();
    }

    /** Another window of this lecturer may have moved; a room that nobody has moved yet begins here. @param {State} state */
    follow({ title, step }) {
        if (!title) this.give();
        else if (!this.elsewhere && step !== this.step && this.steps[step - 1]) this.stand(step);
    }

    /** @param {number} step */
    go(step) {
        this.ended = false;
        if (!this.steps[step - 1] || step === this.step) return;
        if (!this.room.led.began) this.room.kept.lead({ began: Date.now() });
        this.stand(step);
        if (!this.elsewhere) this.give();
        this.draw();
    }

    /** The room goes to this lesson and step. */
    give() {
        if (this.lesson) this.room.move(this.lesson, this.step);
    }

    /** From the end to the last step, or from a step to the one before. */
    goBack() {
        this.go(this.ended ? this.step : this.step - 1);
        this.draw();
    }

    /** Be at a step, as the address says at once; Python says what is right there. @param {number} step */
    stand(step) {
        this.step = step;
        this.awaited = this.ended = false;
        this.asked.stand(step);
    }

    goOn() {
        const { room, next } = this;
        if (next === "step") this.go(this.step + 1);
        else if (next === "end") this.ended = true;
        else if (next === "ask") room.say({ ask: 1 });
        else if (next === "lock") room.say({ lock: true });
        else this.reveal();
        this.draw();
    }

    /** Show what is right, now or as soon as Python has said it. */
    reveal() {
        const { room, step, truth } = this;
        this.awaited = this.next === "reveal" && !truth;
        if (truth) room.say({ reveal: { step, truth } });
    }

    draw() {
        this.parts.draw();
    }

    /** A key of a hand: what has no use now, or waits, does nothing. @param {Hand} hand */
    press(hand) {
        if (hand.says(this) && !hand.waits?.(this)) hand.perform(this, PRESSED);
    }
}
