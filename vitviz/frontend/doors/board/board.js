// What Streamlit calls when the board is mounted, and when the theme changes. It is mounted once and stays; what Python
// says comes by the inbox, so that this code is sent once.

/** @import { ColumnData, Component, Makers, Taught } from "../../types/board.js" */

import { Frame } from "../../frame/frame.js";
import { TakeAway } from "../../frame/takeaway.js";
import { Board } from "../../state/board.js";
import { acceptPhotos } from "../../streamlit/drop.js";
import { followLinks, showSidebar, sidebarOf } from "../../streamlit/page.js";
import { Python } from "../../streamlit/python.js";
import { onReturn } from "../../streamlit/router.js";
import { attend, inbox } from "../../transport/inbox.js";
import { route } from "../../transport/transport.js";
import { home } from "../../transport/words.js";

/** @type {WeakMap<ShadowRoot, () => void>} */
const closing = new WeakMap();

/** What Python has said is here once, and outlives the parts on the page: Streamlit may mount those anew, and says
 *  nothing twice. */
const board = new Board(route(home));
const python = new Python(board);
board.python = python;
const { first, store } = board;
const takeaway = new TakeAway(board);
board.takeaway = takeaway;
board.sidebar = sidebarOf(board);
onReturn(() => {
    store.returned();
    board.lecture?.returned();
});

/** The styles of what comes later, by name. @type {Map<string, string>} */
const styles = new Map();
const laterStyles = new CSSStyleSheet();

/** The scene of a page comes with the first visit to it, the second column when one is opened, the parts of a lecture with
 *  the first lecture. @type {Makers} */
const makers = {
    scenes: new Map(),
    async folded(script) {
        const { folded, css } = await import(new URL(script, document.baseURI).href);
        inbox().push({ stem: "folded", css });
        return folded;
    },
};

/** What Python says of the second column. @type {ColumnData | null} */
let column = null;

/** What it has said for a lecture. @type {Taught[]} */
const taught = [];

attend((data) => {
    if ("columns" in data) makers.columns = data.columns();
    else if ("lecture" in data) makers.lecture = data.lecture();
    else if ("load" in data) makers.scenes.set(data.stem, data.load());
    else if ("beside" in data) column = data.beside;
    else if ("visit" in data) python.visit(data.visit, data.entry);
    else if ("place" in data) takeaway.accept(data.place);
    else if ("file" in data) takeaway.receive(data.file);
    else if ("meta" in data) {
        if (first.data.stages.length && data.own && data.own !== first.data.own) showSidebar(false); // it has arrived
        python.open(data);
    } else if (!("css" in data)) taught.push(data);
    if ("css" in data) {
        styles.set("stem" in data ? data.stem : Object.keys(data)[0], data.css);
        laterStyles.replaceSync([...styles.values()].join(""));
    }
    if (makers.lecture) board.lecture ??= makers.lecture.lecture(python);
    board.lecture?.receive(taught);
    if (makers.columns && first.data.second) board.second ??= makers.columns.Columns.second(board);
    if (column) board.second?.accept(column);
    board.invalidate();
});

/** The board's parts, in the place that Streamlit gives them. @param {ShadowRoot} root @returns {() => void} what ends
 *  them */
function place(root) {
    root.adoptedStyleSheets.push(laterStyles);
    const frame = new Frame(root, board, makers);
    acceptPhotos(/** @type {HTMLElement} */ (root.querySelector(".board")), board, frame.until);
    followLinks(frame.until);
    return () => {
        frame.close();
        closing.delete(root);
    };
}

/** @param {Component<null>} component */
export default function mount({ parentElement }) {
    const background = getComputedStyle(parentElement.host).getPropertyValue("--st-background-color");
    document.documentElement.style.setProperty("--page-background", background);
    const close = closing.get(parentElement) ?? place(parentElement);
    closing.set(parentElement, close);
    board.invalidate();
    return close;
}
