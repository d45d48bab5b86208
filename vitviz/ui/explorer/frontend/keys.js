// The keys of the explorer in one table: what each does, where it works, and what is said of it.

/** @import { Elements } from "./elements.js" */
/** @import { Instrument } from "./instrument.js" */
/** @import { Meta } from "./types.js" */

/** @typedef {object} Key
 *  @property {string[]} keys as KeyboardEvent.key calls them, a letter in lower case
 *  @property {string} name
 *  @property {string} help what the line under the wall says; {} is the name
 *  @property {{picture?: string, wall?: string}} [spoken] what a screen reader says of it there
 *  @property {string} [elsewhere] the elements on which the key keeps its own meaning
 *  @property {(instrument: Instrument, key: string, by: 1 | -1) => void} act `by` is -1 with Shift */

/** @type {Key[]} */
export const KEYS = [
    {
        keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
        name: "Arrows",
        help: "{} move the query",
        spoken: { picture: "Arrow keys move the query" },
        elsewhere: "button, input, .scroll",
        act: (instrument, key) => instrument.ask(neighbour(key, instrument.selection.query, instrument.maps.meta)),
    },
    {
        keys: ["l"],
        name: "L",
        help: "{} layer",
        spoken: { wall: "L changes the layer" },
        act: (instrument, _, by) => instrument.turn("layer", by),
    },
    {
        keys: ["h"],
        name: "H",
        help: "{} head, with Shift back",
        spoken: { wall: "H the head" },
        act: (instrument, _, by) => instrument.turn("head", by),
    },
    {
        keys: [" "],
        name: "Space",
        help: "{} plays",
        elsewhere: "button, input:not([type=range])",
        act: (instrument) => instrument.play(),
    },
    {
        keys: ["Escape"],
        name: "Esc",
        help: "a click pins, {} unpins",
        spoken: { picture: "Escape unpins it" },
        act: (instrument) => instrument.set({ pinned: false }),
    },
];

/** What a screen reader says of a part of the explorer before its keys. */
const PARTS = {
    picture: "The picture as the model sees it.",
    wall: "One small attention map for each layer and head.",
};

/** Say of the keys what there is to say, on screen and to screen readers. @param {Elements} elements */
export function renderKeys({ keys, picture, wall, pinnedText }) {
    keys.replaceChildren(...KEYS.flatMap((key, i) => [i ? " · " : "", ...helpParts(key)]));
    picture.setAttribute("aria-label", spoken("picture"));
    wall.setAttribute("aria-label", spoken("wall"));
    pinnedText.textContent = `pinned · ${KEYS.find(({ keys }) => keys.includes("Escape"))?.name} lets go`;
}

/** The name of a single key stands in a box. @param {Key} key */
function helpParts({ keys, name, help }) {
    const box = keys.length > 1 ? name : Object.assign(document.createElement("kbd"), { textContent: name });
    const [before, after] = help.split("{}");
    return [before, box, after];
}

/** @param {"picture" | "wall"} part */
export const spoken = (part) => `${PARTS[part]} ${KEYS.flatMap(({ spoken }) => spoken?.[part] ?? []).join(", ")}.`;

/** What a key does on an element, or undefined where the key is none of ours.
 *  @param {string} pressed @param {{matches(selector: string): boolean}} target */
export function keyAt(pressed, target) {
    const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
    return KEYS.find(({ keys, elsewhere }) => keys.includes(key) && !(elsewhere && target.matches(elsewhere)));
}

/** The token that an arrow leads to: through the tokens in order, or up and down the grid, and from its first row to the
 *  last special token.
 *  @param {string} arrow @param {number} query @param {Pick<Meta, "columns" | "specials" | "tokens">} meta */
export function neighbour(arrow, query, { columns, specials, tokens }) {
    const first = specials.length;
    if (arrow === "ArrowLeft") return Math.max(0, query - 1);
    if (arrow === "ArrowRight") return Math.min(tokens - 1, query + 1);
    if (query < first) return arrow === "ArrowUp" ? Math.max(0, query - 1) : first;
    const next = arrow === "ArrowUp" ? query - columns : query + columns;
    if (next < first) return first ? first - 1 : query;
    return next < tokens ? next : query;
}
