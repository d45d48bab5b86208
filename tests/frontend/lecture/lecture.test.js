import assert from "node:assert/strict";
import { test } from "node:test";

import { timers, visits } from "../page.js";
import {
    arrive,
    asked,
    board,
    connections,
    held,
    lecture,
    lesson,
    press,
    room,
    state,
    tell,
    touch,
} from "./arriving.js";

const { begun, covers, hides, sentence } = await import("#frontend/lecture/states.js");

test("alone PgDn walks, asks Python what is right, shows it and goes on", () => {
    arrive("/heads?layer=2&lesson=mine&step=1");
    tell({ lesson: { ...lesson, step: 1 } });
    assert.deepEqual([lecture.role, lecture.says], ["alone", "one"]);
    press("PageDown");
    assert.deepEqual([lecture.says, location.search], ["two", "?layer=3&lesson=mine&step=2"]);
    assert.deepEqual(visits, []);
    press("PageDown");
    assert.deepEqual([lecture.state?.phase, lecture.asking, visits.length], ["open", true, 1]);
    lecture.vote(1);
    press("PageDown");
    assert.deepEqual([lecture.state?.phase, lecture.answers.awaited], ["open", true]);
    tell({ truth: { lesson: "mine", step: 3, truth: { option: 1, text: "b" }, why: "" } });
    assert.deepEqual([lecture.state?.phase, lecture.state?.explains, lecture.asking], ["revealed", "because", false]);
    assert.equal(lecture.state?.result?.rounds[0].right, 1);
    press("PageDown");
    timers.pass(700);
    press("PageDown");
    assert.equal(lecture.says, "because", "a second press within a moment does not end it unseen");
    timers.pass(100);
    press("PageDown");
    assert.deepEqual([lecture.says, board.store.chosen.page], ["four", "depth"]);
    press("PageDown");
    assert.deepEqual([lecture.says, board.store.chosen.page], ["four", "depth"], "at the end there is nowhere to go");
    press("PageUp");
    assert.equal(lecture.state?.step, 3);
});

test("on a phone a question is said once: where it is asked", () => {
    const [asks, because] = ["Two balls, 1.5 apart. Which is left? And why?", "It is red."];
    assert.equal(sentence({ says: asks, explains: "" }, true), asks, "a hall hears it, and reads it");
    const { matchMedia } = globalThis;
    Object.assign(globalThis, { matchMedia: () => ({ matches: true }) });
    assert.equal(sentence({ says: asks, explains: "" }, true), "Two balls, 1.5 apart.");
    assert.equal(sentence({ says: asks, explains: "" }, false), asks, "nothing is asked yet");
    assert.equal(sentence({ says: "Which is left?", explains: "" }, true), "Which is left?", "there is nothing else");
    assert.equal(sentence({ says: asks, explains: because }, false), because);
    Object.assign(globalThis, { matchMedia });
});

test("what cannot be answered is passed by", () => {
    arrive("/heads?layer=4&lesson=mine&step=3");
    tell({ lesson: { ...lesson, step: 3 } });
    tell({ truth: { lesson: "mine", step: 3, truth: null, why: "There is no class token." } });
    press("PageDown");
    assert.equal(lecture.state?.step, 4);
});

test("digits and Enter jump, and are forgotten after a while", () => {
    arrive("/heads?layer=2&lesson=mine&step=1");
    tell({ lesson: { ...lesson, step: 1 } });
    press("4");
    press("Enter");
    assert.equal(lecture.state?.step, 4);
    press("2");
    timers.pass(3000);
    assert.equal(lecture.typing.typed, "");
    press("Enter");
    press("9");
    press("Enter");
    assert.equal(lecture.state?.step, 4);
});

test("who follows shows what the room says, a hand leads away, and G comes back", () => {
    arrive("/heads?room=BCDF");
    assert.equal(room().url, "ws://page/lecture/socket/BCDF");
    room().onopen();
    assert.deepEqual(Object.keys(room().sent[0].hello), ["id"]);
    room().says({ state: state({ view: "heads?layer=3" }) });
    assert.deepEqual([lecture.role, board.store.chosen.layer, lecture.says], ["follow", 2, "one"]);
    room().says({ view: "heads?layer=4" });
    assert.equal(board.store.chosen.layer, 3);
    board.store.look({ query: 7 });
    timers.pass(0);
    assert.equal(lecture.astray, false);
    touch({ query: 7 });
    assert.deepEqual([lecture.astray, lecture.says], [true, undefined]);
    room().says({ state: state({ step: 2, says: "two", view: "heads?layer=1" }) });
    assert.equal(board.store.chosen.layer, 3);
    press("g");
    assert.deepEqual([board.store.chosen.layer, lecture.says, lecture.astray], [0, "two", false]);
    assert.deepEqual(visits, []);
});

test("what Streamlit writes into the address without a hand leads nobody away", () => {
    arrive("/heads?room=BCDF");
    room().says({ state: state({ view: "heads?layer=3" }) });
    history.replaceState({}, "", `${location.pathname}${location.search}&theme=dark`);
    timers.pass(0);
    assert.equal(lecture.astray, false);
    history.replaceState({}, "", "/heads?layer=3");
    timers.pass(0);
    assert.equal(location.search, "?layer=3&room=BCDF");
});

test("a line that breaks is opened anew, and the present state comes with it", () => {
    arrive("/heads?room=BCDF");
    room().says({ state: state({}) });
    room().onclose({ code: 1006, reason: "" });
    assert.equal(lecture.room?.connected, false);
    timers.pass(1000);
    assert.equal(connections.length, 2);
    room().says({ state: state({ step: 2, says: "two" }) });
    assert.deepEqual([lecture.room?.connected, lecture.says], [true, "two"]);
    room().onclose({ code: 4408, reason: "this browser takes nothing" }); // a phone that was asleep
    timers.pass(1000);
    assert.equal(connections.length, 3);
    room().says({ state: state({}) });
    room().onclose({ code: 4403, reason: "another browser leads this room" });
    timers.pass(5000);
    assert.deepEqual([connections.length, lecture.room?.trouble], [3, "another browser leads this room"]);
});

test("a line that says nothing is given up", () => {
    arrive("/heads?room=BCDF");
    timers.pass(4000 + 200);
    assert.equal(connections.length, 2);
    room().says({ state: state({}) });
    timers.pass(60_000);
    assert.equal(connections.length, 2);
});

test("who leads says its steps and choices, at most ten a second, and catches up after a broken line", () => {
    held.set("vitviz_lecture", JSON.stringify({ code: "BCDF", secret: "s", owner: "o" }));
    arrive("/heads?layer=2&lesson=mine&step=1&room=BCDF");
    tell({ lesson: { ...lesson, step: 1 } });
    room().onopen();
    assert.equal(room().sent[0].hello.secret, "s");
    room().says({ state: state({}) });
    press("PageDown");
    assert.deepEqual([room().sent[1].move.step, room().sent[1].move.says], [2, "two"]);
    assert.equal("notes" in room().sent[1].move, false);
    for (let query = 2; query < 12; query++) touch({ query });
    assert.equal(room().sent.length, 3);
    timers.pass(1000);
    assert.deepEqual(room().sent.slice(3), [{ view: "heads?layer=3&query=10" }]);
    press("PageDown");
    for (const [phase, says] of /** @type {const} */ ([
        ["none", { ask: 1 }],
        ["open", { lock: true }],
    ])) {
        room().says({ state: state({ step: 3, view: "heads?layer=4", question: asked, phase }) });
        timers.pass(300);
        press("PageDown");
        assert.deepEqual(room().sent.at(-1), says);
    }
    room().onclose({ code: 1006, reason: "" });
    lecture.go(4);
    timers.pass(1000);
    room().onopen();
    room().says({ state: state({ step: 3 }) });
    assert.equal(room().sent.at(-1)?.move.step, 4);
    assert.equal(lecture.state?.step, 4);
});

test("the end takes its words out of the address", () => {
    arrive("/heads?layer=2&lesson=mine&step=1");
    tell({ lesson: { ...lesson, step: 1 } });
    lecture.end();
    assert.deepEqual([location.search, lecture.role, lecture.says], ["?layer=2", "", undefined]);
    arrive("/heads?layer=2&room=BCDF");
    held.set("vitviz_room_BCDF", "0".repeat(32));
    room().says({ state: state({}) });
    room().says({ over: true });
    assert.deepEqual([location.search, lecture.role, held.size], ["?layer=2", "", 0]);
});

test("a page that waited for its turn when the lecture ended does not lead back into the room", () => {
    arrive("/heads?layer=2&room=BCDF");
    held.set("vitviz_room_BCDF", "f".repeat(32));
    room().says({ state: state({ view: "depth" }) });
    room().says({ over: true });
    timers.pass(2000);
    lecture.look();
    assert.deepEqual([visits, location.search, lecture.role], [["/depth"], "", ""]);
});

test("a scene that covers what it says is seen until its question is asked", () => {
    const steps = lesson.steps.map((step) => ({ ...step, view: "?moment=stages&covered=yes" }));
    const waits = begun({ ...lesson, steps }, 3, false, null);
    assert.deepEqual([covers(waits), hides(waits)], [true, true], "its counts are hidden");
    assert.equal(covers({ ...waits, phase: "open" }), false);
    assert.equal(covers(begun({ ...lesson, steps }, 1, false, null)), false, "nothing is asked");
    assert.equal(covers(begun(lesson, 3, false, null)), false, "nothing is covered");
    assert.equal(covers(null), false);
});
