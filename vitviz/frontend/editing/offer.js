// A larger model, offered to this browser: who asks for it fetches it, meanwhile the server runs it, and then the faster of
// the two.

/** @import { Progress, ModelSpec } from "../types/forward.js" */

import { buttonFor } from "../draw/elements.js";

/** The parameters that were fetched last: the same are fetched again without being asked for. */
let latest = "";

export class Offer {
    /** @param {ModelSpec} spec of a larger model @param {() => void} ask begins to fetch it */
    constructor(spec, ask) {
        this.spec = spec;
        /** Whether it is fetched, or has been. */
        this.taken = latest === spec.parameters;
        /** Why the server runs it all the same. */
        this.why = "";
        /** @type {Progress | null} */
        this.progress = null;
        /** ms of the fastest answer of the server to edits, 0 where none has come. */
        this.server = 0;
        this.awaited = { edits: "", since: 0 };
        this.button = buttonFor(`run it in this browser (${megabytes(spec.bytes)})`, () => {
            this.taken = true;
            latest = spec.parameters;
            ask();
        });
    }

    /** The server has been asked for the run with these edits. @param {string} edits */
    begin(edits) {
        if (edits && edits !== this.awaited.edits) this.awaited = { edits, since: performance.now() };
    }

    /** It has answered. @param {string} edits */
    answered(edits) {
        const { edits: awaited, since } = this.awaited;
        if (!edits || edits !== awaited || !since) return;
        const took = performance.now() - since;
        this.server = this.server ? Math.min(this.server, took) : took;
        this.awaited.since = 0;
    }

    /** Whether this browser, whose edits take so many ms, is to run the model. @param {number} took */
    isFaster(took) {
        if (!this.server || took <= this.server) return true;
        this.why = `it takes ${Math.round(this.server)} ms there and ${Math.round(took)} ms in this browser`;
        latest = "";
        return false;
    }

    /** @param {unknown} error */
    failed(error) {
        this.progress = null;
        this.why = `this browser cannot: ${error instanceof Error ? error.message : error}`;
        latest = "";
    }

    /** What is said of it behind "the server runs the model". */
    get words() {
        if (this.why) return `: ${this.why}`;
        if (!this.taken) return "";
        const { done = 0, total = 0 } = this.progress ?? {};
        return `; on its way to this browser: ${megabytes(done)} of ${megabytes(total || this.spec.bytes)}`;
    }

    /** Say where the passes run, with the button where the model is offered. @param {HTMLElement} where
     *  @param {string} words */
    say(where, words) {
        const open = !this.taken;
        if (where.firstChild?.nodeValue === words && open === this.button.isConnected) return;
        where.replaceChildren(words, ...(open ? [" ", this.button] : []));
    }
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
