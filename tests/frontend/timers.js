// Time that passes when a test says so.

/** Timers that run when the test says that time has passed. */
export class FakeTimers {
    now = 0;
    #last = 0;
    /** @type {Map<unknown, {at: number, act: () => void}>} */
    #waiting = new Map();

    /** @param {(...given: any[]) => void} act @param {number} ms @param {any[]} given */
    setTimeout(act, ms = 0, ...given) {
        this.#waiting.set(++this.#last, { at: this.now + ms, act: () => act(...given) });
        return this.#last;
    }

    /** @param {unknown} timer */
    clearTimeout(timer) {
        this.#waiting.delete(timer);
    }

    /** Let nothing that waits happen. */
    forget() {
        this.#waiting.clear();
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
