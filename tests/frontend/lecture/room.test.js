import assert from "node:assert/strict";
import { test } from "node:test";

import { timers } from "../page.js";
import { arrive, asked, board, lecture, lesson, lines, press, room, state, take, tell, touch } from "./arriving.js";

test("what the room said before it heard of the last step moves nobody back", () => {
    take("/heads?layer=2&lesson=mine&step=1&room=BCDF");
    room().says({ state: state({ heard: 0 }) });
    press("PageDown");
    press("PageDown");
    assert.deepEqual([lecture.state?.step, board.chosen.layer], [3, 3]);
    room().says({ state: state({ heard: 1, step: 2, says: "two", view: "heads?layer=3" }) });
    room().says({ view: "heads?layer=1" });
    assert.deepEqual([lecture.state?.step, lecture.says, board.chosen.layer], [3, "three", 3]);
    room().says({ state: state({ heard: 2, step: 3, says: "three", view: "heads?layer=4", question: asked }) });
    room().says({ state: state({ heard: 2, step: 1 }) });
    assert.deepEqual([lecture.state?.step, board.chosen.layer], [1, 1], "another window of the lecturer has moved");
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
        press("PageDown");
        assert.equal(lecture.answers.awaited, true);
        room().says({ state: { ...locked, ...other } });
        assert.equal(lecture.answers.awaited, false, JSON.stringify(other));
    }
    assert.equal(lecture.elsewhere, true);
    tell({ truth: answer });
    lecture.answers.reveal();
    assert.equal(lecture.answers.present, undefined, "it is right in Mine, and the room is at Other");
    assert.equal(press("PageDown"), undefined);
    assert.equal(lecture.words.lesson, "mine");
    assert.ok(room().sent.every((message) => !("reveal" in message)));
    room().says({ state: locked });
    press("PageDown");
    assert.deepEqual(room().sent.at(-1), { reveal: { step: 3, truth: answer.truth } });
});

test("a guess that fell into a gap of the line is said again, and one that does not count says so", () => {
    arrive("/heads?room=BCDF");
    const open = state({ step: 3, view: "heads?layer=4", question: asked, phase: "open" });
    room().says({ state: open });
    room().says({ voted: false });
    assert.deepEqual([room().sent, lecture.room?.counts], [[], false], "nothing is guessed yet");
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

test("who follows with the lecturer's own address only follows", () => {
    arrive("/heads?layer=2&lesson=mine&step=1&room=BCDF");
    assert.equal(location.search, "?layer=2&room=BCDF");
    tell({ lesson: { ...lesson, step: 1 } });
    assert.deepEqual([lecture.role, lecture.lesson, lecture.meant("PageDown")], ["follow", null, undefined]);
    room().says({ state: state({ view: "heads?layer=3" }) });
    for (let look = 0; look < 3; look++) lecture.look();
    assert.deepEqual([lecture.says, board.chosen.layer, lines.length], ["one", 2, 1]);
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
