import assert from "node:assert/strict";
import { test } from "node:test";

import { timers, visits } from "../page.js";
import {
    arrive,
    asked,
    board,
    connections,
    happens,
    held,
    lecture,
    lesson,
    press,
    room,
    state,
    take,
    tell,
    touch,
} from "./arriving.js";

const { Guesses, Kept } = await import("#frontend/lecture/kept.js");
const { known } = await import("#frontend/lecture/notice.js");

test("what the room said before it heard of the last step moves nobody back", () => {
    take("/heads?layer=2&lesson=mine&step=1&room=BCDF");
    room().says({ state: state({ heard: 0 }) });
    press("PageDown");
    press("PageDown");
    assert.deepEqual([lecture.state?.step, board.store.chosen.layer], [3, 3]);
    room().says({ state: state({ heard: 1, step: 2, says: "two", view: "heads?layer=3" }) });
    room().says({ view: "heads?layer=1" });
    assert.deepEqual([lecture.state?.step, lecture.says, board.store.chosen.layer], [3, "three", 3]);
    room().says({ state: state({ heard: 2, step: 3, says: "three", view: "heads?layer=4", question: asked }) });
    room().says({ state: state({ heard: 2, step: 1 }) });
    assert.deepEqual(
        [lecture.state?.step, board.store.chosen.layer],
        [1, 1],
        "another window of the lecturer has moved",
    );
    press("PageDown");
    room().onclose({ code: 1006, reason: "" });
    timers.pass(1000);
    room().onopen();
    room().says({ state: state({ heard: 0, step: 2, says: "two", view: "heads?layer=3" }) });
    room().says({ state: state({ heard: 0, step: 4, says: "four", view: "depth" }) });
    assert.equal(lecture.state?.step, 4, "over a new line all is heard");
});

test("an answer that Python says too late is shown at no other step, and at no other lesson", () => {
    take("/heads?layer=4&lesson=mine&step=3&room=BCDF");
    const locked = state({ step: 3, view: "heads?layer=4", question: asked, phase: "locked" });
    const answer = { lesson: "mine", step: 3, truth: { option: 1, text: "b" }, why: "" };
    for (const other of [{ step: 1, phase: "none" }, { phase: "revealed" }, { lesson: "other", title: "Other" }]) {
        room().says({ state: locked });
        timers.pass(300);
        press("PageDown");
        assert.equal(lecture.answers.awaited, true);
        const asks = visits.length;
        press("PageDown");
        assert.equal(visits.length, asks, "it is on its way, and not asked for twice");
        room().says({ state: { ...locked, ...other } });
        assert.equal(lecture.answers.awaited, false, JSON.stringify(other));
    }
    assert.equal(lecture.elsewhere, true);
    tell({ truth: answer });
    lecture.answers.reveal();
    assert.equal(lecture.answers.present, undefined, "it is right in Mine, and the room is at Other");
    assert.ok(Object.values(lecture.actions).every(({ keys }) => !keys.includes("PageDown")));
    assert.equal(lecture.words.lesson, "mine");
    assert.ok(room().sent.every((message) => !("reveal" in message)));
    room().says({ state: locked });
    timers.pass(300);
    press("PageDown");
    assert.deepEqual(room().sent.at(-1), { reveal: { step: 3, truth: answer.truth } });
});

test("a guess that fell into a gap of the line is said again, and one that does not count says so", () => {
    arrive("/heads?room=BCDF");
    const open = state({ step: 3, view: "heads?layer=4", question: asked, phase: "open" });
    room().says({ state: open });
    room().says({ voted: false });
    assert.deepEqual([room().sent, lecture.room?.counts], [[], false], "nothing is guessed yet");
    assert.equal(lecture.room?.uncounted, "", "and nothing is said of a guess");
    lecture.vote(1);
    assert.deepEqual([room().sent, lecture.room?.counts], [[{ vote: 1 }], null]);
    room().says({ voted: true });
    assert.equal(lecture.room?.counts, true);
    room().onclose({ code: 1006, reason: "" });
    lecture.vote(0);
    timers.pass(1000);
    room().says({ state: open });
    room().says({ voted: false });
    assert.deepEqual([room().sent, lecture.room?.counts], [[{ vote: 0 }], null]);
    room().says({ voted: false });
    assert.deepEqual([room().sent.length, lecture.room?.counts], [1, false], "once over each line");
    room().says({ state: { ...open, phase: "locked" } });
    assert.equal(lecture.room?.counts, false);
    room().says({ state: state({ step: 4, view: "heads?layer=4", question: asked, phase: "open" }) });
    assert.equal(lecture.room?.counts, null);
});

test("a guess that came after the lock is taken back, and what counted before it is there again", () => {
    arrive("/heads?room=BCDF");
    const open = state({ step: 3, view: "heads?layer=4", question: asked, phase: "open" });
    const { room: mine } = lecture;
    for (const [before, uncounted] of /** @type {const} */ ([
        [null, /after the lock/],
        [1, /after the lock/],
    ])) {
        room().says({ state: state({ step: 3, question: asked }) });
        room().says({ state: open });
        if (before !== null) {
            lecture.vote(before);
            room().says({ voted: true });
        }
        lecture.vote(0);
        assert.equal(mine?.uncounted, "");
        room().says({ state: { ...open, phase: "locked" } });
        room().says({ voted: false });
        assert.deepEqual([lecture.own[0], mine?.counts], [before, before !== null]);
        assert.match(mine?.uncounted ?? "", uncounted);
    }
    room().says({ state: state({ step: 4 }) });
    assert.equal(mine?.uncounted, "");
});

test("a guess that was changed in a gap of the line is said again, or taken back where it was locked meanwhile", () => {
    for (const phase of /** @type {const} */ (["open", "locked"])) {
        held.clear();
        arrive("/heads?room=BCDF");
        const open = state({ step: 3, view: "heads?layer=4", question: asked, phase: "open" });
        room().says({ state: open });
        room().says({ voted: false });
        lecture.vote(1);
        room().says({ voted: true });
        room().onclose({ code: 1006, reason: "" });
        lecture.vote(0);
        timers.pass(1000);
        room().says({ state: { ...open, phase } });
        room().says({ voted: true });
        const sent = phase === "open" ? [{ vote: 0 }] : [];
        assert.deepEqual([room().sent, lecture.own[0]], [sent, phase === "open" ? 0 : 1]);
    }
});

test("where a question is asked anew, the guess on screen is said again, as the room has forgotten it", () => {
    arrive("/heads?room=BCDF");
    const asks = state({ step: 3, view: "heads?layer=4", question: asked });
    room().says({ state: asks });
    room().says({ state: { ...asks, phase: "open" } });
    lecture.vote(1);
    room().says({ voted: true });
    for (const phase of /** @type {const} */ (["none", "locked"])) {
        room().sent.length = 0;
        room().says({ state: { ...asks, phase } });
        room().says({ state: { ...asks, phase: "open" } });
        assert.deepEqual(room().sent, [{ vote: 1 }]);
        room().says({ voted: true });
        assert.equal(lecture.room?.counts, true);
    }
});

test("a window whose place another one of this browser has taken says so, and comes back when it is told to", () => {
    arrive("/heads?room=BCDF");
    room().says({ state: state({}) });
    room().onclose({ code: 4409, reason: "the room is full, and another window of this browser has your place" });
    timers.pass(60_000);
    happens("online");
    assert.equal(connections.length, 1, "it does not take the place back by itself");
    const told = known(lecture);
    assert.equal(told?.title, "The room is full, and another window of this browser has your place");
    assert.equal(told?.back, "Come back here");
    lecture.room?.comeBack();
    room().says({ state: state({ step: 2, says: "two" }) });
    assert.deepEqual([connections.length, known(lecture), lecture.says], [2, null, "two"]);
    room().onclose({ code: 1006, reason: "" });
    timers.pass(1000);
    assert.equal(connections.length, 3);
});

test("a browser that keeps nothing follows and guesses under one number until the page is closed", () => {
    const names = /** @type {const} */ (["localStorage", "sessionStorage"]);
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const get = () => {
        throw new Error("access is denied");
    };
    for (const name of names) Object.defineProperty(globalThis, name, { get, configurable: true });
    try {
        arrive("/heads?room=BCDF");
        room().onopen();
        room().says({ state: state({ step: 3, view: "heads?layer=4", question: asked, phase: "open" }) });
        room().says({ voted: false });
        lecture.vote(1);
        room().says({ voted: true });
        assert.deepEqual(lecture.own, [1, null]);
        const first = room();
        room().onclose({ code: 1006, reason: "" });
        timers.pass(1000);
        room().onopen();
        assert.match(first.sent[0].hello.id, /^[0-9a-f]{32}$/);
        assert.deepEqual(room().sent[0], first.sent[0]);
        assert.deepEqual(new Guesses().at("mine", "BCDF", 3), [1, null]);
        new Guesses().keep("mine", "BCDF", 3, [null, null]);
        new Kept().forget("BCDF");
    } finally {
        for (const [at, name] of names.entries())
            Object.defineProperty(globalThis, name, /** @type {PropertyDescriptor} */ (before[at]));
    }
});

test("who follows with the lecturer's own address only follows", () => {
    arrive("/heads?layer=2&lesson=mine&step=1&room=BCDF");
    assert.equal(location.search, "?layer=2&room=BCDF");
    tell({ lesson: { ...lesson, step: 1 } });
    assert.deepEqual([lecture.role, lecture.lesson, lecture.actions], ["follow", null, {}]);
    room().says({ state: state({ view: "heads?layer=3" }) });
    for (let look = 0; look < 3; look++) lecture.look();
    assert.deepEqual([lecture.says, board.store.chosen.layer, connections.length], ["one", 2, 1]);
});

test("the answer stands on the photo of the question, and on no other layer's or head's", () => {
    arrive("/heads?room=BCDF");
    const shown = state({ step: 3, view: "heads?layer=4", question: asked, phase: "revealed" });
    room().says({ state: shown });
    assert.equal(lecture.there, true);
    for (const [view, there] of /** @type {const} */ ([
        ["heads?layer=3", false],
        ["heads?layer=4&head=2", false],
        ["heads?layer=4", true],
    ])) {
        room().says({ view });
        lecture.look();
        assert.equal(lecture.there, there, view);
    }
    room().says({ state: state({ step: 4, view: "heads?layer=3" }) });
    assert.equal(lecture.there, true);
    touch({ head: 1 });
    assert.equal(lecture.there, false);
});
