// A file that Python is asked for, until it has come.

/** @import { TakeAway } from "../../frame/takeaway.js" */
/** @import { FileAnswer } from "../../types/board.js" */
/** @import { Later } from "./clipboard.js" */

import { withWords } from "../../transport/words.js";
import { clipboardLater } from "./clipboard.js";
import { fetched, NAMES, save } from "./files.js";

const WORD = "take"; // of the address: what Python is asked for
const AGAIN = 20_000; // ms until Python is asked once more: Streamlit drops what it is told while its connection is away
const TRIES = 3; // of a file that was forgotten before it could be fetched

/** Whom it tells: that buttons wait, in words how far it is, and a text to cite.
 *  @typedef {{ busy(on: boolean): void, say(text: string): void, cite(text: string, clipboard: Later): Promise<void> }} Told */

/** Of which picture, and whether one of the visitor's own goes along. @typedef {{ key: string, held: "with" | "bare" }} Of */

export class Making {
    /** @param {TakeAway} takeaway @param {Told} told */
    constructor(takeaway, told) {
        this.takeaway = takeaway;
        this.told = told;
        /** What Python was asked for, of which picture, how often in this word and in which, whether it has answered, and
         *  who waits for it.
         *  @type {{ what: string, of: Of, word: string, times: number, tries: number, timer: number, answered: boolean, clipboard: Later } | null} */
        this.waits = null;
        this.count = 0;
    }

    /** @param {string} what @param {Of} of @param {number} [tries] @param {Later} [clipboard] asked for within the click */
    ask(what, of, tries = 1, clipboard = what === "cite" ? clipboardLater() : null) {
        this.stop();
        this.told.busy(true);
        this.told.say(`${NAMES[what]} is being made …`);
        this.count += 1;
        const word = `${of.key}.${what}.${of.held}.${Date.now() % 1e9}${this.count % 10}`;
        this.waits = { what, of, word, times: 1, tries, timer: 0, answered: false, clipboard };
        this.send();
    }

    send() {
        if (!this.waits) return;
        this.write(this.waits.word);
        clearTimeout(this.waits.timer);
        this.waits.timer = window.setTimeout(() => this.send(), AGAIN * this.waits.times++);
    }

    /** Let Python make a file; nothing any more without a word. @param {string} [word] */
    write(word = "") {
        const { board, visit, replace } = this.takeaway;
        const to = withWords(board.first.address, { [WORD]: word });
        if (word) visit(to, false);
        else replace(to);
    }

    /** Wait no longer. */
    stop() {
        if (!this.waits) return;
        clearTimeout(this.waits.timer);
        this.waits.clipboard?.leave();
        this.waits = null;
        this.told.busy(false);
        this.write();
    }

    /** What Python says of what it was asked for. @param {FileAnswer} file */
    async receive(file) {
        if (!this.waits) this.write(); // somebody loaded the page again in the meantime
        if (file.word !== this.waits?.word || this.waits.answered) return;
        const { what, of, tries, clipboard } = this.waits;
        this.waits.answered = true;
        if (file.says !== undefined) {
            this.stop();
            this.told.say(file.says);
            return;
        }
        clearTimeout(this.waits.timer);
        const content = await fetched(file.url ?? "");
        const text = what === "cite" && content ? await content.text() : "";
        if (file.word !== this.waits?.word) return; // closed, or another one was asked for
        if (content || tries < TRIES) this.waits.clipboard = null; // goes on to wait, or gets its text
        if (!content && tries < TRIES) {
            this.ask(what, of, tries + 1, clipboard);
            return;
        }
        this.stop();
        if (!content) this.told.say("The file did not come whole; choose it again.");
        else if (what === "cite") await this.told.cite(text, clipboard);
        else this.told.say(save(content, file.name ?? "view"));
    }
}
