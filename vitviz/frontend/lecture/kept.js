// What a browser keeps of a lecture: who it is in a room, a random number, whether it may lead, and what it has guessed.

/** @import { Led, Own, State, Vote } from "../types/lecture.js" */
/** @import { Words } from "./words.js" */

import { wordsHere } from "./words.js";

const LEADS = "vitviz_lecture"; // the room that it leads, written by the lecturer's window
const ROOM = "vitviz_room_"; // and the letters of a room: the number of who follows
const GUESSES = "vitviz_guesses"; // in the tab's own storage
const MOST = 12; // lessons, each alone or in a room
const NOBODY = /** @type {Led} */ ({ code: "", secret: "", owner: "", began: 0 });

/** 32 random digits and letters a to f. */
export function random() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((it) => it.toString(16).padStart(2, "0")).join("");
}

/** What the page keeps where the browser keeps nothing. @type {Map<string, string>} */
const ours = new Map();
const page = {
    getItem: (/** @type {string} */ name) => ours.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => void ours.set(name, text),
    removeItem: (/** @type {string} */ name) => void ours.delete(name),
};

/** A storage of the browser; where it refuses, as it does without cookies, the page itself, until it is closed.
 *  @param {"localStorage" | "sessionStorage"} name @returns {Pick<Storage, "getItem" | "setItem" | "removeItem">} */
export function storage(name) {
    try {
        const found = globalThis[name];
        found.setItem("vitviz", "");
        found.removeItem("vitviz");
        return found;
    } catch {
        return page;
    }
}

export class Kept {
    constructor(store = storage("localStorage")) {
        this.storage = store;
    }

    /** @param {string} room */
    leads(room) {
        return this.led.code === room;
    }

    /** What the address asks for; who follows a room follows its lesson, though a copied address may name another.
     *  @param {{ code: string, leads: boolean } | null} room the one that this browser is in @returns {Words} */
    words(room) {
        const words = wordsHere();
        const leads = words.room === room?.code ? room.leads : this.leads(words.room);
        return words.room && !leads ? { ...words, lesson: "", step: 1 } : words;
    }

    /** @returns {Led} */
    get led() {
        try {
            return { ...NOBODY, ...JSON.parse(this.storage.getItem(LEADS) ?? "{}") };
        } catch {
            return NOBODY;
        }
    }

    /** @param {Partial<Led>} fields */
    lead(fields) {
        this.storage.setItem(LEADS, JSON.stringify({ ...this.led, ...fields }));
    }

    /** Who this browser is in a room. @param {string} room */
    id(room) {
        const known = this.storage.getItem(ROOM + room);
        const id = known && /^[0-9a-f]{32}$/.test(known) ? known : random();
        if (id !== known) this.storage.setItem(ROOM + room, id);
        return id;
    }

    /** A number from 0 to 1, always the same one for this browser in a room. @param {string} room */
    share(room) {
        return Number.parseInt(this.id(room).slice(0, 8), 16) / 2 ** 32;
    }

    /** What is said first. @param {string} room @param {State | null} state what a room that is gone begins with anew */
    hello(room, state) {
        const { code, secret, owner } = this.led;
        const id = this.id(room);
        return code === room ? { id, secret, owner, state } : { id };
    }

    /** @param {string} room that is closed */
    forget(room) {
        this.storage.removeItem(ROOM + room);
        if (this.leads(room)) this.storage.removeItem(LEADS);
    }
}

/** The guesses of a tab, by lesson, by the room in which it was given or "" alone, and by step. */
export class Guesses {
    constructor() {
        this.storage = storage("sessionStorage");
        /** Lessons with their rooms, the one guessed at last at the end. @type {[string, Record<string, Own>][]} */
        this.all = [];
        try {
            const list = JSON.parse(this.storage.getItem(GUESSES) ?? "[]");
            if (Array.isArray(list)) this.all = list;
        } catch {} // what somebody else wrote there
    }

    /** The guesses at a step, by round. @param {string} lesson @param {string} room @param {number} step @returns {Own} */
    at(lesson, room, step) {
        return this.all.find(([name]) => name === `${lesson} ${room}`)?.[1][step] ?? [null, null];
    }

    /** @param {string} lesson @param {string} room @param {number} step @param {Own} own */
    keep(lesson, room, step, own) {
        const name = `${lesson} ${room}`;
        const before = this.all.find((it) => it[0] === name)?.[1];
        const others = this.all.filter((it) => it[0] !== name);
        this.all = [...others, /** @type {[string, Record<string, Own>]} */ ([name, { ...before, [step]: own }])];
        this.all.splice(0, Math.max(0, this.all.length - MOST));
        this.storage.setItem(GUESSES, JSON.stringify(this.all));
    }

    /** The last guess at each step of a lesson, wherever it was given. @param {string} lesson
     *  @returns {Record<string, Vote>} */
    of(lesson) {
        /** @type {Record<string, Vote>} */
        const found = {};
        for (const [name, own] of this.all)
            for (const [step, [first, second]] of Object.entries(own)) {
                const guess = second ?? first;
                if (name.slice(0, name.lastIndexOf(" ")) === lesson && guess !== null) found[step] = guess;
            }
        return found;
    }
}
