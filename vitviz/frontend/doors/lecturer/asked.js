// What Python is asked by the address, and says: what is right in a step, and a copy of the lecturer's own picture.

/** @import { Truth, WindowData } from "../../types/lecture.js" */
/** @import { Room } from "./room.js" */

import { visit } from "../../transport/inbox.js";
import { here, withWords, wordsIn } from "../../transport/words.js";

const REST = 300; // ms until Python is asked what is right in the step that the hand rests on

export class Asked {
    /** @param {Room} room */
    constructor(room) {
        this.room = room;
        /** What is right by step, and why nothing is. @type {Map<number, { truth: Truth | null, why: string }>} */
        this.answers = new Map();
        /** Rows and columns of the patches in this step. @type {[number, number]} */
        this.grid = [1, 1];
        /** The picture of the lecturer's own that all are to see, until Python has copied it. */
        this.sharing = "";
        /** @type {ReturnType<typeof setTimeout> | 0} */
        this.resting = 0;
    }

    /** @param {WindowData} data @param {number} here the step that the hand is at */
    receive({ lesson, step, grid, truth, why, shared }, here) {
        if (lesson && (truth || why)) this.answers.set(step, { truth, why });
        if (step === here) this.grid = grid;
        if (this.sharing && shared !== null) this.copied(shared);
    }

    /** The hand is at a step, as the address says at once; Python is asked where it rests. @param {number} step */
    stand(step) {
        const words = { step: String(step) };
        this.write(words);
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.ask(words), REST);
    }

    /** The picture of the lecturer's own that is on screen, or "". */
    get picture() {
        return wordsIn(this.room.state?.view ?? "").picture ?? "";
    }

    /** Let all see the lecturer's own picture, or no longer. */
    share() {
        const { room, picture } = this;
        if (room.state?.shared) return room.say({ share: null });
        this.sharing = picture;
        this.ask({ share: `${room.state?.grant}-${picture}` });
    }

    /** Python has copied the picture under this name. @param {string} name */
    copied(name) {
        this.sharing = "";
        this.ask({ share: "" });
        if (name) this.room.say({ share: name });
        else this.room.trouble = "this browser no longer has that picture; upload it again";
    }

    /** Let Python read this in the address. @param {Record<string, string>} words */
    ask(words) {
        this.write(words);
        visit(here(), false);
    }

    /** Let the address say this, without an entry in the browser's history. @param {Record<string, string>} words */
    write(words) {
        history.replaceState({}, "", withWords(here(), words));
    }
}
