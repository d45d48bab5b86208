// The lecturer's own window: this step and the next one, notes, clock, guesses as they come in, and all that leads a room.

/** @import { Component } from "../../types/board.js" */
/** @import { Lesson, State, Truth, WindowData } from "../../types/lecture.js" */
/** @import { Hand } from "./actions.js" */

import { Typing } from "../../lecture/actions.js";
import { next, Pause } from "../../lecture/states.js";
import { PRESSED } from "../../state/actions.js";
import { actionsOf } from "./actions.js";
import { Parts } from "./parts.js";
import { Room, startOf } from "./room.js";

const REST = 300; // ms until Python is asked what is right in the step that the hand rests on
const TICK = 5000; // ms between two looks at the clock
const CLOSING = 500; // ms after which a window that was taken away has not been put elsewhere

/** @type {WeakMap<ShadowRoot, Lecturer>} */
const windows = new WeakMap();

/** @param {Component<[WindowData]>} component */
export default function draw({ data, parentElement }) {
    const window = windows.get(parentElement) ?? new Lecturer(parentElement);
    windows.set(parentElement, window);
    window.receive(data[0]);
    parentElement.host.toggleAttribute("data-drawn", true);
    return () => window.leave();
}

export class Lecturer {
    /** @param {ShadowRoot} root */
    constructor(root) {
        /** @type {Lesson | null} */
        this.lesson = null;
        this.step = 1;
        /** @type {[number, number]} */
        this.grid = [1, 1];
        /** What is right by step, and why nothing is. @type {Map<number, { truth: Truth | null, why: string }>} */
        this.answers = new Map();
        /** The picture of the lecturer's own that all are to see, until Python has copied it. */
        this.sharing = "";
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
        this.parts = new Parts(root, this);
        /** @type {Record<"rest" | "tick" | "gone", ReturnType<typeof setTimeout> | 0>} */
        this.timers = { rest: 0, tick: 0, gone: 0 };
        this.arrive = () => this.room.arrived();
        this.actions = () => actionsOf(this);
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
        return this.answers.get(this.step);
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
    receive({ lesson, step, grid, truth, why, shared }) {
        clearTimeout(this.timers.gone);
        if (lesson && lesson.name !== this.lesson?.name) {
            this.lesson = lesson;
            this.step = step;
            this.answers.clear();
            if (this.room.state) this.follow(this.room.state);
        }
        if (lesson && (truth || why)) this.answers.set(step, { truth, why });
        if (step === this.step) this.grid = grid;
        if (this.awaited) this.reveal();
        if (this.sharing && shared !== null) this.copied(shared);
        if (!this.timers.tick) {
            this.timers.tick = setInterval(() => this.draw(), TICK);
            globalThis.__vitviz_actions ??= new Set();
            globalThis.__vitviz_actions.add(this.actions);
            addEventListener("hashchange", this.arrive);
        }
        this.draw();
    }

    /** The window was taken off the page, unless Streamlit puts it there anew at once. */
    leave() {
        this.timers.gone = setTimeout(() => {
            clearInterval(this.timers.tick);
            this.timers.tick = 0;
            globalThis.__vitviz_actions?.delete(this.actions);
            removeEventListener("hashchange", this.arrive);
            this.room.leave();
        }, CLOSING);
    }

    /** The picture of the lecturer's own that is on screen, or "". */
    get picture() {
        return new URLSearchParams(this.room.state?.view.split("?")[1]).get("picture") ?? "";
    }

    /** Let all see the lecturer's own picture, or no longer. */
    share() {
        if (this.room.state?.shared) return this.room.say({ share: null });
        this.sharing = this.picture;
        this.ask({ share: `${this.room.state?.grant}-${this.picture}` });
    }

    /** Python has copied the picture under this name. @param {string} name */
    copied(name) {
        this.sharing = "";
        this.ask({ share: null });
        if (name) this.room.say({ share: name });
        else this.room.trouble = "this browser no longer has that picture; upload it again";
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
        this.write({ step: String(step) });
        clearTimeout(this.timers.rest);
        this.timers.rest = setTimeout(() => this.ask({ step: String(step) }), REST);
    }

    /** Let Python read this in the address. @param {Record<string, string | null>} words */
    ask(words) {
        this.write(words);
        dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }

    /** Let the address say this, without an entry in the browser's history. @param {Record<string, string | null>} words */
    write(words) {
        const params = new URLSearchParams(location.search);
        for (const [name, text] of Object.entries(words))
            if (text === null) params.delete(name);
            else params.set(name, text);
        history.replaceState({}, "", `${location.pathname}?${params}`);
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
