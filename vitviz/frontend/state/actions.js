// Actions, as tables say them: what can be done now, and how its keys are written.

/** @import { Action, ActionOf } from "../types/board.js" */

const NAMES = /** @type {Record<string, string>} */ ({
    PageDown: "PgDn",
    PageUp: "PgUp",
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    " ": "Space",
    Escape: "Esc",
    "-": "−",
});

/** The keys of an action as they are written. @param {Pick<Action, "keys" | "shown">} action */
export const shownOf = ({ keys, shown }) =>
    shown ?? [...new Set(keys.map((key) => NAMES[key] ?? (key[1] ? key : key.toUpperCase())))].join(" ");

/** What a button for an action says of it. @param {Action | ActionOf<never>} action */
export const titleOf = (action) => `${action.label} (${shownOf(action)})`;

/** A press on a button, which has no key. */
export const PRESSED = { key: "", repeat: false };

/** Of a table what can be done now. @template Of @param {Record<string, ActionOf<Of>>} table @param {Of} of what it is
 *  done to @returns {Record<string, Action>} */
export const acting = (table, of) =>
    Object.fromEntries(
        Object.entries(table)
            .filter(([, { when }]) => !when || when(of))
            .map(([name, action]) => [name, { ...action, perform: (pressed) => action.perform(of, pressed) }]),
    );
