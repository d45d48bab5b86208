// Imports of scripts go one way, and no page is named outside its folder, as tests/unit/project holds of Python.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { PROJECT, parsed, ROOT, SCRIPTS, target } from "./parsed.js";

// The rooms of the front end, and what each may import, with all that this may; a page's scripts are "scenes", but for
// those of `OF_A_PAGE`.
const ROOMS = /** @type {Record<string, string>} */ ({
    schema: "",
    transport: "",
    picture: "schema",
    figures: "",
    draw: "figures",
    edits: "schema",
    state: "transport edits",
    streamlit: "state",
    forward: "transport edits",
    editing: "forward state draw",
    numbers: "editing",
    frame: "state draw",
    columns: "frame",
    questions: "draw schema",
    lecture: "questions state",
    "doors.board": "frame streamlit",
    "doors.live": "figures transport",
    "doors.notebook": "state draw",
    "doors.takeaway": "frame lecture",
    "doors.lecturer": "frame lecture",
    "doors.offline": "questions",
    "doors.mount": "editing frame",
    "doors.widget": "doors.mount",
    "doors.site": "doors.mount numbers picture",
    scenes: "editing frame",
    differences: "columns scenes",
    explorer: "doors.mount doors.offline scenes",
    parcels: "numbers",
});
const OF_A_PAGE = /** @type {Record<string, string>} */ ({
    "difference.js": "differences",
    "explorer.js": "explorer",
    "numbers.js": "parcels",
});
const DEEPEST = 4; // folders below `vitviz/` or `pages/`
const STEMS = readdirSync(join(ROOT, "pages")).flatMap((chapter) =>
    readdirSync(join(ROOT, "pages", chapter)).filter((stem) =>
        existsSync(join(ROOT, "pages", chapter, stem, "page.py")),
    ),
);
/** Whether a page bears the name alone: what is one word much else may be called, but for these.
 *  @param {string} stem */
const isPlain = (stem) => stem.includes("_") || ["arithmetic", "intervene", "overview", "siblings"].includes(stem);

/** The room of a script. @param {string} name */
function roomOf(name) {
    if (name.startsWith("pages/")) return OF_A_PAGE[posix.basename(name)] ?? "scenes";
    return posix.dirname(name).replace("vitviz/frontend/", "").replaceAll("/", ".");
}

/** A room and all that it may import. @param {string} room @returns {string[]} */
const reach = (room) => [room, ...ROOMS[room].split(" ").filter(Boolean).flatMap(reach)];

/** One sentence for each import that a script may not have. @param {string} name @param {string[]} imports */
function trespasses(name, imports) {
    const allowed = new Set(reach(roomOf(name)));
    const wrong = imports.filter((other) => !allowed.has(roomOf(other)));
    return wrong.map((other) => `${name} imports ${other}; it may import ${[...allowed].sort().join(", ")}`);
}

/** What imports each other in a circle, or nothing. @param {Map<string, string[]>} graph @returns {string[]} */
function circle(graph) {
    const rest = new Map(graph);
    for (let before = -1; before !== rest.size; ) {
        before = rest.size;
        for (const [name, others] of rest) if (!others.some((it) => rest.has(it))) rest.delete(name);
    }
    return [...rest.keys()];
}

/** The pages that a script names, also in an address. @param {{ texts: Set<string>, compared: Set<string> }} found */
const named = ({ texts, compared }) =>
    STEMS.filter((stem) => {
        const address = new RegExp(`/${stem}$|(^|/)${stem}\\?`);
        return (isPlain(stem) ? texts : compared).has(stem) || [...texts].some((text) => address.test(text));
    });

const GRAPH = new Map([...SCRIPTS].map(([name, { imports }]) => [name, imports]));

test("scripts import one way", () => {
    assert.ok([...GRAPH.values()].flat().length > 500);
    assert.deepEqual(
        [...GRAPH].flatMap(([name, imports]) => trespasses(name, imports)),
        [],
    );
    assert.deepEqual(
        [...GRAPH.values()].flat().filter((name) => !GRAPH.has(name)),
        [],
    );
    assert.deepEqual(circle(GRAPH), []);
});

test("what rooms may import is a partial order, and a circle is found", () => {
    assert.deepEqual(circle(new Map(Object.entries(ROOMS).map(([room, others]) => [room, others.split(" ")]))), []);
    assert.deepEqual(
        circle(
            new Map([
                ["a", ["b"]],
                ["b", ["c"]],
                ["c", ["a"]],
                ["d", []],
            ]),
        ),
        ["a", "b", "c"],
    );
});

test("a wrong import is found", () => {
    for (const [name, imported] of [
        ["vitviz/frontend/figures/chart.js", "../draw/plot.js"],
        ["vitviz/frontend/draw/text.js", "../state/board.js"],
        ["vitviz/frontend/state/board.js", "../frame/photo.js"],
        ["vitviz/frontend/state/lens.js", "../draw/bars.js"],
        ["vitviz/frontend/transport/inbox.js", "../state/board.js"],
        ["vitviz/frontend/forward/memory.js", "../state/board.js"],
        ["vitviz/frontend/columns/columns.js", "#pages/attention/heads/difference.js"],
        ["vitviz/frontend/questions/question.js", "../lecture/lecture.js"],
        ["vitviz/frontend/frame/photo.js", "../doors/board/board.js"],
        ["vitviz/frontend/frame/strip.js", "../streamlit/page.js"],
        ["vitviz/frontend/state/board.js", "../streamlit/python.js"],
        ["vitviz/frontend/doors/mount/mount.js", "../../streamlit/python.js"],
        ["pages/attention/heads/scene.js", "#frontend/streamlit/page.js"],
        ["vitviz/frontend/doors/offline/file.js", "#pages/attention/heads/scene.js"],
        ["pages/attention/heads/scene.js", "#frontend/columns/maps.js"],
        ["pages/attention/heads/scene.js", "#frontend/lecture/room.js"],
    ])
        assert.equal(trespasses(name, [target(name, imported)]).length, 1, `${name} ${imported}`);
});

test("scenes know no other page, and no folder lies deep", () => {
    const own = (/** @type {string} */ name) => name.split("/").slice(0, 3).join("/");
    for (const [name, imports] of GRAPH) {
        if (name.startsWith("pages/"))
            for (const other of imports) assert.ok(!other.startsWith("pages/") || own(other) === own(name), name);
        assert.ok(name.split("/").length - 2 <= DEEPEST, name);
    }
});

test("no page is named outside its folder", () => {
    const ours = [...SCRIPTS].filter(([name]) => name.startsWith("vitviz/") && !name.includes("/schema/")); // is written
    assert.deepEqual(
        ours.filter(([, found]) => named(found).length).map(([name]) => name),
        [],
    );
});

test("a name is found, and a word of the field is no page", () => {
    const text =
        'import { it } from "./b.js";\nconst T = { [stem]: "class_head" };\nif (view.page === "heads") it(T, "depth", "memory?x=1");\n';
    const files = { [`/r/${PROJECT}`]: '{ "compilerOptions": { "allowJs": true }, "include": ["*.js"] }' };
    const scripts = parsed("/r", { fs: createVirtualFileSystem({ ...files, "/r/vitviz/frontend/a.js": text }) });
    const found = scripts.get("vitviz/frontend/a.js");
    assert.ok(found);
    assert.deepEqual(named(found), ["heads", "memory", "class_head"]);
    assert.deepEqual(found.imports, ["vitviz/frontend/b.js"]);
});

test("one module alone reads Streamlit's own page", () => {
    const ofStreamlit = ["data-test", "dataset.test", "document.querySelector", "stApp"];
    const ownPage = (/** @type {string} */ name) =>
        name.endsWith("explorer.js") || (name.includes("/doors/") && !name.includes("/doors/board/"));
    const found = [...SCRIPTS].filter(
        ([name, { texts, reads }]) =>
            !ownPage(name) && [...texts, ...reads].some((text) => ofStreamlit.some((it) => text.includes(it))),
    );
    assert.deepEqual(
        found.map(([name]) => name),
        ["vitviz/frontend/streamlit/page.js"],
    );
});

test("one module alone speaks to Streamlit by the browser's history, and hears it", () => {
    const found = [...SCRIPTS].filter(([, { texts }]) => texts.has("popstate"));
    const without = "vitviz/frontend/doors/site/site.js"; // where there is no Streamlit
    assert.deepEqual(
        found.map(([name]) => name).filter((name) => name !== without),
        ["vitviz/frontend/streamlit/router.js"],
    );
});

test("one module alone reads and writes the words of an address", () => {
    const found = [...SCRIPTS].filter(
        ([, { makes, reads }]) => makes.has("URLSearchParams") || [...reads].some((it) => it.endsWith(".searchParams")),
    );
    assert.deepEqual(found.map(([name]) => name).sort(), [
        "vitviz/frontend/doors/lecturer/secret.js", // of what stands behind "#", before there is a module
        "vitviz/frontend/transport/words.js",
    ]);
});

test("no ending is hung on a word in braces", () => {
    const hung = (/** @type {string} */ text) => /\{\w[\w ]*\}[a-z]/.test(text);
    const found = [...SCRIPTS].filter(([, { texts }]) => [...texts].some(hung));
    assert.deepEqual(
        found.map(([name]) => name),
        [],
    );
    assert.ok(hung("the {patch}es"));
});
