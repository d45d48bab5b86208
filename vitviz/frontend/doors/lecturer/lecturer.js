// The lecturer's own window: this step and the next one, notes, clock, guesses as they come in, and all that leads a room.

/** @import { Component } from "../../types/board.js" */
/** @import { WindowData } from "../../types/lecture.js" */

import { actionsOf } from "./actions.js";
import { Lecturer } from "./leading.js";

const TICK = 5000; // ms between two looks at the clock
const CLOSING = 500; // ms after which a window that was taken away has not been put elsewhere

export class Window {
    /** @param {ShadowRoot} root */
    constructor(root) {
        this.lecturer = new Lecturer(root);
        /** @type {Record<"tick" | "gone", ReturnType<typeof setTimeout> | 0>} */
        this.timers = { tick: 0, gone: 0 };
        this.arrive = () => this.lecturer.room.arrived();
        this.actions = () => actionsOf(this.lecturer);
    }

    /** @param {WindowData} data */
    receive(data) {
        const { lecturer, timers } = this;
        clearTimeout(timers.gone);
        lecturer.receive(data);
        if (timers.tick) return;
        timers.tick = setInterval(() => lecturer.draw(), TICK);
        globalThis.__vitviz_actions ??= new Set();
        globalThis.__vitviz_actions.add(this.actions);
        addEventListener("hashchange", this.arrive);
    }

    /** The window was taken off the page, unless Streamlit puts it there anew at once. */
    leave() {
        const { lecturer, timers } = this;
        timers.gone = setTimeout(() => {
            clearInterval(timers.tick);
            timers.tick = 0;
            globalThis.__vitviz_actions?.delete(this.actions);
            removeEventListener("hashchange", this.arrive);
            lecturer.room.leave();
        }, CLOSING);
    }
}

/** @type {WeakMap<ShadowRoot, Window>} */
const windows = new WeakMap();

/** @param {Component<[WindowData]>} component */
export default function draw({ data, parentElement }) {
    const window = windows.get(parentElement) ?? new Window(parentElement);
    windows.set(parentElement, window);
    window.receive(data[0]);
    parentElement.host.toggleAttribute("data-drawn", true);
    return () => window.leave();
}
