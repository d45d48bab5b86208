import assert from "node:assert/strict";
import { test } from "node:test";

import "../page.js";

const { addressOf, any, pageOf, viewOf, wordsOf } = await import("#frontend/lecture/words.js");
const { quoted, toml } = await import("#frontend/lecture/recording.js");
const { random, Kept } = await import("#frontend/lecture/kept.js");

const NOTHING = { lesson: "", step: 1, room: "", record: false };

test("what an address says of a lecture is read, and what it cannot mean is left out", () => {
    assert.deepEqual(wordsOf("?layer=5"), NOTHING);
    assert.deepEqual(wordsOf("?lesson=one_head&step=7&room=bcdf&record=yes"), {
        lesson: "one_head",
        step: 7,
        room: "BCDF",
        record: true,
    });
    assert.deepEqual(wordsOf("?lesson=../secret&step=0&room=ABCDE&record=no"), NOTHING);
    assert.deepEqual([any(NOTHING), any({ ...NOTHING, room: "BCDF" })], [false, true]);
});

test("a view and the words of a lecture make an address, and come apart again", () => {
    const words = { ...NOTHING, lesson: "one_head", step: 3 };
    const to = addressOf("/vit/", "heads?layer=5&head=2", words);
    assert.equal(to, "/vit/heads?layer=5&head=2&lesson=one_head&step=3");
    assert.equal(viewOf(to), "heads?layer=5&head=2");
    assert.deepEqual(wordsOf(new URL(to, "http://page").search), words);
    assert.equal(addressOf("/", "heads?room=XXXX", NOTHING), "/heads");
});

test("the first page has no name in an address, and no view leads out of the app", () => {
    assert.equal(addressOf("/", "?moment=stages", NOTHING), "/?moment=stages");
    assert.equal(viewOf("/?moment=stages"), "?moment=stages");
    for (const view of ["//elsewhere.org/heads", "https://elsewhere.org", "javascript:alert(1)", "../heads"])
        assert.equal(addressOf("/", view, NOTHING), "/", view);
    assert.equal(pageOf("growth"), "growth");
});

test("a text in a lesson's file is quoted as TOML reads it", () => {
    assert.equal(quoted('a "b" \\ c\n\u0007'), '"a \\"b\\" \\\\ c\\n\\u0007"');
    assert.equal(quoted("\u007f\ud800"), '"\\u007f\ufffd"');
    const written = toml({
        title: " Two ",
        steps: [
            { view: "", says: "First\n  this." },
            { view: "heads?layer=2", says: "" },
        ],
    });
    assert.equal(
        written,
        'title = "Two"\n\n[[step]]\nview = "overview"\nsays = "First this."\n\n[[step]]\nview = "heads?layer=2"\nsays = "…"\n',
    );
});

test("a browser is one number in a room, and leads the one it opened alone", () => {
    /** @type {Map<string, string>} */
    const held = new Map();
    const kept = new Kept({
        getItem: (name) => held.get(name) ?? null,
        setItem: (name, text) => held.set(name, text),
        removeItem: (name) => held.delete(name),
    });
    assert.match(random(), /^[0-9a-f]{32}$/);
    const { id } = kept.hello("BCDF", null);
    assert.deepEqual([kept.hello("BCDF", null), kept.id("BCDF")], [{ id }, id]);
    assert.ok(kept.share("BCDF") >= 0 && kept.share("BCDF") < 1);
    held.set("vitviz_lecture", '{"code": "CDFG", "secret": "s", "owner": "o"}');
    assert.deepEqual([kept.leads("BCDF"), kept.leads("CDFG")], [false, true]);
    assert.equal("secret" in kept.hello("BCDF", null), false);
    assert.equal("secret" in kept.hello("CDFG", null), true);
    kept.lead({ began: 7 });
    assert.deepEqual(kept.led, { code: "CDFG", secret: "s", owner: "o", began: 7 });
    kept.forget("CDFG");
    assert.deepEqual([...held.keys()], ["vitviz_room_BCDF"]);
    held.set("vitviz_lecture", "{");
    assert.deepEqual(kept.led, { code: "", secret: "", owner: "", began: 0 });
});
