// The lecturer's own window: this step and the next one, notes, clock, guesses as they come in, and all that leads a room.

/** @import { Lesson, State, Truth } from "../../../board/frontend/lecture/types.js" */
/** @import { Component, Told } from "./types.js" */

import { Typing } from "../../../board/frontend/lecture/keys.js";
import { next } from "../../../board/frontend/lecture/states.js";
import { HANDS } from "./hands.js";
import { Parts } from "./parts.js";
import { Room, startOf } from "./room.js";

const REST = 300; // ms until Python is asked what is right in the step that the hand rests on
const TICK = 5000; // ms between two looks at the clock
const GONE = 500; // ms after which a window that was taken away has not been put elsewhere

/** @type {WeakMap<ShadowRoot, Lecturer>} */
const windows = new WeakMap();

/** @param {Component} component */
export default function draw({ data, parentElement }) {
    const window = windows.get(parentElement) ?? new Lecturer(parentElement);
    windows.set(parentElement, window);
    window.told(data[0]);
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
        this.press = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
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

    get atEnd() {
        return this.step === this.steps.length && this.next === "step";
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

    /** What comes next: of a question in a room asking, locking and showing, as long as there is an answer; else a step. */
    get next() {
        const what = this.state ? next(this.state, false) : "step";
        return what === "reveal" && this.answer?.why ? "step" : what;
    }

    /** @param {Told} data */
    told({ lesson, step, grid, truth, why, shared }) {
        clearTimeout(this.timers.gone);
        if (lesson && lesson.name !== this.lesson?.name) {
            this.lesson = lesson;
            this.step = step;
            this.answers.clear();
            if (this.room.state) this.follow(this.room.state);
        }
        if (lesson && (truth || why)) this.answers.set(step, { truth, why });
        if (step === this.step) this.grid = grid;
        if (this.sharing && shared !== null) this.copied(shared);
        if (!this.timers.tick) {
            this.timers.tick = setInterval(() => this.draw(), TICK);
            addEventListener("keydown", this.press, true);
            addEventListener("hashchange", this.arrive);
        }
        this.draw();
    }

    /** The window was taken off the page, unless Streamlit puts it there anew at once. */
    leave() {
        this.timers.gone = setTimeout(() => {
            clearInterval(this.timers.tick);
            this.timers.tick = 0;
            removeEventListener("keydown", this.press, true);
            removeEventListener("hashchange", this.arrive);
            this.room.leave();
        }, GONE);
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
        this.draw();
    }

    /** Another window of this lecturer may have moved; a room that nobody has moved yet begins here. @param {State} state */
    follow({ title, step }) {
        if (!title) this.give();
        else if (!this.elsewhere && step !== this.step && this.steps[step - 1]) this.stand(step);
    }

    /** @param {number} step */
    go(step) {
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

    /** Be at a step; the address follows, and Python says what is right there. @param {number} step */
    stand(step) {
        this.step = step;
        clearTimeout(this.timers.rest);
        this.timers.rest = setTimeout(() => this.ask({ step: String(step) }), REST);
    }

    /** Let Python read this in the address, without an entry in the browser's history. @param {Record<string, string | null>} words */
    ask(words) {
        const asked = new URLSearchParams(location.search);
        for (const [name, text] of Object.entries(words))
            if (text === null) asked.delete(name);
            else asked.set(name, text);
        history.replaceState({}, "", `${location.pathname}?${asked}`);
        dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }

    goOn() {
        const { room, truth } = this;
        if (this.next === "step") this.go(this.step + 1);
        else if (this.next === "ask") room.say({ ask: 1 });
        else if (this.next === "lock") room.say({ lock: true });
        else if (truth) room.say({ reveal: { step: this.step, truth } });
    }

    draw() {
        this.parts.draw();
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
        const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
        if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, textarea, select")) return;
        const hand = HANDS.find(({ keys }) => keys.includes(event.key));
        if (this.typing.takes(event.key) || /^[1-9]$/.test(event.key)) this.typing.type(event.key);
        else if (hand?.says(this) && !hand.waits?.(this) && this.lesson) hand.act(this);
        else return;
        event.preventDefault();
        event.stopImmediatePropagation();
    }
}
