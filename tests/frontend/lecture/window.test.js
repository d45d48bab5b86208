import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { runInThisContext } from "node:vm";

import { LEADS } from "#frontend/schema/lectures.js";
import { addresses, timers } from "../page.js";
import { connections, happens, held } from "./arriving.js";

/** @import { Lesson } from "#frontend/types/lecture.js" */

const { begun, moveTo } = await import("#frontend/lecture/states.js");
const { Room, startOf } = await import("#frontend/doors/lecturer/room.js");

const KEPT = "vitviz_lecture";
const SECRET = new URL("../../../vitviz/frontend/doors/lecturer/secret.js", import.meta.url);
const FIRST_SCRIPT = readFileSync(SECRET, "utf-8").replace("{leads}", LEADS); // no module: it stands in the page
/** @type {Lesson} */
const lesson = {
    name: "mine",
    title: "Mine",
    minutes: 3,
    steps: ["one", "two", "three", "four"].map((says) => ({
        ...{ says, view: "heads", notes: "", minutes: 1, optional: false, question: null, explains: `why ${says}` },
    })),
};
const shown = (/** @type {number} */ step) => ({ state: { ...begun(lesson, step, false, null), grant: "g" } });
const led = () => JSON.parse(held.get(KEPT) ?? "null");
const line = () => /** @type {typeof connections[0]} */ (connections.at(-1));

/** A window whose address has this behind its `#`. */
function arrive(hash = "") {
    connections.length = 0;
    location.hash = hash;
    return new Room(
        () => {},
        () => startOf(lesson, 1, null),
    );
}

/** A window whose room is open at a step. */
function opened(step = 1) {
    const room = arrive();
    room.open("s");
    line().onopen();
    line().says(shown(step));
    return room;
}

beforeEach(() => held.clear());

test("a secret leaves the address before anything else is loaded, and is for the next room", async () => {
    location.pathname = "/vit/lecturer";
    location.search = "?lesson=mine";
    location.hash = "#token=a%20secret";
    runInThisContext(`{${FIRST_SCRIPT}}`);
    assert.equal(addresses.at(-1), "/vit/lecturer?lesson=mine");
    const room = arrive();
    assert.equal(room.led.secret, "a secret");
    assert.equal(held.has("vitviz_secret"), false, "it is at one place alone");
    room.open("typed");
    location.hash = "#token=another";
    happens("hashchange");
    assert.equal(addresses.length, 2);
    room.arrived();
    assert.equal(room.led.secret, "typed", "of the room that is open");
    line().onclose({ code: 4403, reason: "this is not the lecturer's secret" });
    assert.deepEqual([room.led.code, room.led.secret], ["", "another"]);
    room.open(room.led.secret);
    line().onclose({ code: 4403, reason: "this is not the lecturer's secret" });
    assert.equal(held.has(KEPT), false, "refused, too");
    assert.equal(room.trouble, "this is not the lecturer's secret");
    location.search = "";
});

test("where storage is blocked, the secret leaves the address and the page's script goes on", async () => {
    const setItem = sessionStorage.setItem;
    sessionStorage.setItem = () => {
        throw new Error("SecurityError");
    };
    location.pathname = "/vit/lecturer";
    location.hash = "#token=another";
    runInThisContext(`{${FIRST_SCRIPT}}`);
    sessionStorage.setItem = setItem;
    assert.equal(addresses.at(-1), "/vit/lecturer");
    location.hash = "";
});

test("only a room that refuses is forgotten, not one that cannot be reached", () => {
    for (const code of [0, 1006, 1009, 4400, 4404, 4408, 4429]) {
        const room = arrive();
        room.open("s");
        line().onclose({ code, reason: "for some reason" });
        assert.equal(room.trouble, "for some reason");
        assert.equal(led().secret, "s", `after ${code}`);
        assert.equal(led().code, room.led.code);
        room.leave();
    }
});

test("a room that does not hear that it is closed stays this browser's", () => {
    const room = opened();
    line().readyState = 3;
    room.close();
    assert.equal(led().secret, "s");
    line().readyState = 1;
    room.close();
    assert.deepEqual(line().sent.at(-1), { close: true });
    assert.equal(held.has(KEPT), false, "the secret goes with it");
});

test("two quick moves are not undone by what the room says of the first one", () => {
    const room = opened();
    room.move(lesson, 2);
    room.move(lesson, 3);
    assert.deepEqual(
        line().sent.slice(1),
        [2, 3].map((step) => ({ move: moveTo(lesson, step) })),
    );
    const steps = [room.state?.step];
    for (const step of [2, 3, 4]) {
        line().says(shown(step));
        steps.push(room.state?.step);
    }
    assert.deepEqual(steps, [3, 3, 3, 4], "and then it follows the lecturer's other windows");
    assert.equal(room.state?.grant, "g");
    line().readyState = 3;
    room.move(lesson, 1);
    assert.equal(room.state?.step, 4, "a room that does not hear of it stays where it is");
    line().onclose({ code: 1006 });
    timers.pass(2000);
    line().onopen();
    line().says(shown(2));
    assert.equal(room.state?.step, 2);
    assert.equal(room.moving, false);
    room.leave();
});
