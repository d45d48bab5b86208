// The words of an address that belong to a lecture, beside those of a view. They stay whatever page is gone to.

import { HOME, LEADS, TEACHES } from "../schema/lectures.js";
import { LECTURES } from "../schema/visit.js";
import { here, home, withWords, wordsIn } from "../transport/words.js";

/** `lesson` and `step`: a lesson alone or led; `room`: the letters of a room; `record`: views are being kept.
 *  @typedef {{ lesson: string, step: number, room: string, record: boolean }} Words */

const NONE = Object.fromEntries([...LECTURES, "step"].map((name) => [name, ""]));
const ROOM = /^[BCDFGHJKLMNPQRSTVWXZ]{4}([BCDFGHJKLMNPQRSTVWXZ]{2})?$/;
const LESSON = /^[\w.-]{1,80}$/;
const STEP = /^[1-9]\d{0,2}$/;

/** @param {string} search of an address @returns {Words} */
export function wordsOf(search) {
    const words = wordsIn(search);
    const word = (/** @type {string} */ name) => words[name] ?? "";
    const room = word("room").toUpperCase();
    return {
        lesson: LESSON.test(word("lesson")) ? word("lesson") : "",
        step: STEP.test(word("step")) ? Number(word("step")) : 1,
        room: ROOM.test(room) ? room : "",
        record: word("record") === "yes",
    };
}

/** Whether this is the lecturer's own window, which leads by itself. */
export const isOwnWindow = () => location.pathname.endsWith(`/${LEADS}`);

/** The address that gives a lesson to take home. @param {string} lesson its name */
export const takingHome = (lesson) => withWords(home() + TEACHES, { [HOME]: lesson });

/** The words of the address of this page. */
export const wordsHere = () => wordsOf(isOwnWindow() ? "" : location.search);

/** Let the address say these words. @param {Words} words */
export function write(words) {
    if (JSON.stringify(wordsHere()) !== JSON.stringify(words))
        history.replaceState({}, "", addressOf(home(), viewOf(here()), words));
}

/** Be told when anybody writes the address: Streamlit's widgets do. @param {() => void} listener */
export function whenWritten(listener) {
    for (const name of /** @type {const} */ (["pushState", "replaceState"])) {
        const written = history[name].bind(history);
        history[name] = (...entry) => {
            written(...entry);
            listener();
        };
    }
}

/** Whether an address belongs to a lecture. @param {Words} words */
export const any = ({ lesson, room, record }) => Boolean(lesson || room || record);

/** The page of a view: its stem, "" for the first one. @param {string} view */
export function pageOf(view) {
    const stem = view.split("?")[0];
    return /^\w*$/.test(stem) ? stem : "";
}

/** The view of an address, as a lesson writes it: the page's stem, and what is chosen there: "heads?layer=5".
 *  @param {string} address a path with its query */
export function viewOf(address) {
    const [path] = address.split("?");
    return pageOf(path.slice(path.lastIndexOf("/") + 1)) + withWords(address, NONE).slice(path.length);
}

/** The address of a view. @param {string} folder that all pages lie in @param {string} view @param {Words} words */
export function addressOf(folder, view, { lesson, step, room, record }) {
    const [page] = view.split("?");
    const words = { lesson, step: lesson && step, room, record: record ? "yes" : "" };
    return folder + pageOf(view) + withWords(view, words).slice(page.length);
}
