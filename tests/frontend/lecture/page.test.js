import assert from "node:assert/strict";
import { test } from "node:test";

import { timers } from "../page.js";
import { arrive, asked, board, held, lecture, lesson, press, room, state, tell } from "./arriving.js";

const { onward, place } = await import("#frontend/lecture/bar.js");
const { known } = await import("#frontend/lecture/notice.js");

test("the bar says what is on its way, what is not here, what is recorded, and where the end is", () => {
    arrive("/heads?lesson=own-12");
    assert.equal(place(lecture), "The lesson is on its way …");
    tell({ missing: "own-12" });
    assert.equal(place(lecture), "This lesson is not here");
    arrive("/heads?record=yes");
    assert.equal(place(lecture), "Recording");
    arrive("/depth?lesson=mine&step=4");
    tell({ lesson: { ...lesson, step: 4 } });
    assert.deepEqual([place(lecture), onward(lecture)], ["Step 4 of 4 · The end", "End the lesson"]);
});

test("while the lecturer points, what the hand is over is not shown in place of what all see", () => {
    held.set("vitviz_lecture", JSON.stringify({ code: "BCDF", secret: "s", owner: "o" }));
    arrive("/heads?layer=2&room=BCDF");
    board.store.look({ query: 7 });
    assert.equal(board.store.shown.query, 7);
    const { query } = board.store.chosen;
    board.store.steady = true;
    board.store.look({ query: 7 });
    assert.equal(board.store.shown.query, query);
});

test("A asks again, once, when guesses are locked", () => {
    held.set("vitviz_lecture", JSON.stringify({ code: "BCDF", secret: "s", owner: "o" }));
    arrive("/heads?layer=4&lesson=mine&step=3&room=BCDF");
    tell({ lesson: { ...lesson, step: 3 } });
    const asks = () => room().sent.filter(({ ask }) => ask === 2).length;
    for (const [phase, round, sent] of /** @type {const} */ ([
        ["open", 1, 0],
        ["locked", 1, 1],
        ["locked", 2, 1],
    ])) {
        room().says({ state: state({ step: 3, view: "heads?layer=4", question: asked, phase, round }) });
        press("a");
        assert.equal(asks(), sent, `${phase} ${round}`);
    }
});

test("a room that is not there, and one that is closed, are told with the way out", () => {
    arrive("/heads?room=BCDF");
    assert.equal(known(lecture), null);
    room().onclose({ code: 4404, reason: "there is no such room, or not yet" });
    assert.equal(known(lecture)?.title, "There is no such room, or not yet");
    assert.match(known(lecture)?.says ?? "", /are these the letters/);
    timers.pass(1000);
    room().onclose({ code: 4429, reason: "the room is full: of 1000 places your network has 500" });
    assert.match(known(lecture)?.title ?? "", /^The room is full/);
    assert.match(known(lecture)?.says ?? "", /leave this page open; you come in by yourself/);
    timers.pass(1000);
    room().says({ state: state({}) });
    assert.equal(known(lecture), null);
    room().says({ over: true });
    assert.deepEqual([known(lecture)?.title, lecture.on, lecture.attended], ["The lecture is over", false, "mine"]);
    lecture.end();
    assert.equal(known(lecture), null);
});
