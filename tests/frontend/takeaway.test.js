// The menu of take away, until it is here: it is fetched when it is first opened.

import assert from "node:assert/strict";
import test from "node:test";
import { TakeAway } from "#frontend/frame/takeaway.js";

const MENU = `export const menu = (takeaway) => ({
    opens: 0, stands: 0,
    open() { this.opens += 1; return takeaway.drawn.length > 0; },
    stand() { this.stands += 1; },
})`;
Object.assign(globalThis, { document: { baseURI: "http://hall/" } });
const home = () =>
    /** @type {HTMLElement} */ (
        /** @type {unknown} */ ({ dataset: { menu: `data:text/javascript,${encodeURIComponent(MENU)}` } })
    );

test("a second press while the menu is on its way does not close it, and an open one goes to a new home", async () => {
    const takeaway = new TakeAway(/** @type {any} */ ({ store: { chosen: {} } }));
    takeaway.stand(home());
    await Promise.all([takeaway.open(), takeaway.open(), takeaway.open()]);
    const menu = /** @type {any} */ (takeaway.menu);
    assert.equal(menu.opens, 1);
    await takeaway.open();
    assert.equal(menu.opens, 2);
    const anew = home();
    takeaway.stand(anew);
    assert.equal(menu.stands, 1);
    assert.equal(takeaway.home, anew);
});

test("who presses before the page has drawn its first picture gets the menu when it comes, and on no other page", async () => {
    const board = /** @type {any} */ ({ store: { chosen: { page: "growth" } } });
    const takeaway = new TakeAway(board);
    takeaway.stand(home());
    const come = () => takeaway.accept(/** @type {any} */ ({ button: {} }));
    const pass = () => new Promise((done) => setTimeout(done, 200));
    await takeaway.open();
    come();
    come();
    await pass();
    const menu = /** @type {any} */ (takeaway.menu);
    assert.equal(menu.opens, 2);
    takeaway.drawn = [];
    await takeaway.open();
    board.store.chosen.page = "memory";
    come();
    board.store.chosen.page = "growth";
    come();
    await pass();
    assert.equal(menu.opens, 3);
});
