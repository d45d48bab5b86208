// One table of keys: what they do, and the help that says so. They work from the first moment on, without a click.

/** @import { Board } from "../state/board.js" */
/** @import { Key } from "../types/board.js" */

import { element } from "../draw/elements.js";
import { ARROWS, way } from "../draw/touch.js";
import { chooseOtherModel, toggleSidebar } from "./streamlit.js";
import { scriptOf, turn } from "./switching.js";

/** `anywhere`: on pages without a scene as well; `asks`: a server; `when`: what it needs to work.
 *  @typedef {Omit<Key, "act"> & { anywhere?: boolean, asks?: boolean, when?(board: Board): unknown,
 *            act(board: Board, event: KeyboardEvent): void }} Own */

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

/** Whether the scene goes in steps of this name. @param {string} name */
const goes =
    (name) =>
    (/** @type {Board} */ { photo }) =>
        photo?.steps.some(({ says, many }) => says === name && many > 1);

export const DRAWERS = /** @type {const} */ ([
    ["F", "formula"],
    ["X", "code"],
    ["D", "details"],
]);

/** @type {Own[]} */
const KEYS = [
    {
        keys: ["PageDown", "PageUp"],
        says: "next and previous moment, then page",
        anywhere: true,
        act: (board, { key }) => board.turn(key === "PageDown" ? 1 : -1),
    },
    {
        keys: ARROWS,
        says: "the chosen patch",
        act: (board, { key }) => step(board, ...way(key)),
    },
    {
        keys: ["l", "L"],
        says: "layer, with Shift back",
        when: goes("layer"),
        act: (board, { key }) =>
            board.choose({ layer: round(board.chosen.layer, key === "l" ? 1 : -1, board.meta.depth) }),
    },
    {
        keys: ["h", "H"],
        says: "head, with Shift back",
        when: goes("head"),
        act: (board, { key }) =>
            board.choose({ head: round(board.chosen.head, key === "h" ? 1 : -1, board.meta.heads) }),
    },
    { keys: [" "], says: "play", when: ({ scene }) => scene?.play, act: (board) => board.play() },
    { keys: ["Escape"], says: "let go, close", anywhere: true, act: (board) => board.letGo() },
    { keys: ["p", "P"], says: "hold: the photo alone", act: (board) => board.hold(true) },
    ...DRAWERS.map(
        ([key, name]) =>
            /** @type {Own} */ ({
                keys: [key.toLowerCase(), key],
                says: name,
                asks: true,
                act: (board) => board.drawer(name),
            }),
    ),
    {
        keys: ["m", "M"],
        says: "a second model or picture beside",
        asks: true,
        when: ({ data, stage }) => data.second || stage?.columns.length,
        act: (board) => board.compare(),
    },
    {
        keys: ["t", "T"],
        says: "take away: link, picture, data, notebook",
        anywhere: true,
        asks: true,
        act: (board, { repeat }) => repeat || board.takeaway?.open(),
    },
    {
        keys: ["u", "U"],
        says: "the other model: of photographs, of scenes",
        asks: true,
        when: ({ data }) => data.meta?.match,
        act: chooseOtherModel,
    },
    { keys: ["w", "W"], says: "switches of the model", when: scriptOf, act: turn },
    { keys: ["s", "S"], says: "picture and model", anywhere: true, asks: true, act: () => toggleSidebar() },
    { keys: ["?"], says: "all keys", anywhere: true, act: (board) => board.help() },
];

/** Controls that have keys of their own; of those that would turn themselves by PgDn and PgUp, which a clicker sends to
 *  the lecture, arrows are enough. */
const DEAF =
    "textarea, select, [contenteditable], [role=textbox], [role=listbox], [role=slider], [role=combobox], [role=grid]:not(.switchboard)";
const TURNED = "select, [type=range], [type=radio], [role=slider]";

/** Whether a key goes on or back, and a control that is turned has the focus.
 *  @param {Pick<KeyboardEvent, "key" | "composedPath">} event */
const turns = (event) => /^Page/.test(event.key) && /** @type {Element} */ (event.composedPath()[0]).closest?.(TURNED);

/** Whether somebody is writing, or holds a control that has keys of its own.
 *  @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "defaultPrevented" | "composedPath">} event */
export function busy(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
    if (turns(event)) return false;
    const target = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    if (target.isContentEditable || target.closest?.(DEAF)) return true;
    if (target.type === "range") return /^(Arrow|Home|End)/.test(event.key);
    if (target.tagName === "INPUT") return !["checkbox", "button"].includes(target.type) || event.key === " ";
    return event.key === " " && Boolean(target.closest?.("button, a, summary, [role=button]"));
}

/** All keys that work now: those of another window on the page, of a lecture and of the scene go before the board's.
 *  @param {Board} board @returns {Key[]} */
export function working(board) {
    const { scene, folded, lecture } = board;
    const playing = Boolean(board.stage && board.data.meta);
    const own = KEYS.filter(
        ({ anywhere, asks, when = () => true }) => (playing || anywhere) && !(asks && !board.python) && when(board),
    );
    const all = [
        ...[...(globalThis.__vitviz_keys ?? [])].flatMap((keys) => keys()),
        ...(lecture?.keys ?? []),
        ...(playing ? [...(scene?.keys ?? []), ...(folded?.keys ?? [])] : []),
        ...own.map((key) => ({ ...key, act: (/** @type {KeyboardEvent} */ event) => key.act(board, event) })),
    ];
    const used = new Set();
    return all.filter(({ keys }) => keys.filter((key) => !used.has(key) && used.add(key)).length);
}

/** What a key does now. Help hides everything but its own way out.
 *  @param {Board} board @param {string} pressed @returns {Key["act"] | undefined} */
export function action(board, pressed) {
    if (board.helping) return ["Escape", "?"].includes(pressed) ? () => board.help() : undefined;
    return working(board).find(({ keys }) => keys.includes(pressed))?.act;
}

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

/** A key as it is written. @param {Pick<Key, "keys" | "shown">} key */
export const shownOf = ({ keys, shown }) =>
    shown ?? [...new Set(keys.map((key) => NAMES[key] ?? (key[1] ? key : key.toUpperCase())))].join(" ");

/** Open or close the help, which lists what works now. @param {HTMLDialogElement} help @param {Board} board */
export function explain(help, board) {
    if (help.open === board.helping) return;
    if (help.open) return help.close();
    help.querySelector("dl")?.replaceChildren(
        ...working(board).flatMap((key) => [
            element("dt", {}, element("kbd", {}, shownOf(key))),
            element("dd", {}, key.says),
        ]),
    );
    help.showModal();
}

/** @param {Board} board @param {AbortController} [until] what ends it */
export function listen(board, until) {
    const press = (/** @type {KeyboardEvent} */ event) => {
        const act = busy(event) ? undefined : action(board, event.key);
        if (!act) return;
        event.preventDefault();
        act(event);
    };
    const turned = (/** @type {KeyboardEvent} */ event) => {
        if (!turns(event)) return;
        event.stopPropagation();
        press(event);
    };
    const release = () => board.hold(false);
    /** A button that was clicked gives the keys back: Space plays. One that opened something gets the focus back from it.
     *  @param {MouseEvent} event */
    const clicked = (event) => {
        const pressed = /** @type {Element} */ (event.composedPath()[0]).closest?.(".board button");
        if (event.detail && pressed && !pressed.closest(".info, .drawers, .takes"))
            /** @type {HTMLElement} */ (pressed).blur();
    };
    addEventListener("keydown", turned, { capture: true, signal: until?.signal });
    document.addEventListener("keydown", press, until);
    document.addEventListener("keyup", release, until);
    document.addEventListener("click", clicked, until);
}
