// What the lecturer can do: a button each, with the key that does the same.

/** @import { Lecturer } from "./lecturer.js" */

/** `says` is what stands on the button now, "" where it has no use; `always`: without a room, too; `rare`: at the head.
 *  @typedef {{ name: string, keys: string[], shown: string, says(window: Lecturer): string, act(window: Lecturer): void,
 *              waits?(window: Lecturer): boolean, advised?(window: Lecturer): boolean, always?: boolean,
 *              rare?: boolean }} Hand */

const ON = { ask: "Ask", lock: "Lock the guesses", reveal: "Show the answer", step: "Next" };

/** @type {Hand[]} */
export const HANDS = [
    {
        name: "give",
        keys: [],
        shown: "",
        says: (window) => (window.elsewhere ? "Give this lesson" : ""),
        act: (window) => window.give(),
        waits: ({ room }) => !room.connected,
    },
    {
        name: "back",
        always: true,
        keys: ["PageUp", "ArrowLeft"],
        shown: "PgUp",
        says: ({ step }) => (step > 1 ? "Back" : ""),
        act: (window) => window.go(window.step - 1),
    },
    {
        name: "on",
        always: true,
        keys: ["PageDown", "ArrowRight"],
        shown: "PgDn",
        says: (window) => (window.atEnd ? "" : ON[window.next]),
        act: (window) => window.goOn(),
        waits: (window) => window.next === "reveal" && !window.truth,
    },
    {
        name: "again",
        keys: ["a", "A"],
        shown: "A",
        says: ({ state }) => (state?.phase === "locked" && state.round === 1 ? "Ask again" : ""),
        act: ({ room }) => room.say({ ask: 2 }),
        advised: ({ parts }) => parts.asking.advice.endsWith("ask again."),
    },
    {
        name: "skip",
        keys: ["n", "N"],
        shown: "N",
        says: (window) => (window.next === "step" || window.step === window.steps.length ? "" : "Next without it"),
        act: (window) => window.go(window.step + 1),
    },
    {
        name: "blank",
        keys: ["b", "B", "."],
        shown: "B",
        says: ({ room: { state } }) => (state?.blank ? "Screens on" : "Screens black"),
        act: ({ room }) => room.say({ blank: !room.state?.blank }),
    },
    {
        name: "code",
        keys: ["q", "Q"],
        shown: "Q",
        says: ({ room: { state } }) => (state?.code ? "Hide the code" : "Show the code"),
        act: ({ room }) => room.say({ code: !room.state?.code }),
    },
    {
        name: "share",
        keys: [],
        shown: "",
        rare: true,
        says: (window) =>
            window.picture && (window.room.state?.shared ? "Take my picture back" : "Show my picture to all"),
        act: (window) => window.share(),
    },
    {
        name: "table",
        keys: [],
        shown: "",
        rare: true,
        says: () => "Guesses as CSV",
        act: ({ room }) => room.say({ table: true }),
    },
    {
        name: "close",
        keys: [],
        shown: "",
        rare: true,
        says: () => "Close the room",
        waits: ({ room }) => !room.connected,
        act: ({ parts }) => {
            parts.closing.hidden = false;
        },
    },
];
