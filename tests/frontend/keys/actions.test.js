import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { meta, newBoard, said, stages } from "../page.js";
import { SCRIPTS } from "../parsed.js";
import { anything } from "./anything.js";

const FRONTEND = "../../../vitviz/frontend/";
const { ACTIONS, listen, action, working } = await import(`${FRONTEND}frame/actions.js`);
const { shownOf } = await import(`${FRONTEND}state/actions.js`);
const { ACTIONS: LECTURE } = await import(`${FRONTEND}lecture/actions.js`);
const { HANDS, OTHERS } = await import(`${FRONTEND}doors/lecturer/actions.js`);

const camel = (/** @type {string} */ stem) => stem.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const PAGES = new URL("../../../pages/", import.meta.url);
const inside = (/** @type {URL} */ folder) => readdirSync(folder).map((name) => new URL(`${name}/`, folder));
/** The scene of each page that has one, by the page's name. @type {Map<string, string>} */
const scenes = new Map(
    readdirSync(PAGES, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => inside(new URL(`${name}/`, PAGES)))
        .map((page) => [page.pathname.split("/").at(-2) ?? "", new URL("scene.js", page)])
        .filter(([, file]) => existsSync(file))
        .map(([stem, file]) => [String(stem), String(file)]),
);
const stems = [...scenes.keys()];
const MOMENTS = {
    overview: "light stages",
    patch_grid: "patches sequence pixels sizes crop",
    patch_embedding: "product filters components colours points",
    position_embedding: "sum similarity answers swap",
    query_key_value: "matrices scores softmax values output",
    heads: "wall matrix pair",
    depth: "rollout reach journey",
    what_a_token_knows: "alike elsewhere colours length",
    encoder_block: "stream norm activation similarity",
    class_head: "lens scores token way",
    why_this_answer: "sum maps trial randomised",
    intervene: "heads patches attention experiments everything tracing",
};
const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const NAMED = "PageDown PageUp ArrowLeft ArrowRight ArrowUp ArrowDown Home End Enter Escape Backspace Tab F5".split(
    " ",
);

/** Its board with the scene on it. @param {string} stem */
async function scene(stem) {
    const { board, first, python } = newBoard();
    const moments = MOMENTS[/** @type {"heads"} */ (stem)].split(" ").map((name) => ({ name, sentence: "" }));
    python.open({ ...said(stem), facts: { balls: 3, tour: {} }, stages: [{ ...stages[0], stem, moments }] });
    const made = await import(scenes.get(stem) ?? "");
    board.photo = { ...anything(), steps: [] };
    first.scene = made[camel(stem)](anything(), first, anything());
    return /** @type {any} */ (board);
}

/** What help lists, each with what it is told to do; and every key does what help says of it. @param {any} board */
function listed(board) {
    const list = working(board);
    const all = list.flatMap((/** @type {any} */ { keys }) => keys);
    for (const key of [...ASCII, ...NAMED]) assert.equal(Boolean(action(board, key)), all.includes(key), key);
    assert.equal(new Set(all).size, all.length, "no two share a key");
    const shown = list.map(shownOf);
    assert.equal(new Set(shown).size, shown.length, `no two are listed alike: ${shown}`);
    for (const { label, name } of list) assert.ok(label, name);
    return Object.fromEntries(list.map((/** @type {any} */ it) => [shownOf(it), it.label]));
}

test("help lists what works in every moment of every scene, and nothing else", async () => {
    assert.ok(stems.length > 9);
    for (const stem of stems) {
        const board = await scene(stem);
        for (const { name } of board.first.stage?.moments ?? []) {
            board.store.set({ moment: name });
            const list = listed(board);
            assert.ok(!Object.values(list).some((label) => label.includes("second model")), stem);
            assert.ok(!("B ." in list) && !("W" in list), stem);
            assert.ok("PgDn PgUp" in list && "?" in list);
        }
        board.store.go("growth");
    }
});

test("a key that is a scene's own is listed where it works", async () => {
    const position = await scene("position_embedding");
    assert.equal(listed(position).E, "a red ball above a blue one");
    position.first.data.facts.balls = 0;
    assert.ok(!("E" in listed(position)), "there is none");
    const grid = await scene("patch_grid");
    assert.ok(!("N" in listed(grid)));
    grid.store.set({ moment: "pixels" });
    assert.equal(listed(grid).N, "pixel, with Shift back");
    const intervene = await scene("intervene");
    const { Z, Y, 0: reset, O } = listed(intervene);
    assert.deepEqual([Z, Y, reset, O], ["undo", "redo", "reset", "only this one"]);
});

test("layers, heads and a second column are keys where there are some", async () => {
    const board = await scene("heads");
    const { L, H, M, W } = listed(board);
    assert.deepEqual([L, H, M, W], [undefined, undefined, undefined, undefined]);
    board.photo.steps = [
        { says: "layer", many: 4 },
        { says: "head", many: 1 },
    ];
    board.first.data.stages[0].columns = [0];
    board.first.data.facts.folded = "switches.js";
    const list = listed(board);
    assert.equal(list.L, "layer, with Shift back");
    assert.ok(!("H" in list));
    assert.equal(list.M, "a second model or picture beside");
    assert.equal(list.W, "switches of the model");
    board.first.data.second = meta();
    assert.ok(!("W" in listed(board)), "they have no room then");
    Object.assign(board, { python: null, sidebar: null, takeaway: null });
    assert.deepEqual(Object.keys(listed(board)), ["PgDn PgUp", "← → ↑ ↓", "L", "Space", "Esc", "P", "?"]);
});

test("PgDn and PgUp turn moments where a slider or a list has the focus, and the slider does not hear of them", async () => {
    const board = await scene("heads");
    const heard = new Map();
    const on = (/** @type {string} */ kind, /** @type {() => void} */ act, /** @type {any} */ how) =>
        heard.set(`${kind}${how?.capture ? " first" : ""}`, act);
    Object.assign(globalThis, { addEventListener: on });
    Object.assign(document, { addEventListener: on });
    listen(board);
    const wanted = ["[type=range]", "[role=slider]", "select", "[type=radio]"];
    for (const is of wanted)
        for (const [key, goes] of Object.entries({
            PageDown: "matrix",
            PageUp: "wall",
            ArrowRight: "wall",
            Home: "wall",
        })) {
            const did = { stopped: false, prevented: false };
            const event = {
                ...{ key, ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false },
                composedPath: () => [
                    { tagName: "INPUT", type: "range", closest: (/** @type {string} */ those) => those.includes(is) },
                ],
                stopPropagation: () => Object.assign(did, { stopped: true }),
                preventDefault: () => Object.assign(did, { prevented: true }),
            };
            heard.get("keydown first")(event);
            const turns = key.startsWith("Page");
            assert.deepEqual(did, { stopped: turns, prevented: turns }, `${key} on ${is}`);
            if (!turns) heard.get("keydown")(event);
            assert.deepEqual([board.first.chosen.moment, did.prevented], [goes, turns], `${key} on ${is}`);
        }
});

/** Which keys of a table more than one action has. @param {Record<string, any>} table */
function shared(table) {
    const all = Object.values(table).flatMap(({ keys }) => keys);
    return all.filter((key, at) => all.indexOf(key) !== at);
}

test("no two actions of a table share a key, and a scene takes over from the board what is of its own kind alone", async () => {
    for (const table of [ACTIONS, LECTURE, { ...HANDS, ...OTHERS }]) assert.deepEqual(shared(table), []);
    const taken = new Set();
    for (const stem of stems) {
        const board = await scene(stem);
        for (const { name } of board.first.stage?.moments ?? []) {
            board.store.set({ moment: name });
            const own = board.first.scene.actions ?? {};
            assert.deepEqual(shared(own), [], `${stem} ${name}`);
            for (const [its, { keys }] of Object.entries(own))
                for (const [other, { keys: others }] of Object.entries(ACTIONS))
                    if (others.some((/** @type {string} */ key) => keys.includes(key)))
                        taken.add(`${stem}: ${its} for ${other}`);
        }
        board.store.go("growth");
    }
    assert.deepEqual([...taken].sort(), [
        "class_head: layer for layer",
        "depth: layer for layer",
        "intervene: mean for beside",
        "intervene: switch for patch",
        "patch_grid: square for patch",
        "what_a_token_knows: layer for layer",
        "why_this_answer: head for head",
        "why_this_answer: layer for layer",
    ]);
});

test("documents and pages that name keys name those of the table", () => {
    const read = (/** @type {string} */ name) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
    const [F, X, D, L, H, S] = ["formula", "code", "details", "layer", "head", "sidebar"].map((it) =>
        shownOf(ACTIONS[it]),
    );
    const [A, B, P, G, K] = ["again", "blank", "pointer", "home", "keep"].map((it) =>
        shownOf({ keys: LECTURE[it].keys.slice(0, 1) }),
    );
    const clicker = `${shownOf(LECTURE.on)} and ${shownOf(LECTURE.back)}`;
    assert.equal(shownOf(ACTIONS.turn), clicker.replace(" and", ""));
    for (const [name, ...words] of [
        [
            "README.md",
            `${clicker} go through its moments`,
            `${L} and ${H} the layer and the head, ${shownOf(ACTIONS.play)} plays`,
        ],
        [
            "README.md",
            `${F}, ${X} and ${D} open formula, code and details, ${S} picture and model, ${shownOf(ACTIONS.help)} shows`,
        ],
        [
            "README.md",
            `${clicker}, a clicker's`,
            `${A} asks again, ${B} blanks, ${P} points`,
            `${G} comes back`,
            `press ${K} where`,
        ],
        ["vitviz/frontend/doors/board/board.html", `Details (${D}) hold`],
        ["pages/lecture/lecturer/shown.py", `${shownOf(LECTURE.on)} goes on`],
    ])
        for (const word of words) assert.ok(read(name).includes(word), `${name}: ${word}`);
});

test("no key is bound beside the table, but by what has the focus itself", () => {
    const own = ["actions.js", "hand.js", "steps.js", "bar.js", "recording.js", "box.js", "on_photo.js", "top.js"];
    const found = [...SCRIPTS].filter(([, { texts }]) => texts.has("keydown")).map(([name]) => name.split("/").at(-1));
    assert.deepEqual(found.sort(), own.sort());
});
