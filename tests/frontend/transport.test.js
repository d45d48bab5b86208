import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { meta, newBoard, packed, questions, read, said, stand, timers, visits } from "./page.js";

/** @type {ReturnType<typeof newBoard>["first"]} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;

/** What the server says to a question rightly. @param {import("./page.js").Question} question */
function answer({ digest, name, words, answer }) {
    if (name.includes(" runs ")) return answer(204); // no name of numbers
    if (name) return answer(200, packed(digest, name));
    const layer = Number(words.get("layer") ?? 1) - 1;
    const edits = words.get("edits");
    const exact = [`exact-${layer}-${words.get("query") ?? "class"}`, "maps-0"];
    answer(200, JSON.stringify(["opening", ...exact, ...(edits ? exact.map((it) => `${it} ${edits}`) : [])]));
}

/** The server answers all. */
async function answers() {
    while (questions.length) {
        for (const it of [...questions]) answer(it);
        await read();
    }
}

/** What parcels say whose they are. @param {string} name */
const told = (name) => new TextDecoder().decode(/** @type {Uint8Array} */ (first.array(name, "it")?.data));
const asked = () => questions.map(({ name }) => name);

/** A scene that needs the exact weights of a layer and a query. */
const scene = () => ({
    draw() {},
    needs: (/** @type {import("#frontend/types/board.js").Selection} */ { layer, query }) => [
        `exact-${layer}-${first.meta.prefix[query] ?? query - 1}`,
    ],
});

/** @param {string} page @param {string} [digest] @param {string[]} [names] */
const open = (page, digest = "one", names = ["opening", "maps-0", "exact-0-class"]) =>
    python.open({ ...said(page, meta(digest)), facts: { folded: "it" }, names });

beforeEach(async () => {
    for (const it of [...questions]) it.lose();
    await read();
    timers.forget();
    stand("/heads");
    ({ first, python } = newBoard());
    open("heads");
    first.scene = scene();
    visits.length = 0;
});

test("what a page needs is asked for in order, four at once, and each once", async () => {
    open("heads", "two", ["opening", "a", "b", "c", "d", "a"]);
    assert.deepEqual(asked(), ["opening", "a", "b", "c"]);
    assert.equal(questions[0].words.get("page"), "heads");
    answer(questions[1]);
    await read();
    assert.deepEqual(asked(), ["opening", "b", "c", "d"]);
    await answers();
    assert.equal(told("a"), "two a");
    open("heads", "two", ["opening", "a", "e"]);
    assert.deepEqual(asked(), ["e"], "of what is here nothing");
});

test("a scene that comes after its numbers were asked for asks for none of them again", async () => {
    first.scene = null;
    open("heads", "two", ["opening", "a", "b", "c", "d", "exact-0-class"]);
    first.scene = scene();
    answer(questions[0]);
    await read();
    assert.deepEqual(asked(), ["a", "b", "c", "d"], "and no list of what is known");
    await answers();
    assert.equal(told("exact-0-class"), "two exact-0-class");
    assert.deepEqual(visits, []);
});

test("a run of the script that read an older address takes nothing from where the hand is", async () => {
    await answers();
    first.choose({ layer: 2, query: 5 });
    open("heads"); // all of these are here
    await answers();
    assert.equal(told("exact-2-4"), "one exact-2-4");
    first.choose({ layer: 3 });
    open("heads", "one", ["opening", "maps-1"]);
    await answers();
    assert.equal(told("exact-3-4"), "one exact-3-4");
    assert.deepEqual(visits, []);
});

test("names of an older address lead to nothing there, and the hand's own are asked for", async () => {
    await answers();
    first.choose({ layer: 2, query: 5 });
    open("heads", "one", ["exact-1-4"]);
    questions[0].answer(204);
    await read();
    await answers();
    assert.deepEqual([told("exact-2-4"), first.refused, visits], ["one exact-2-4", "", []]);
});

test("a new layer is asked for at once, without a run of the script", async () => {
    await answers();
    first.choose({ layer: 2, query: 5 });
    assert.deepEqual(asked(), ["exact-2-4", ""], "and what else the address needs in the same moment");
    await answers();
    assert.equal(told("exact-2-4"), "one exact-2-4");
    timers.pass(600_000);
    assert.deepEqual(visits, []);
});

test("a hand that goes on is answered for where it is, and never for what lies between", async () => {
    await answers();
    first.choose({ layer: 1, query: 5 });
    answer(questions[1]);
    await read();
    for (const layer of [2, 3, 2, 3]) first.choose({ layer });
    assert.deepEqual(asked(), ["exact-1-4"], "one place at a time");
    await answers();
    assert.equal(told("exact-3-4"), "one exact-3-4");
    assert.equal(first.array("exact-2-4", "it"), undefined);
});

test("where the hand rests what is under way for another place is given up", async () => {
    await answers();
    first.choose({ layer: 1, query: 5 });
    answer(questions[1]);
    await read();
    first.choose({ layer: 3 });
    timers.pass(400);
    answer(questions.at(-1) ?? questions[0]);
    await read();
    assert.deepEqual(asked(), ["exact-3-4"]);
});

test("what is lost, or too much at the moment, is asked for again, later and later or when the server says", async () => {
    await answers();
    first.choose({ layer: 1, query: 5 });
    answer(questions[1]);
    await read();
    for (const [ms, fault] of [
        [500, "lose"],
        [1000, "lose"],
        [7000, "busy"],
        [4000, "gateway"],
    ]) {
        // biome-ignore format: a table
        if (fault === "lose") questions[0].lose();
        else if (fault === "busy") questions[0].answer(503, "Too many.", { "Retry-After": "7" });
        else questions[0].answer(502);
        await read();
        timers.pass(Number(ms) - 1);
        await read();
        assert.deepEqual(asked(), [], `${fault} before ${ms} ms`);
        timers.pass(1);
        await read();
        assert.deepEqual(asked(), ["exact-1-4"], `${fault} after ${ms} ms`);
    }
});

test("an answer that is of something else than was asked for is no answer", async () => {
    for (const wrong of [packed("two", "opening"), packed("one", "maps-0"), Uint8Array.of(1), new Uint8Array()]) {
        questions.find(({ name }) => name === "opening")?.answer(200, wrong);
        await read();
        assert.equal(first.array("opening", "it"), undefined);
        timers.pass(15_000);
        await read();
    }
    await answers();
    assert.equal(told("opening"), "one opening");
});

test("what the server knows nothing of any more a run of the script registers, once; then later and later", async () => {
    for (const it of [...questions]) it.answer(410);
    await read();
    assert.deepEqual(visits, ["/heads"]);
    for (const ms of [500, 1000]) {
        timers.pass(ms);
        await read();
        assert.deepEqual(asked(), ["opening", "maps-0", "exact-0-class"], "though the script says what it said before");
        for (const it of [...questions]) it.answer(410);
        await read();
    }
    assert.equal(visits.length, 1, "another server, it may be: not in a circle");
    timers.pass(13_500);
    assert.equal(visits.length, 2);
    await read();
    await answers();
    assert.equal(told("opening"), "one opening");
    timers.pass(600_000);
    assert.equal(visits.length, 2);
});

test("what was made with a second picture is asked for again with another one", async () => {
    await answers();
    first.choose({ edits: "p1=paste", donor: "dog" });
    await answers();
    assert.equal(told("exact-0-class p1=paste"), "one exact-0-class p1=paste");
    first.choose({ donor: "cat" });
    assert.equal(first.array("exact-0-class p1=paste", "it"), undefined);
    assert.ok(first.array("exact-0-class", "it"), "and nothing else");
    assert.deepEqual(
        questions.map(({ name, words }) => [name, words.get("donor")]),
        [
            ["exact-0-class p1=paste", "cat"],
            ["", "cat"],
        ],
    );
});

test("what the hand needs waits for no number of another place, and nothing is under way for a page without numbers", async () => {
    await answers();
    open("heads", "one", ["a", "b", "c", "d", "e"]);
    first.choose({ layer: 2, query: 5 });
    timers.pass(400);
    assert.deepEqual(asked(), ["a", "b", "c", "d", "exact-2-4", ""]);
    first.choose({ layer: 3 });
    timers.pass(400);
    assert.deepEqual(asked(), ["a", "b", "c", "d", "exact-3-4", ""]);
    python.open({ ...said("counting", meta("one")), meta: null, names: [] });
    assert.deepEqual(asked(), []);
});

test("why there are no numbers is said, and they are not asked for again", async () => {
    await answers();
    first.choose({ layer: 2, query: 5 });
    questions[0].answer(422, "It needs 8 GB, and there are 2 GB.");
    await read();
    await answers();
    assert.equal(first.refused, "It needs 8 GB, and there are 2 GB.");
    timers.pass(600_000);
    assert.deepEqual([asked(), visits], [[], []]);
    first.choose({ layer: 3 });
    assert.deepEqual([first.refused, asked()], ["", ["exact-3-4", ""]], "of something else they are");
});

test("a number that the scene does not need for what it shows may be refused", async () => {
    open("heads", "two", ["maps-0", "exact-0-class"]);
    questions[0].answer(422, "It needs 8 GB, and there are 2 GB.");
    await read();
    assert.deepEqual([first.refusal, asked()], ["", ["exact-0-class"]]);
    await answers();
    first.choose({ layer: 3 });
    while (questions.length) {
        for (const it of [...questions])
            if (it.name) it.answer(422, "It needs 8 GB, and there are 2 GB.");
            else answer(it);
        await read();
    }
    assert.equal(first.refusal, "It needs 8 GB, and there are 2 GB.");
    first.choose({ layer: 0 });
    assert.equal(first.refusal, "", "the hand is where the numbers are");
    first.choose({ layer: 2 });
    questions.find(({ name }) => !name)?.answer(422, "The model cannot be read.");
    await answers();
    assert.deepEqual([first.lacks, first.refusal], [false, "The model cannot be read."], "which there are nobody says");
});

test("what no number tells Python is asked for, once", async () => {
    await answers();
    first.scene = { draw() {}, needs: () => ["how this browser runs the model"] };
    first.choose({ switches: "open" });
    await answers();
    assert.deepEqual(visits.length, 1);
    first.choose({ switches: "open" });
    await answers();
    assert.equal(visits.length, 1);
});

test("with any line, whatever the hand does, no number of something else is shown, and in the end all are here", async () => {
    for (let seed = 1; seed <= 5; seed++) {
        let state = seed;
        const random = (/** @type {number} */ below) => {
            state = (state * 48271) % 2147483647;
            return state % below;
        };
        const digests = ["one", "two", "three"];
        const known = new Set(digests);
        const edits = ["", "h1.1*0", "a2*0.5"];
        const check = () => {
            const { digest } = first.meta;
            for (const [name, { it }] of first.parcels.held)
                assert.equal(new TextDecoder().decode(/** @type {Uint8Array} */ (it.data)), `${digest} ${name}`);
            for (const { digest: of } of questions) assert.equal(of, digest, "of what is left nothing is under way");
        };
        for (let step = 0; step < 1000; step++) {
            const what = random(20);
            const question = questions[random(questions.length || 1)];
            if (what < 4) first.choose({ layer: random(4) });
            else if (what < 6) first.choose({ query: 2 + random(5) });
            else if (what < 8) first.choose({ edits: edits[random(3)] });
            else if (what === 8) open("heads", digests[random(3)]);
            else if (what === 9) known.delete(digests[random(3)]);
            else if (what < 12) timers.pass(random(700));
            else if (question) {
                const fault = random(10);
                if (!known.has(question.digest)) {
                    question.answer(410);
                    known.add(question.digest); // the script has run
                } else if (fault === 0) question.lose();
                else if (fault === 1) question.answer(503, "", { "Retry-After": "1" });
                else if (fault === 2) question.answer(200, packed(digests[random(3)], question.name || "maps-0"));
                else answer(question);
            }
            if (random(2)) await read();
            check();
        }
        open("heads", first.meta.digest); // a run of the script
        for (let turn = 0; turn < 40; turn++) {
            for (const digest of digests) known.add(digest);
            await answers();
            timers.pass(5000);
            await read();
            check();
        }
        assert.deepEqual([first.lacks, questions.length], [false, 0], `seed ${seed}`);
    }
});
