// One table of keys: what they do, and the help that says so. They work from the first moment on, without a click.

/** @import { Board } from "./state/board.js" */

import { turn } from "./frame/switching.js";
import { toggleSidebar } from "./streamlit.js";

/** `anywhere`: on pages without a scene as well.
 *  @typedef {{ keys: string[], shown: string, says: string, anywhere?: boolean,
 *              act(board: Board, event: KeyboardEvent): void }} Key */

/** Move the query over the grid of patches. @param {Board} board @param {number} x @param {number} y */
function step(board, x, y) {
    const { rows, columns, prefix } = board.meta;
    const patch = board.patchOf(board.chosen);
    if (board.chosen.query < prefix.length && !board.scene?.middle)
        return board.choose({ query: prefix.length + patch });
    const across = Math.max(0, Math.min(columns - 1, (patch % columns) + x));
    const down = Math.max(0, Math.min(rows - 1, Math.floor(patch / columns) + y));
    board.choose({ query: prefix.length + down * columns + across });
}

/** @param {number} value @param {number} by @param {number} many */
const round = (value, by, many) => (value + by + many) % many;

/** @type {Key[]} */
export const KEYS = [
    {
        keys: ["PageDown", "PageUp"],
        shown: "PgDn PgUp",
        says: "next and previous moment, then page",
        anywhere: true,
        act: (board, { key }) => board.turn(key === "PageDown" ? 1 : -1),
    },
    {
        keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
        shown: "← → ↑ ↓",
        says: "the chosen patch",
        act: (board, { key }) =>
            step(
                board,
                Number(key === "ArrowRight") - Number(key === "ArrowLeft"),
                Number(key === "ArrowDown") - Number(key === "ArrowUp"),
            ),
    },
    {
        keys: ["l", "L"],
        shown: "L",
        says: "layer, with Shift back",
        act: (board, { key }) =>
            board.choose({ layer: round(board.chosen.layer, key === "l" ? 1 : -1, board.meta.depth) }),
    },
    {
        keys: ["h", "H"],
        shown: "H",
        says: "head, with Shift back",
        act: (board, { key }) =>
            board.choose({ head: round(board.chosen.head, key === "h" ? 1 : -1, board.meta.heads) }),
    },
    { keys: [" "], shown: "Space", says: "play", act: (board) => board.play() },
    { keys: ["Escape"], shown: "Esc", says: "let go, close", anywhere: true, act: (board) => board.letGo() },
    { keys: ["p", "P"], shown: "P", says: "hold: the photo alone", act: (board) => board.hold(true) },
    { keys: ["f", "F"], shown: "F", says: "formula", act: (board) => board.drawer("formula") },
    { keys: ["x", "X"], shown: "X", says: "code", act: (board) => board.drawer("code") },
    { keys: ["d", "D"], shown: "D", says: "details", act: (board) => board.drawer("details") },
    { keys: ["b", "B"], shown: "B", says: "a second model or picture beside", act: (board) => board.compare() },
    {
        keys: ["t", "T"],
        shown: "T",
        says: "take away: link, picture, data, notebook",
        anywhere: true,
        act: (board, { repeat }) => repeat || board.takeaway?.open(),
    },
    { keys: ["w", "W"], shown: "W", says: "switches of the model", act: turn },
    { keys: ["s", "S"], shown: "S", says: "picture and model", anywhere: true, act: () => toggleSidebar() },
    { keys: ["?"], shown: "?", says: "all keys", anywhere: true, act: (board) => board.help() },
];

/** Controls that have keys of their own. */
const DEAF =
    "textarea, select, [contenteditable], [role=textbox], [role=listbox], [role=slider], [role=combobox], [role=grid]";

/** Whether somebody is writing, or holds a control that has keys of its own.
 *  @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "defaultPrevented" | "composedPath">} event */
export function taken(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
    const target = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (target.isContentEditable || target.closest?.(DEAF)) return true;
    if (target.type === "range") return /^(Arrow|Home|End|Enter)/.test(event.key);
    if (target.tagName === "INPUT") return !["checkbox", "button"].includes(target.type) || event.key === " ";
    return event.key === " " && Boolean(target.closest?.("button, a, summary, [role=button]"));
}

/** What a key does now: a scene's own key before those of the table. Help hides everything but its own way out.
 *  @param {Board} board @param {string} pressed @returns {((event: KeyboardEvent) => void) | undefined} */
export function meant(board, pressed) {
    const key = KEYS.find(({ keys }) => keys.includes(pressed));
    if (board.helping && !["Escape", "?"].includes(pressed)) return undefined;
    const playing = Boolean(board.stage && board.data.meta);
    const led = board.lecture?.meant(pressed);
    if (led) return led;
    const own = playing ? (board.scene?.keys?.[pressed] ?? board.folded?.keys[pressed]) : undefined;
    if (own) return own;
    return key && (playing || key.anywhere) ? (event) => key.act(board, event) : undefined;
}

/** @param {Board} board @param {AbortController} [until] what ends it */
export function listen(board, until) {
    const press = (/** @type {KeyboardEvent} */ event) => {
        const act = taken(event) ? undefined : meant(board, event.key);
        if (!act) return;
        event.preventDefault();
        act(event);
    };
    const release = () => board.hold(false);
    /** A button that was clicked gives the keys back: Space plays. One that opened something gets the focus back from it.
     *  @param {MouseEvent} event */
    const clicked = (event) => {
        const pressed = /** @type {Element} */ (event.composedPath()[0]).closest?.(".board button");
        if (event.detail && pressed && !pressed.closest(".info, .drawers, .takes"))
            /** @type {HTMLElement} */ (pressed).blur();
    };
    document.addEventListener("keydown", press, until);
    document.addEventListener("keyup", release, until);
    document.addEventListener("click", clicked, until);
}
