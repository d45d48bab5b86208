import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { addresses, newBoard, said, stand, timers, visits } from "../page.js";
import { anything } from "./anything.js";

/** @import { Action } from "#frontend/types/board.js" */

Object.assign(globalThis, { setInterval: () => 1, clearInterval() {} });
const { begun } = await import("#frontend/lecture/states.js");
const { action, working } = await import("#frontend/frame/actions.js");
const { shownOf } = await import("#frontend/state/actions.js");
const { Window } = await import("#frontend/doors/lecturer/lecturer.js");
const { attend } = await import("#frontend/transport/inbox.js");

attend((said) => "visit" in said && visits.push(said.visit));

const question = { kind: "choose", asks: "?", options: ["a", "b"], low: 0, high: 0, unit: "" };
const step = (/** @type {string} */ says, /** @type {object | null} */ question = null) => ({
    ...{ says, view: "heads", notes: "", minutes: 1, question, explains: "" },
});
const lesson = /** @type {any} */ ({
    ...{ name: "mine", title: "Mine", minutes: 3 },
    steps: [step("one"), step("two", question), step("three")],
});
const TRUTH = { option: 0, text: "a" };

/** @type {InstanceType<typeof Window>} */
let door;
/** @type {any} */
let window;
/** What the room was told. @type {Record<string, any>[]} */
let sent;
/** @type {any} */
let board;

/** @param {string} pressed @param {object} [more] */
const press = (pressed, more = {}) => action(board, pressed)?.(/** @type {any} */ ({ key: pressed, ...more }));
const told = (/** @type {object} */ more = {}) =>
    door.receive({ lesson, step: window.step, grid: [1, 1], truth: null, why: "", shared: null, ...more });
/** The room says where it is. @param {object} more */
function says(more) {
    window.room.moved({ ...begun(lesson, window.step, false, window.room.state), ...more });
    window.changed();
}

/** A window at a step, with a room or without. @param {number} at @param {string} [code] */
function open(at, code = "BCDF") {
    stand(`/lecturer?lesson=mine&step=${at}`);
    timers.forget();
    globalThis.__vitviz_actions = undefined;
    sent = [];
    door = new Window(anything());
    window = door.lecturer;
    window.step = at;
    window.room.kept = { led: { code, secret: "s", owner: "o", began: 1 }, lead() {}, forget() {} };
    window.room.say = (/** @type {object} */ message) => Boolean(sent.push(message));
    told({ step: at });
    if (code) says({});
    const { python, ...made } = newBoard();
    board = made.board;
    python.open(said("lecturer", null));
    addresses.length = visits.length = 0;
}

beforeEach(() => open(1));

test("its help lists its own keys, each of which does what it says, and no other window's", () => {
    const list = Object.fromEntries(working(board).map((action) => [shownOf(action), action.label]));
    assert.equal(list["B ."], "all screens black, or on");
    for (const shown of ["PgDn →", "PgUp ←", "A", "N", "Q", "V", "12 Enter", "Esc", "S", "T", "?"])
        assert.ok(list[shown], shown);
    for (const shown of ["O", "M", "P", "L", "F", "PgDn PgUp"]) assert.ok(!(shown in list), shown);
    for (const key of ["b", "B", "."]) press(key);
    press("q");
    assert.deepEqual(sent.slice(-4), [{ blank: true }, { blank: true }, { blank: true }, { code: true }]);
    press("3");
    press("Enter");
    assert.equal(window.step, 3);
    open(1, "");
    const alone = working(board).flatMap((/** @type {Action} */ { keys }) => keys);
    assert.ok(alone.includes("o") && alone.includes("PageDown"));
    for (const key of ["b", "a", "q", "v"]) assert.ok(!alone.includes(key), `${key} has no room`);
});

test("where no lesson is given yet, its number gives one", () => {
    const given = /** @type {number[]} */ ([]);
    const buttons = [1, 2, 3].map((at) => ({ click: () => given.push(at) }));
    Object.assign(document, { querySelectorAll: () => buttons });
    window.lesson = null;
    for (const key of ["2", "4"]) press(key);
    assert.deepEqual(given, [2]);
    assert.ok(working(board).some(({ label }) => label === "give that lesson to a class"));
});

test("the address says a step at once, and Python reads it when the hand rests", () => {
    press("PageDown");
    assert.equal(location.search, "?lesson=mine&step=2");
    assert.deepEqual(visits, []);
    timers.pass(300);
    assert.deepEqual(visits, ["/lecturer?lesson=mine&step=2"]);
});

test("at the end PgDn goes nowhere, and PgUp goes back", () => {
    for (const code of ["BCDF", ""]) {
        open(3, code);
        const many = sent.length;
        for (const ended of [true, true, true]) {
            press("PageDown");
            assert.deepEqual([window.ended, window.step, board.store.chosen.page], [ended, 3, "lecturer"]);
        }
        assert.equal(sent.length, many);
        press("PageUp");
        assert.deepEqual([window.ended, window.step], [false, 3]);
        press("PageUp");
        assert.equal(window.step, 2);
    }
});

test("an answer that is on its way is waited for, shown once, and not skipped by a second press", () => {
    open(2);
    says({ phase: "locked" });
    timers.pass(300);
    const many = sent.length;
    for (const each of ["PageDown", "PageDown", "ArrowRight"]) press(each);
    assert.deepEqual([window.awaited, sent.length, window.step], [true, many, 2]);
    const on = window.parts.hands.find((/** @type {any} */ { name }) => name === "on");
    assert.equal(on.says, "Counting …");
    told({ truth: TRUTH });
    assert.deepEqual(sent.slice(many), [{ reveal: { step: 2, truth: TRUTH } }]);
    says({ phase: "revealed" });
    for (let time = 0; time < 7; time++) {
        press("PageDown");
        timers.pass(100);
    }
    assert.equal(window.step, 2, "the answer has just come");
    press("PageDown", { repeat: true });
    timers.pass(100);
    press("PageDown");
    assert.equal(window.step, 3);
});

test("two presses within a moment ask, and do not lock what nobody could answer", () => {
    open(2);
    says({});
    press("PageDown");
    says({ phase: "open" });
    press("PageDown");
    assert.deepEqual(sent.at(-1), { ask: 1 });
    timers.pass(300);
    press("PageDown");
    assert.deepEqual(sent.at(-1), { lock: true });
});

test("where there is no answer, why stands there, and PgDn goes on", () => {
    open(2);
    says({ phase: "locked" });
    timers.pass(300);
    press("PageDown");
    told({ why: "There is no class token." });
    assert.deepEqual([window.awaited, window.step], [false, 2]);
    press("PageDown");
    assert.equal(window.step, 3);
});
