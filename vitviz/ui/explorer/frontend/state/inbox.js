// What Python sends waits here until the explorer's code is there to read it; from then on it is read at once.

/** @template T */
export class Inbox {
    /** @type {T[]} */
    #waiting = [];
    /** @type {((item: T) => void) | null} */
    #read = null;

    /** @param {T} item */
    push(item) {
        if (this.#read) this.#read(item);
        else this.#waiting.push(item);
    }

    /** Read what waits, and from now on everything at once. @param {(item: T) => void} read */
    attend(read) {
        this.#read = read;
        this.#waiting.splice(0).forEach(read);
    }
}

globalThis.__vitviz ??= { messages: new Inbox(), echoes: new Inbox() };

export const messages = globalThis.__vitviz.messages;
export const echoes = globalThis.__vitviz.echoes;
