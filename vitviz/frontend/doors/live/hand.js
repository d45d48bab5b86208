// What a hand has moved, on its way to Python: at most ten messages a second, and the last one always.

/** @import { Component } from "../../types/board.js"
 *  @import { WidgetData } from "../../schema/types.js" */

import { here, withWords, wordsIn } from "../../transport/words.js";

const PAUSE = 100; // ms between two messages

export class Hand {
    /** Whether the hand holds something now. */
    down = false;
    /** @type {(() => void) | undefined} */
    #waiting;
    #timer = 0;
    #sent = 0;
    #heard = 0;
    #last = -PAUSE;
    /** @type {string[]} */
    #untold = [];
    /** @type {(name: string, value: unknown) => void} */
    #trigger = () => {};

    /** Take what Python says now. @param {Component<[WidgetData]>} component */
    listen({ data: [data], setTriggerValue }) {
        this.#trigger = setTriggerValue;
        this.#heard = data.heard;
        this.#untold = data.untold;
        if (!this.ahead) for (const [name, value] of Object.entries(data.keeps)) write(name, value);
    }

    /** Whether Python has not yet answered what the hand did last; then the hand is right. */
    get ahead() {
        return this.down || Boolean(this.#waiting) || this.#heard < this.#sent;
    }

    /** @param {string} name @param {string} value */
    send(name, value) {
        this.#waiting = () => {
            this.#waiting = undefined;
            this.#last = performance.now();
            this.#sent = Math.max(this.#sent, this.#heard) + 1;
            if (!this.#untold.includes(name)) write(name, value);
            this.#trigger("moved", { name, value, count: this.#sent });
        };
        clearTimeout(this.#timer);
        const rest = this.#last + PAUSE - performance.now();
        if (rest <= 0) this.#waiting();
        else this.#timer = setTimeout(() => this.#waiting?.(), rest);
    }

    /** Send at once what still waits. */
    rest() {
        clearTimeout(this.#timer);
        this.#waiting?.();
    }
}

/** Say it in the address without a new entry in the history, as Streamlit's own bound widgets do.
 *  @param {string} name @param {string} value */
function write(name, value) {
    if (wordsIn()[name] !== value) history.replaceState(history.state, "", withWords(here(), { [name]: value }));
}
