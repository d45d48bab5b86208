// A browser in a lecture: its line, its storage, and what Python, a hand and the room say.

import { beforeEach } from "node:test";

import { newBoard, said, stand, timers, visits } from "../page.js";

/** @import { Lesson, State } from "#frontend/types/lecture.js" */

/** Connections that were opened, the newest last. @type {Connection[]} */
export const connections = [];

/** A WebSocket whose other end is the test. */
class Connection {
    static OPEN = 1;
    readyState = 1;
    onopen = () => {};
    onclose = (/** @type {object} */ _closed) => {};
    onmessage = (/** @type {{ data: string }} */ _message) => {};
    /** @type {Record<string, any>[]} */
    sent = [];

    /** @param {string} url */
    constructor(url) {
        this.url = url;
        connections.push(this);
    }

    /** @param {string} text */
    send(text) {
        this.sent.push(JSON.parse(text));
    }

    close() {
        this.readyState = 3;
    }

    /** @param {object} message */
    says(message) {
        this.onmessage({ data: JSON.stringify(message) });
    }
}

/** @type {Map<string, string>} */
export const held = new Map();
const storage = {
    getItem: (/** @type {string} */ name) => held.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => held.set(name, text),
    removeItem: (/** @type {string} */ name) => held.delete(name),
};
/** What listens to the page. @type {Map<string, (event: object) => void>} */
const listening = new Map();
Object.assign(globalThis, {
    WebSocket: Connection,
    localStorage: storage,
    sessionStorage: storage,
    addEventListener: (/** @type {string} */ kind, /** @type {() => void} */ act) => listening.set(kind, act),
    removeEventListener: (/** @type {string} */ kind, /** @type {() => void} */ act) =>
        listening.get(kind) === act && listening.delete(kind),
    document: { addEventListener: () => {}, removeEventListener: () => {}, hidden: false },
});
/** Something happens to the page. @param {string} kind */
export const happens = (kind) => listening.get(kind)?.({ isTrusted: true });
Object.assign(globalThis.location, { href: "http://page/", protocol: "http:" });

const { Lecture } = await import("#frontend/lecture/lecture.js");
const { action } = await import("#frontend/frame/actions.js");

export const asked = {
    kind: /** @type {const} */ ("choose"),
    asks: "?",
    options: ["a", "b"],
    low: 0,
    high: 0,
    unit: "",
};
/** @param {string} says @param {string} view */
const step = (says, view, question = /** @type {typeof asked | null} */ (null)) => ({
    says,
    view,
    notes: "",
    minutes: 1,
    optional: false,
    question,
    explains: question ? "because" : "",
});
/** @type {Lesson} */
export const lesson = {
    name: "mine",
    title: "Mine",
    minutes: 4,
    steps: [
        step("one", "heads?layer=2"),
        step("two", "heads?layer=3"),
        step("three", "heads?layer=4", asked),
        step("four", "depth"),
    ],
};
/** @param {Partial<State>} fields @returns {State} */
export const state = (fields) => ({
    ...{
        serial: 1,
        lesson: "mine",
        title: "Mine",
        step: 1,
        of: 4,
        says: "one",
        explains: "",
        view: "heads?layer=2",
        question: null,
    },
    ...{ phase: "none", round: 1, blank: false, following: 0, result: null, shared: null, code: false },
    ...fields,
});

/** @type {ReturnType<typeof newBoard>["board"]} */
export let board;
/** @type {ReturnType<typeof newBoard>["python"]} */
export let python;
/** @type {InstanceType<typeof Lecture>} */
export let lecture;

const written = { ...history }; // as nobody hears of it

/** A visitor of an address. @param {string} at */
export function arrive(at) {
    Object.assign(history, written);
    timers.forget();
    stand(at);
    lecture?.room?.close();
    connections.length = 0;
    visits.length = 0;
    ({ board, python } = newBoard());
    python.open(said("heads"));
    lecture = new Lecture(python);
    board.lecture = lecture;
}

/** Python says something for the lecture. @param {import("#frontend/types/board.js").Taught} data */
export function tell(data) {
    lecture.receive([data]);
}

/** A hand does something. @param {Partial<import("#frontend/types/board.js").Selection>} fields */
export function touch(fields) {
    happens("pointerdown");
    board.store.choose(fields);
    timers.pass(0);
}

/** @param {string} pressed */
export const press = (pressed) => action(board, pressed)?.(/** @type {KeyboardEvent} */ ({ key: pressed }));

/** The room that this browser is in. */
export const room = () => /** @type {Connection} */ (connections.at(-1));

beforeEach(() => held.clear());

/** A browser that leads the room at this address, with the lesson. @param {string} at */
export function take(at) {
    held.set("vitviz_lecture", JSON.stringify({ code: "BCDF", secret: "s", owner: "o" }));
    arrive(at);
    tell({ lesson: { ...lesson, step: 1 } });
    room().onopen();
}
