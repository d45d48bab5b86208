import assert from "node:assert/strict";
import { test } from "node:test";
import { withGuesses } from "#frontend/doors/takeaway/saving.js";
import { Guesses } from "#frontend/lecture/kept.js";
import { arrive, held, lecture, lesson, press, tell } from "./arriving.js";

/** Guess at the third step of a lesson that is taken alone. @param {string} name @param {number} guess */
function guess(name, guess) {
    arrive(`/heads?layer=4&lesson=${name}&step=3`);
    tell({ lesson: { ...lesson, name, step: 3 } });
    lecture.vote(guess);
}

test("a guess stays with its lesson, also when the page is loaded again", () => {
    held.clear();
    guess("mine", 1);
    assert.deepEqual(lecture.own, [1, null]);
    arrive("/heads?layer=4&lesson=other&step=3");
    tell({ lesson: { ...lesson, name: "other", step: 3 } });
    assert.deepEqual(lecture.own, [null, null]);
    press("PageUp");
    assert.deepEqual(lecture.own, [null, null]);
    arrive("/heads?layer=4&lesson=mine&step=3");
    tell({ lesson: { ...lesson, step: 3 } });
    assert.deepEqual(lecture.own, [1, null]);
});

test("what goes home is the last guess at each step of that lesson, of whichever room", () => {
    held.clear();
    guess("other", 0);
    const guesses = new Guesses();
    guesses.keep("mine", "", 3, [0, null]);
    guesses.keep("mine", "BCDF", 3, [0, 1]);
    guesses.keep("mine", "BCDF", 4, [[2, 7], null]);
    assert.deepEqual(new Guesses().of("mine"), { 3: 1, 4: [2, 7] });
    guesses.keep("mine", "", 3, [0, null]);
    assert.deepEqual(new Guesses().of("mine"), { 3: 0, 4: [2, 7] });
    guesses.keep("mine too", "BCDF", 4, [9, null]);
    assert.deepEqual(
        ["other", "min", "mine too"].map((name) => new Guesses().of(name)),
        [{ 3: 0 }, {}, { 4: 9 }],
    );
    for (let number = 0; number < 30; number++) guesses.keep(`lesson-${number}`, "", 1, [0, null]);
    assert.deepEqual([new Guesses().of("mine"), new Guesses().of("lesson-29")], [{}, { 1: 0 }]);
});

test("what somebody else wrote where guesses are kept is no guess", () => {
    for (const text of ["{", "{}", "7"]) {
        held.set("vitviz_guesses", text);
        assert.deepEqual(new Guesses().of("mine"), {});
    }
    held.clear();
});

test("guesses go into the file as data, whatever they hold", () => {
    const file = '<script type="application/json" id="guesses">{}</script>';
    const filled = withGuesses(file, { 3: "</script><b>$&" });
    assert.equal(filled.match(/</g)?.length, 2);
    assert.deepEqual(JSON.parse(filled.slice(filled.indexOf("{"), filled.lastIndexOf("}") + 1)), {
        3: "</script><b>$&",
    });
});
