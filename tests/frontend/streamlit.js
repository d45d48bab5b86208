// Clocks that stand still, and Streamlit with the script behind it as far as the explorer's protocol meets them.

/** @import { Selection, Send } from "../../vitviz/ui/explorer/frontend/types.js" */
/** @import { Sync } from "../../vitviz/ui/explorer/frontend/state/sync.js" */

/** Timers that run when the test says that time has passed. */
export class FakeTimers {
    now = 0;
    #last = 0;
    /** @type {Map<unknown, {at: number, act: () => void}>} */
    #waiting = new Map();

    /** @param {() => void} act @param {number} ms */
    setTimeout(act, ms) {
        this.#waiting.set(++this.#last, { at: this.now + ms, act });
        return this.#last;
    }

    /** @param {unknown} timer */
    clearTimeout(timer) {
        this.#waiting.delete(timer);
    }

    /** @param {number} ms */
    pass(ms) {
        const end = this.now + ms;
        for (let next = this.#next(end); next; next = this.#next(end)) {
            const [timer, { at, act }] = next;
            this.#waiting.delete(timer);
            this.now = at;
            act();
        }
        this.now = end;
    }

    /** @param {number} end */
    #next(end) {
        const due = [...this.#waiting].filter(([, { at }]) => at <= end);
        return due.sort(([, one], [, other]) => one.at - other.at)[0];
    }
}

/** The selection of a link that says nothing. @type {Selection} */
export const START = Object.freeze({
    layer: 0,
    head: 0,
    query: 0,
    shows: "row",
    mean: false,
    scale: "shared",
    pinned: false,
});

/** A page's state on the server, and the way there and back, which takes `delay` ms each time. */
export class FakeStreamlit {
    delay = 20;
    /** Whether what is sent now arrives, and whether its echo does. */
    connected = true;
    echoes = true;
    digest = "model and picture";
    session = "first";
    seq = 0;
    selection = { ...START };
    /** All messages, lost ones too. @type {Parameters<Send>[0][]} */
    sent = [];
    /** The component's state in the browser, which every run is given, and the one that Python has seen.
     *  @type {Parameters<Send>[0] | null} */
    #state = null;
    /** @type {Parameters<Send>[0] | null} */
    #seen = null;

    /** @param {FakeTimers} timers @param {Sync} sync */
    constructor(timers, sync) {
        this.timers = timers;
        this.sync = this.mount(sync);
    }

    /** Put the explorer on the page, and run the script for it. @param {Sync} sync */
    mount(sync) {
        this.sync = sync;
        sync.open(this.digest, () => {});
        sync.send = (message) => {
            this.sent.push(message);
            this.#state = message;
            this.run();
        };
        this.run();
        return sync;
    }

    /** Ask for a run of the script, as the component does and all else on the page. */
    run() {
        if (!this.connected) return;
        const state = this.#state;
        this.timers.setTimeout(() => this.#run(state), this.delay);
    }

    /** The script's own controls change the selection. @param {Partial<Selection>} change */
    change(change) {
        Object.assign(this.selection, change);
        this.run();
    }

    /** A new server: it has what the URL has, and takes the state that it finds for what it always was. */
    restart() {
        this.session += "+";
        this.seq = 0;
        this.#seen = this.#state;
        this.run();
    }

    echo() {
        return { ...this.selection, digest: this.digest, seq: this.seq, session: this.session };
    }

    /** @param {Parameters<Send>[0] | null} state */
    #run(state) {
        if (state && state !== this.#seen) {
            const { digest, seq, ...changes } = state;
            this.seq = seq;
            if (digest === this.digest) Object.assign(this.selection, changes);
        }
        this.#seen = state;
        const echo = this.echo();
        if (this.echoes && this.connected) this.timers.setTimeout(() => this.sync.receive(echo), this.delay);
    }
}
