// Pictures that somebody chose, for the page: a worker that is asked, and answers when it has opened or read one.

import { PictureError } from "./container.js";

/** @import { Crop, Rule } from "./preprocess.js" */

export class Pictures {
    /** @param {Worker} worker of worker.js */
    constructor(worker) {
        this.worker = worker;
        this.asked = 0;
        /** Who waits for an answer, by its number. @type {Map<number, { done(value: any): void, fail(error: Error): void }>} */
        this.waiting = new Map();
        worker.onmessage = ({ data: { id, done, error } }) => {
            const who = this.waiting.get(id);
            this.waiting.delete(id);
            if (error === undefined) who?.done(done);
            else who?.fail(new PictureError(error));
        };
        worker.onerror = (event) => {
            event.preventDefault();
            const error = new Error(event.message || "the worker cannot be started");
            for (const who of this.waiting.values()) who.fail(error);
            this.waiting.clear();
        };
    }

    /** A file as a picture. Rejects with a `PictureError`, whose message is for the user, whatever the bytes are.
     *  @param {Blob} file */
    async open(file) {
        const number = this.asked + 1;
        /** @type {{ size: number[], notes: string[], transparent: boolean }} */
        const found = await this.ask("open", { number, file });
        return new Photo(this, number, found);
    }

    /** @param {string} ask @param {Record<string, unknown>} how @returns {Promise<any>} */
    ask(ask, how) {
        const id = ++this.asked;
        this.worker.postMessage({ id, ask, ...how });
        return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
    }

    close() {
        this.worker.terminate();
    }
}

/** A picture that was opened; the worker has it. */
export class Photo {
    /** @param {Pictures} pictures @param {number} number
     *  @param {{ size: number[], notes: string[], transparent: boolean }} found width and height; sentences worth telling;
     *      whether anything was laid on white */
    constructor(pictures, number, { size, notes, transparent }) {
        this.pictures = pictures;
        this.number = number;
        this.size = size;
        this.notes = notes;
        this.transparent = transparent;
    }

    /** What a model reads of it, `n (c ph pw)`, and where that lies: left, top, right, bottom in pixels.
     *  @param {Rule} rule @param {number[]} patch rows and columns of a patch @param {Crop | null} [chosen]
     *  @returns {Promise<{ patches: Float32Array, seen: number[] }>} */
    read(rule, patch, chosen = null) {
        return this.pictures.ask("read", { number: this.number, rule, patch, chosen });
    }

    /** All of it as a JPEG file, for the eye. @returns {Promise<Uint8Array>} */
    whole() {
        return this.pictures.ask("whole", { number: this.number });
    }

    /** Let the worker forget it. */
    close() {
        return this.pictures.ask("close", { number: this.number });
    }
}
