// What the lecturer can do: a button each, with the key that does the same; in the hall's screen a lecture has such keys, too.

/** @import { Action, ActionOf } from "../../types/board.js" */
/** @import { Lecturer } from "./leading.js" */

import { ACTIONS as LECTURE } from "../../lecture/actions.js";
import { asksAgain } from "../../lecture/states.js";
import { acting } from "../../state/actions.js";

/** `says` is what stands on the button now, "" where it has no use; `label` what help says of its keys; `rare`: at the
 *  head.
 *  @typedef {ActionOf<Lecturer> & { says(window: Lecturer): string, waits?(window: Lecturer): boolean,
 *              advised?(window: Lecturer): boolean, rare?: boolean }} Hand */

const ON = { ask: "Ask", lock: "Lock the guesses", reveal: "Show the answer", step: "Next", end: "The end" };

const leads = (/** @type {Lecturer} */ { room }) => room.led.code;

/** @type {Record<string, Hand>} */
export const HANDS = {
    give: {
        keys: [],
        label: "give this lesson",
        when: leads,
        says: (window) => (window.elsewhere ? "Give this lesson" : ""),
        perform: (window) => window.give(),
        waits: ({ room }) => !room.connected,
    },
    back: {
        keys: [...LECTURE.back.keys, "ArrowLeft"],
        label: LECTURE.back.label,
        says: ({ step }) => (step > 1 ? "Back" : ""),
        perform: (window) => window.goBack(),
    },
    on: {
        keys: [...LECTURE.on.keys, "ArrowRight"],
        label: LECTURE.on.label,
        says: (window) => (window.awaited ? "Counting …" : ON[window.next]),
        perform: (window) => window.goOn(),
        waits: (window) => window.ended || window.awaited || window.pause.on,
    },
    again: {
        ...LECTURE.again,
        when: leads,
        says: ({ state }) => (asksAgain(state) ? "Ask again" : ""),
        perform: ({ room }) => room.say({ ask: 2 }),
        advised: ({ parts }) => parts.asking.advice.endsWith("ask again."),
    },
    skip: {
        keys: ["n", "N"],
        label: "next step without the question",
        when: leads,
        says: ({ next, step, steps }) =>
            ["step", "end"].includes(next) || step === steps.length ? "" : "Next without it",
        perform: (window) => window.go(window.step + 1),
    },
    blank: {
        ...LECTURE.blank,
        when: leads,
        says: ({ room: { state } }) => (state?.blank ? "Screens on" : "Screens black"),
        perform: ({ room }) => room.say({ blank: !room.state?.blank }),
    },
    code: {
        keys: ["q", "Q"],
        label: "show the room's code, or hide it",
        when: leads,
        says: ({ room: { state } }) => (state?.code ? "Hide the code" : "Show the code"),
        perform: ({ room }) => room.say({ code: !room.state?.code }),
    },
    share: {
        keys: [],
        label: "show my picture to all",
        when: leads,
        rare: true,
        says: (window) =>
            window.asked.picture && (window.room.state?.shared ? "Take my picture back" : "Show my picture to all"),
        perform: ({ asked }) => asked.share(),
    },
    table: {
        keys: [],
        label: "guesses as CSV",
        when: leads,
        rare: true,
        says: () => "Guesses as CSV",
        perform: ({ room }) => room.say({ table: true }),
    },
    close: {
        keys: [],
        label: "close the room",
        when: leads,
        rare: true,
        says: () => "Close the room",
        waits: ({ room }) => !room.connected,
        perform: ({ parts }) => {
            parts.closing.hidden = false;
        },
    },
};

/** What has no button in the row of hands. @type {Record<string, ActionOf<Lecturer>>} */
export const OTHERS = {
    open: {
        keys: ["o", "O"],
        label: "open a room",
        when: (window) => !leads(window),
        perform: ({ parts }) => parts.open(),
    },
    screen: {
        keys: ["v", "V"],
        label: "the class's screen",
        when: leads,
        perform: ({ parts }) => parts.screen.click(),
    },
};

/** The page's own buttons that give a lesson, where none is given yet. */
const lessons = () =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[class*="st-key-give-"] button')]).slice(0, 9);

/** What can be done in the window now; of a hand, what has no use or waits does nothing. @param {Lecturer} window
 *  @returns {Record<string, Action>} */
export function actionsOf(window) {
    if (!window.lesson)
        return Object.fromEntries(
            lessons().map((button, at) => {
                const keys = [String(at + 1)];
                return [`give${at}`, { keys, label: "give that lesson to a class", perform: () => button.click() }];
            }),
        );
    const hands = acting(HANDS, window);
    for (const [name, action] of Object.entries(hands))
        action.perform = ({ repeat }) => repeat || window.press(HANDS[name]);
    return { ...hands, ...acting(OTHERS, window), typing: window.typing.action };
}
