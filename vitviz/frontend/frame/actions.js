// What a hand can do on the board, in one table from which keys, help and buttons come; and the one place that listens to
// keys. They work from the first moment on, without a click.

/** @import { Board } from "../state/board.js" */
/** @import { Column } from "../state/column.js" */
/** @import { Action, ActionOf } from "../types/board.js" */

import { buttonFor, element } from "../draw/elements.js";
import { ARROWS, way } from "../draw/touch.js";
import { acting, PRESSED, shownOf } from "../state/actions.js";

/** `button`: the words on its button, where these are not its label; `anywhere`: on pages without a scene as well; `by`:
 *  what the board must have for it. @typedef {ActionOf<Board> & { button?: string, anywhere?: boolean,
 *  by?: "python" | "sidebar" | "takeaway" }} Own */

/** Move the query over the grid of patches. @param {Column} column @param {number} x @param {number} y */
function step(column, x, y) {
    const { rows, columns, prefix } = column.meta;
    const patch = column.patchOf(column.chosen);
    if (column.chosen.query < prefix.length && !column.scene?.middle)
        return column.choose({ query: prefix.length + patch });
    const across = Math.max(0, Math.min(columns - 1, (patch % columns) + x));
    const down = Math.max(0, Math.min(rows - 1, Math.floor(patch / columns) + y));
    column.choose({ query: prefix.length + down * columns + across });
}

/** What the scene goes in steps of, where there are several. @param {"layer" | "head"} name
 *  @param {"depth" | "heads"} most how many a model has @returns {Own} */
const inSteps = (name, most) => ({
    keys: [name[0], name[0].toUpperCase()],
    label: `${name}, with Shift back`,
    when: ({ photo }) => photo?.steps.some(({ says, many }) => says === name && many > 1),
    perform({ first }, { key }) {
        const many = first.meta[most];
        first.choose({ [name]: (first.chosen[name] + (key === name[0] ? 1 : many - 1)) % many });
    },
});

export const DRAWERS = /** @type {const} */ (["formula", "code", "details"]);

/** A drawer, which Python draws. @param {typeof DRAWERS[number]} name @param {string} key @returns {Own} */
const drawer = (name, key) => ({
    keys: [key.toLowerCase(), key],
    label: name,
    by: "python",
    perform: ({ python }) => python?.drawer(name),
});

/** Where the switches beside a scene are fetched from; "" where they have no place: beside other scenes, and beside a
 *  second column. @param {Board} board */
export const scriptOf = ({ first: { data } }) => (data.second ? "" : String(data.facts.folded ?? ""));

/** @type {Record<string, Own>} */
export const ACTIONS = {
    turn: {
        keys: ["PageDown", "PageUp"],
        label: "next and previous moment, then page",
        anywhere: true,
        perform: (board, { key }) => board.turn(key === "PageDown" ? 1 : -1),
    },
    patch: { keys: ARROWS, label: "the chosen patch", perform: ({ first }, { key }) => step(first, ...way(key)) },
    layer: inSteps("layer", "depth"),
    head: inSteps("head", "heads"),
    play: { keys: [" "], label: "play", when: ({ first }) => first.scene?.play, perform: (board) => board.play() },
    letGo: { keys: ["Escape"], label: "let go, close", anywhere: true, perform: (board) => board.letGo() },
    photo: { keys: ["p", "P"], label: "hold: the photo without light", perform: ({ photo }) => photo?.hold(true) },
    formula: drawer("formula", "F"),
    code: drawer("code", "X"),
    details: drawer("details", "D"),
    beside: {
        keys: ["m", "M"],
        label: "a second model or picture beside",
        button: "beside",
        by: "python",
        when: ({ first }) => first.data.second || first.stage?.columns.length,
        perform: ({ python }) => python?.compare(),
    },
    take: {
        keys: ["t", "T"],
        label: "take away: link, picture, data, notebook",
        button: "take away",
        anywhere: true,
        by: "takeaway",
        perform: ({ takeaway }, { repeat }) => repeat || takeaway?.open(),
    },
    suits: {
        keys: ["u", "U"],
        label: "the other model: of photographs, of scenes",
        by: "sidebar",
        when: ({ first }) => first.data.meta?.match,
        perform: ({ sidebar }) => sidebar?.chooseOtherModel(),
    },
    switches: {
        keys: ["w", "W"],
        label: "switches of the model",
        when: scriptOf,
        perform: ({ store }) => store.choose({ switches: store.chosen.switches === "open" ? "folded" : "open" }),
    },
    sidebar: {
        keys: ["s", "S"],
        label: "picture and model",
        anywhere: true,
        by: "sidebar",
        perform: ({ sidebar }) => sidebar?.toggle(),
    },
    help: { keys: ["?"], label: "all keys", button: "keys", anywhere: true, perform: (board) => board.help() },
};

/** Do something of the table without a key. @param {Board} board @param {string} name */
export const press = (board, name) => ACTIONS[name].perform(board, PRESSED);

/** What stands on a button for an action: its key, and words. @param {string} name @param {Node | string} [words] */
export const faceOf = (name, words = ACTIONS[name].button ?? ACTIONS[name].label) => [
    element("kbd", {}, shownOf(ACTIONS[name])),
    words,
];

/** Such a button. @param {Board} board @param {string} name @param {Node} [words] */
export const buttonOf = (board, name, words) => buttonFor(faceOf(name, words), () => press(board, name));

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

/** All that can be done now, each with the keys that nothing before it takes: of another window on the page, of a lecture,
 *  of switches and of the scene, then the board's own. @param {Board} board @returns {(Action & { name: string })[]} */
export function working(board) {
    const { first, lecture } = board;
    const playing = Boolean(first.stage && first.data.meta);
    const own = Object.entries(ACTIONS).filter(([, { anywhere, by }]) => (playing || anywhere) && (!by || board[by]));
    const tables = [
        ...[...(globalThis.__vitviz_actions ?? [])].map((actions) => actions()),
        lecture?.actions,
        ...(playing ? [first.folded?.actions, first.scene?.actions] : []),
        acting(Object.fromEntries(own), board),
    ];
    const used = new Set();
    return tables
        .flatMap((table) => Object.entries(table ?? {}))
        .map(([name, it]) => ({ ...it, name, keys: it.keys.filter((key) => !used.has(key) && used.add(key)) }))
        .filter(({ keys }) => keys.length);
}

/** What a key does now. Help hides everything but its own way out.
 *  @param {Board} board @param {string} pressed @returns {Action["perform"] | undefined} */
export function action(board, pressed) {
    if (board.helping) return ["Escape", "?"].includes(pressed) ? () => board.help() : undefined;
    return working(board).find(({ keys }) => keys.includes(pressed))?.perform;
}

/** Open or close the help, which lists what works now. @param {HTMLDialogElement} help @param {Board} board */
export function explain(help, board) {
    if (help.open === board.helping) return;
    if (help.open) return help.close();
    help.querySelector("dl")?.replaceChildren(
        ...working(board).flatMap((action) => [
            element("dt", {}, element("kbd", {}, shownOf(action))),
            element("dd", {}, action.label),
        ]),
    );
    help.showModal();
}

/** @param {Board} board @param {AbortController} [until] what ends it */
export function listen(board, until) {
    const press = (/** @type {KeyboardEvent} */ event) => {
        const perform = busy(event) ? undefined : action(board, event.key);
        if (!perform) return;
        event.preventDefault();
        perform(event);
    };
    const turned = (/** @type {KeyboardEvent} */ event) => {
        if (!turns(event)) return;
        event.stopPropagation();
        press(event);
    };
    const release = () => board.photo?.hold(false);
    /** A button that was clicked gives the keys back: Space plays. One that opened something gets the focus back from it.
     *  So does the page round the board, which gets the focus of a click on a canvas and would be framed at the next key.
     *  @param {MouseEvent} event */
    const clicked = (event) => {
        const path = event.composedPath();
        const round = path.slice(1 + path.findIndex((it) => it instanceof Element && it.matches(".board")));
        const held = /** @type {HTMLElement | null} */ (document.activeElement);
        if (event.detail && held?.matches("[tabindex='0']") && round.length < path.length && round.includes(held))
            held.blur();
        const pressed = /** @type {Element} */ (event.composedPath()[0]).closest?.(".board button");
        if (event.detail && pressed && !pressed.closest(".info, .drawers, .takes"))
            /** @type {HTMLElement} */ (pressed).blur();
    };
    addEventListener("keydown", turned, { capture: true, signal: until?.signal });
    document.addEventListener("keydown", press, until);
    document.addEventListener("keyup", release, until);
    document.addEventListener("click", clicked, until);
}
