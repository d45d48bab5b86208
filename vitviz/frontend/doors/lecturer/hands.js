// What the lecturer can do: a button each, with the key that does the same.

/** @import { Key } from "../../types/board.js" */
/** @import { Lecturer } from "./lecturer.js" */

import { BLANKS } from "../../lecture/keys.js";

/** `says` is what stands on the button now, "" where it has no use, `does` what help says of its keys; `always`: without a
 *  room, too; `rare`: at the head.
 *  @typedef {{ name: string, keys: string[], does?: string, says(window: Lecturer): string, act(window: Lecturer): void,
 *              waits?(window: Lecturer): boolean, advised?(window: Lecturer): boolean, always?: boolean,
 *              rare?: boolean }} Hand */

const ON = { ask: "Ask", lock: "Lock the guesses", reveal: "Show the answer", step: "Next", end: "The end" };

/** @type {Hand[]} */
export const HANDS = [
    {
        name: "give",
        keys: [],
        says: (window) => (window.elsewhere ? "Give this lesson" : ""),
        act: (window) => window.give(),
        waits: ({ room }) => !room.connected,
    },
    {
        name: "back",
        always: true,
        keys: ["PageUp", "ArrowLeft"],
        does: "previous step",
        says: ({ step }) => (step > 1 ? "Back" : ""),
        act: (window) => window.goBack(),
    },
    {
        name: "on",
        always: true,
        keys: ["PageDown", "ArrowRight"],
        does: "next step; a question asks, locks and shows first",
        says: (window) => (window.awaited ? "Counting …" : ON[window.next]),
        act: (window) => window.goOn(),
        waits: (window) => window.ended || window.awaited || window.pause.on,
    },
    {
        name: "again",
        keys: ["a", "A"],
        does: "ask again, once guesses are locked",
        says: ({ state }) => (state?.phase === "locked" && state.round === 1 ? "Ask again" : ""),
        act: ({ room }) => room.say({ ask: 2 }),
        advised: ({ parts }) => parts.asking.advice.endsWith("ask again."),
    },
    {
        name: "skip",
        keys: ["n", "N"],
        does: "next step without the question",
        says: ({ next, step, steps }) =>
            ["step", "end"].includes(next) || step === steps.length ? "" : "Next without it",
        act: (window) => window.go(window.step + 1),
    },
    {
        name: "blank",
        keys: BLANKS,
        does: "all screens black, or on",
        says: ({ room: { state } }) => (state?.blank ? "Screens on" : "Screens black"),
        act: ({ room }) => room.say({ blank: !room.state?.blank }),
    },
    {
        name: "code",
        keys: ["q", "Q"],
        does: "show the room's code, or hide it",
        says: ({ room: { state } }) => (state?.code ? "Hide the code" : "Show the code"),
        act: ({ room }) => room.say({ code: !room.state?.code }),
    },
    {
        name: "share",
        keys: [],
        rare: true,
        says: (window) =>
            window.picture && (window.room.state?.shared ? "Take my picture back" : "Show my picture to all"),
        act: (window) => window.share(),
    },
    {
        name: "table",
        keys: [],
        rare: true,
        says: () => "Guesses as CSV",
        act: ({ room }) => room.say({ table: true }),
    },
    {
        name: "close",
        keys: [],
        rare: true,
        says: () => "Close the room",
        waits: ({ room }) => !room.connected,
        act: ({ parts }) => {
            parts.closing.hidden = false;
        },
    },
];

/** The page's own buttons that give a lesson, where none is given yet. */
const lessons = () =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[class*="st-key-give-"] button')]).slice(0, 9);

/** What keys do in the window now. @param {Lecturer} window @returns {Key[]} */
export function keysOf(window) {
    const { code } = window.room.led;
    if (!window.lesson)
        return lessons().map((button, at) => ({
            keys: [String(at + 1)],
            says: "give that lesson to a class",
            act: () => button.click(),
        }));
    const hands = HANDS.filter(({ keys, always }) => keys.length && (always || code)).map((hand) => ({
        keys: hand.keys,
        says: hand.does ?? "",
        act: (/** @type {KeyboardEvent} */ { repeat }) => repeat || window.press(hand),
    }));
    const open = { keys: ["o", "O"], says: "open a room", act: () => window.parts.open() };
    const screen = { keys: ["v", "V"], says: "the class's screen", act: () => window.parts.screen.click() };
    return [...hands, code ? screen : open, window.typing.key];
}
