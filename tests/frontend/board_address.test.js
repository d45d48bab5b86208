import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { meta, painted, stand, timers, traverse, visits } from "./page.js";

const { pageOf, push, read, replace, url } = await import("#frontend/state/address.js");
const { startOf } = await import("#frontend/state/start.js");
const { home, withWords, wordsIn } = await import("#frontend/transport/words.js");
const { onReturn, readAddress, readAddressSoon } = await import("#frontend/streamlit/router.js");

const small = meta();

/** What an address asks for, over what a model starts with. @param {string} at */
const asked = (at) => {
    stand(at);
    return /** @type {import("#frontend/types/board.js").Selection} */ ({
        ...startOf(small),
        ...read(small),
    });
};

/** Go on to another page. @param {string} to */
function goOn(to) {
    push(to);
    readAddressSoon();
}

beforeEach(() => {
    stand("/");
    visits.length = 0;
});

test("what counts from 1 in the address counts from 0 in code, tokens go by name or patch", () => {
    const found = asked("/heads?layer=3&head=2&query=register+1&key=12&component=8&after=0&through=2");
    const { layer, head, query, key, component, after, through } = found;
    assert.deepEqual([layer, head, query, key, component, after, through], [2, 1, 1, 13, 7, 0, 2]);
});

test("an address that says nothing leaves everything as it starts", () => {
    assert.deepEqual(read(small), { open: "" });
});

test("what a model does not have is left out", () => {
    for (const no of ["layer=5", "layer=0", "head=3", "query=13", "query=0", "query=-1", "key=distillation"])
        assert.deepEqual([no, asked(`/heads?${no}`)], [no, startOf(small)]);
    for (const no of ["layer=inf", "component=1e1", "after=5", "through=0", "open=door", "layer=9999999"])
        assert.deepEqual([no, asked(`/heads?${no}`)], [no, startOf(small)]);
});

test("a square of the picture is read as Python writes it, and one that no model may see is left out", () => {
    assert.equal(asked("/?crop=0250-100-0500").crop, "250-100-500");
    assert.equal(asked("/?crop=0-0-20").crop, "0-0-20");
    for (const no of ["crop=0-0-19", "crop=0-0-1001", "crop=0-0", "crop=-1-0-500", "crop=a"])
        assert.deepEqual([no, asked(`/?${no}`)], [no, startOf(small)]);
});

test("an address is read as it was written, and leaves out what is usual", () => {
    assert.equal(url(small, startOf(small), startOf(small)), "/");
    stand("/?sample=left");
    const chosen = {
        ...startOf(small),
        page: "heads",
        layer: 3,
        head: 1,
        query: 13,
        key: 0,
        moment: "pair",
        open: "code",
    };
    const to = url(small, /** @type {any} */ (chosen), startOf(small));
    assert.equal(to, "/heads?sample=left&layer=4&head=2&query=12&key=class&moment=pair&open=code");
    assert.deepEqual({ ...asked(to), page: "heads", moment: "pair" }, chosen);
});

test("without a model's sizes the address keeps what it says of them", () => {
    stand("/growth?layer=3&query=5");
    const chosen = { ...startOf(null), page: "memory" };
    assert.equal(url(null, chosen, startOf(null)), "/memory?layer=3&query=5");
});

test("the app may be served under a path", () => {
    stand("/lecture/vit/heads?layer=2");
    assert.equal(home(), "/lecture/vit/");
    assert.equal(pageOf(["", "heads"]), "heads");
    assert.equal(
        url(small, { ...asked("/lecture/vit/heads?layer=2"), page: "" }, startOf(small)),
        "/lecture/vit/?layer=2",
    );
    stand("/lecture/vit/");
    assert.equal(pageOf(["", "heads"]), "");
});

test("a class counts from 1, training in steps, and both are left out where nobody asked", () => {
    assert.deepEqual(read(small), { open: "" });
    const chosen = { ...startOf(small), page: "class_head", answer: 2, learned: 0 };
    const to = url(small, /** @type {any} */ (chosen), startOf(small));
    assert.equal(to, "/class_head?answer=3&learned=0");
    assert.deepEqual({ ...asked(to), page: "class_head" }, chosen);
    assert.equal(asked("/class_head?answer=4").answer, -1, "there are three classes");
});

test("Streamlit hears of another page when the board has painted, once", () => {
    goOn("/heads");
    assert.deepEqual([location.pathname, visits], ["/heads", []]);
    painted();
    assert.deepEqual(visits, ["/heads"]);
    timers.pass(1000);
    assert.equal(visits.length, 1);
});

test("of two pages in one frame Streamlit hears of the second alone", () => {
    goOn("/heads");
    goOn("/depth?layer=2");
    painted();
    timers.pass(1000);
    assert.deepEqual(visits, ["/depth?layer=2"]);
});

test("Back or another visit within that frame is what Streamlit hears of, and nothing comes after it", () => {
    goOn("/heads");
    traverse("/");
    painted();
    timers.pass(1000);
    assert.deepEqual(visits, ["/"]);
    goOn("/depth");
    replace("/depth?open=code");
    readAddress();
    painted();
    timers.pass(1000);
    assert.deepEqual(visits.slice(1), ["/depth?open=code"]);
});

test("of a page that is hidden and paints nothing Streamlit hears all the same", () => {
    goOn("/heads");
    timers.pass(1000);
    assert.deepEqual(visits, ["/heads"]);
    painted();
    assert.equal(visits.length, 1, "once");
});

test("what Streamlit is told is no Back", () => {
    let returned = 0;
    const until = new AbortController();
    onReturn(() => returned++, until);
    readAddress();
    assert.deepEqual([returned, visits], [0, ["/"]]);
    traverse("/heads");
    assert.equal(returned, 1);
    until.abort();
    traverse("/");
    assert.equal(returned, 1);
});

test("words are read from an address, a view or nothing, the last of one name as Python does", () => {
    assert.deepEqual(wordsIn("/heads?layer=3&key=register+1&layer=4"), { layer: "4", key: "register 1" });
    assert.deepEqual([wordsIn("heads"), wordsIn("?a=b?c"), wordsIn("")], [{}, { a: "b?c" }, {}]);
    stand("/heads?query=%3Cb%3E");
    assert.deepEqual(wordsIn(), { query: "<b>" });
    assert.equal(Object.hasOwn(wordsIn("?__proto__=1"), "__proto__"), true, "a word like any other");
});

test("an address with other words keeps the rest, in order, and has none that say nothing", () => {
    assert.equal(withWords("/vit/heads?a=1&b=2&c=", { b: 3, d: "x y", a: "" }), "/vit/heads?b=3&d=x+y");
    assert.equal(withWords("heads?a=1", { a: "" }), "heads");
    assert.equal(withWords("/", {}), "/");
    assert.equal(withWords("/heads?a=1&a=2", { b: "&" }), "/heads?a=2&b=%26");
});
