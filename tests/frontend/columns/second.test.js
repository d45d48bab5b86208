import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { addresses, meta, newBoard, packed, questions, read, stand, timers, visits } from "../page.js";

const { Second } = await import("#frontend/columns/second.js");
const { differs, placed, samePlace, spread } = await import("#frontend/columns/place.js");

/** @import { ColumnSetup, Meta } from "#frontend/types/board.js" */

/** @param {Partial<Meta>} sizes */
const model = (sizes) => ({ ...meta(), ...sizes });
const fine = model({ digest: "two", rows: 6, columns: 8, tokens: 49, prefix: ["class"], depth: 2, heads: 1 });

/** @type {ColumnSetup} */
const asked = {
    model: "other",
    model_title: "Other",
    image: "cat",
    edits: "",
    learned: null,
    sizes: [],
    size: "",
    switches: "",
    first: { model: "small", image: "dog", edits: "", size: "" },
    models: [
        ["small", "small"],
        ["other", "Other"],
    ],
    images: [["cat", "Cat"]],
    moments: [],
    fields: ["depth"],
    says: "",
    notes: [],
};

const stage = {
    ...{ title: "", label: "", shape: "", colour: "", moments: [{ name: "one", sentence: "" }] },
    count: { before: "", after: "", here: "", total: "" },
};

/** @type {ReturnType<typeof newBoard>["board"]} */
let board;
/** @type {typeof board.first} */
let first;
/** @type {ReturnType<typeof newBoard>["python"]} */
let python;
/** @type {InstanceType<typeof Second>} */
let second;

beforeEach(() => {
    timers.forget();
    const at = "/heads?model=small&sample=dog&query=5&edits=h1.1*0&b.model=other&b.image=cat&b.depth=2";
    stand(at);
    ({ board, first, python } = newBoard());
    python.open({ ...first.data, page: "heads", meta: model({ digest: "one" }), second: asked });
    second = new Second(board);
    board.second = second;
    second.accept({ page: "heads", meta: fine, facts: {}, stages: [], names: [] });
    [addresses.length, visits.length] = [0, 0];
});

test("layers, heads and components that the other model has not end at its last", () => {
    const fields = { layer: 3, head: 1, component: 7, after: 4, through: 4 };
    assert.deepEqual(placed(fields, meta(), fine), { layer: 1, head: 0, component: 7, after: 2, through: 2 });
    assert.deepEqual(placed({ after: 1 }, fine, meta()), { after: 1 }, "nothing is added");
    assert.equal(placed({ after: 2 }, fine, meta()).after, 4, "the end is the end");
});

test("a token is the one of its name, a patch the one that lies at the same place", () => {
    assert.equal(samePlace(0, meta(), fine), 0);
    assert.equal(samePlace(1, meta(), fine), 0, "there is no register");
    assert.equal(samePlace(2 + 5, meta(), fine), 1 + 3 * 8 + 3, "row 2, column 2 of 3 × 4");
    for (let patch = 0; patch < 12; patch++)
        assert.equal(samePlace(samePlace(2 + patch, meta(), fine), fine, meta()), 2 + patch);
    const told = differs({ ...first.chosen, layer: 3, query: 1 }, meta(), fine).join(" ");
    assert.match(told, /B has 2 layers: layer 2 of 2 beside layer 4 of 4\./);
    assert.match(told, /3 × 4 patches beside 6 × 8/);
    assert.match(told, /no \[register 1\] token/);
});

test("a place in another model is where Python says, in tests/unit/ui/test_columns.py", () => {
    const { models, cases } = JSON.parse(readFileSync(new URL("places.json", import.meta.url), "utf8"));
    for (const { from, to, asked, found } of cases) assert.deepEqual(placed(asked, models[from], models[to]), found);
});

test("numbers spread over another grid keep their sum, and lie where they lay", () => {
    const values = Float64Array.from({ length: 48 }, (_, at) => at);
    const out = spread(values, fine, meta());
    assert.equal(out.length, 12);
    assert.equal(out[0], 0 + 1 + 8 + 9);
    const odd = spread(values, fine, { rows: 5, columns: 3 });
    assert.ok(Math.abs(odd.reduce((a, b) => a + b) - (48 * 47) / 2) < 1e-9);
    assert.deepEqual([...spread(values, fine, fine)], [...values]);
});

test("the second column is at the moment of the same name, or in its place where it has none", () => {
    const of = (/** @type {string} */ names) => {
        const columns = names.split(" ");
        const moments = columns.map((name) => ({ name, sentence: "" }));
        return [{ ...stage, stem: "heads", columns, moments }];
    };
    first.data.stages = of("lens scores token way");
    second.column.data.stages = of("token result way");
    for (const [moment, there] of Object.entries({ lens: "token", scores: "result", token: "token", way: "way" })) {
        first.store.set({ moment });
        assert.equal(second.column.chosen.moment, there);
    }
});

test("one hand for both: what is chosen or pointed at in one is at the same place in the other", () => {
    assert.equal(second.column.chosen.query, samePlace(first.chosen.query, first.meta, fine));
    first.look({ query: 2 });
    assert.equal(second.column.shown.query, samePlace(2, first.meta, fine));
    first.look({});
    second.column.look({ query: 1 + 47 });
    assert.deepEqual([second.column.shown.query, first.shown.query], [48, 13], "the very patch here, its place there");
    second.column.choose({ query: 1 + 47 });
    assert.equal(first.chosen.query, 13);
    assert.equal(first.chosen.edits, "h1.1*0");
    assert.equal(second.column.chosen.edits, "", "edits are each column's own");
});

test("each column asks for its numbers, and takes its own alone", async () => {
    questions.length = 0;
    const late = new Second(board);
    late.accept({ page: "heads", meta: fine, facts: {}, stages: [], names: ["opening"] });
    assert.deepEqual([questions[0].digest, questions[0].name], ["two", "opening"]);
    questions[0].answer(200, packed("two", "opening"));
    await read();
    assert.deepEqual([...late.column.parcels.held.keys()], ["opening"]);
    assert.equal(first.parcels.get("opening"), undefined);
    late.accept({ page: "heads", meta: first.meta, facts: {}, stages: [], names: ["opening"] });
    assert.equal(late.column.parcels, first.parcels, "the same model and picture has the same numbers");
    assert.equal(questions.length, 0, "which the first column asks for");
});

test("a scene cannot tell its column: what it does in either is done to one store, and both show it", () => {
    /** @type {unknown[]} */
    const heard = [];
    first.data.stages = ["heads", "depth"].map((stem) => ({ ...stage, stem, columns: [] }));
    board.store.subscribe((what) => heard.push(what));
    for (const column of board.columns) {
        assert.equal(column.constructor, first.constructor);
        column.look({ layer: 0 });
        column.choose({ layer: 1 });
        column.store.go("nowhere"); // as a notebook has no page beside the board
        column.store.go("depth");
        column.invalidate();
        assert.deepEqual(heard.splice(0), ["look", "choose", "go", undefined]);
        assert.deepEqual([first.shown.layer, second.column.shown.layer, second.column.shown.page], [1, 1, "depth"]);
        board.store.set({ page: "heads", layer: 2 }, "return");
        heard.length = 0;
    }
});

test("the server is asked for what the second column lacks, at the same place in its model", () => {
    questions.length = 0;
    second.column.scene = { draw() {}, needs: ({ layer }) => [`maps-${layer}`] };
    assert.ok(second.column.lacks);
    first.choose({ layer: 3 });
    assert.deepEqual([questions[0].digest, questions[0].words.get("layer")], ["two", "2"], "it has two layers");
    second.column.receive({ digest: "two", name: "maps-1", arrays: {} });
    assert.ok(!second.column.lacks);
});

test("with a drawer open Python reads the address of the first column, once", () => {
    python.drawer("details");
    first.choose({ layer: 3 });
    timers.pass(1000);
    assert.equal(visits.length, 2, "as it opens, and when the hand rests");
    assert.match(visits[1], /^\/heads\?.*layer=4/);
    assert.match(visits[1], /edits=h1\.1\*0/);
});

test("the second column stands in the address: opened, changed, exchanged and closed", () => {
    second.ask({ image: "dog", edits: "" });
    assert.match(visits.at(-1) ?? "", /b\.model=other&b\.image=dog&b\.depth=2/);
    second.exchange();
    const now = new URLSearchParams(location.search);
    assert.deepEqual(
        ["model", "b.model", "sample", "b.image", "edits", "b.edits", "depth", "b.depth"].map((name) => now.get(name)),
        ["other", "small", "cat", "dog", null, "h1.1*0", "2", null],
    );
    assert.equal(first.chosen.edits, "");
    python.compare();
    assert.ok(![...new URLSearchParams(location.search).keys()].some((name) => name.startsWith("b.")));
    first.data.second = null;
    first.data.model = "small";
    python.compare();
    assert.equal(new URLSearchParams(location.search).get("b.model"), null, "no page with room for it");
    first.data.stages = [{ ...stage, stem: "heads", columns: ["one"] }];
    python.compare();
    assert.equal(new URLSearchParams(location.search).get("b.model"), "small");
    timers.pass(1000);
});

test("words that are lost on their way, and what the second column has lost, are said again until Python answers", () => {
    visits.length = 0;
    second.ask({ image: "dog" });
    timers.pass(15_000);
    assert.equal(visits.length, 2);
    assert.equal(visits[1], visits[0]);
    python.open(first.data);
    timers.pass(600_000);
    assert.equal(visits.length, 2);
    second.column.asking.gone();
    timers.pass(15_000);
    assert.equal(visits.length, 4);
    second.column.asking.unknown = "";
});

test("a second column is closed before the code that shows it has come", () => {
    second.ask({ image: "dog" });
    board.second = null;
    python.compare();
    assert.ok(![...new URLSearchParams(location.search).keys()].some((name) => name.startsWith("b.")));
});

test("what fails stays in the second column", () => {
    second.accept({ page: "heads", failed: "the file is damaged" });
    assert.ok(!second.ready);
    assert.equal(first.meta.digest, "one");
});
