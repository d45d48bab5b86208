import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PATIENCE, SETTLE, Sync } from "../../vitviz/ui/explorer/frontend/state/sync.js";
import { FakeStreamlit, FakeTimers, START } from "./streamlit.js";

/** @import { Selection } from "../../vitviz/ui/explorer/frontend/types.js" */

const ROUND = SETTLE + 50; // ms until a change has come back
const LONG = 20 * PATIENCE;

/** @type {FakeTimers} */
let timers;
/** @type {Sync} */
let sync;
/** @type {FakeStreamlit} */
let python;

beforeEach(() => {
    timers = new FakeTimers();
    sync = new Sync({ ...START }, timers);
    python = new FakeStreamlit(timers, sync);
    timers.pass(ROUND);
});

/** Both sides have this, and nothing is under way. @param {Partial<Selection>} changes */
function agreed(changes) {
    assert.deepEqual(sync.selection, { ...START, ...changes });
    assert.deepEqual(python.selection, sync.selection);
    assert.equal(sync.ahead, false);
    const before = python.sent.length;
    timers.pass(LONG);
    assert.equal(python.sent.length, before, "the protocol has come to rest");
}

test("the first echo is followed whole, and nothing is sent", () => {
    const late = new Sync({ ...START }, timers);
    assert.equal(late.begun, false);
    late.set({ layer: 1 });
    late.open(python.digest, () => {});
    late.receive({ ...python.echo(), layer: 5, shows: "rollout", pinned: true });
    assert.equal(late.begun, true);
    assert.deepEqual(late.selection, { ...START, layer: 5, shows: "rollout", pinned: true });
    assert.equal(late.ahead, false);
});

test("a hundred changes are one message, of what has changed, once the hand rests", () => {
    for (let query = 1; query <= 100; query++) {
        sync.set({ query });
        timers.pass(SETTLE - 1);
    }
    assert.deepEqual(python.sent, []);
    assert.equal(sync.ahead, true);
    timers.pass(ROUND);
    assert.deepEqual(python.sent, [{ query: 100, digest: python.digest, seq: 1 }]);
    agreed({ query: 100 });
});

test("the echo of an own message changes nothing on screen", () => {
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    sync.selection = Object.freeze({ ...sync.selection });
    timers.pass(ROUND);
    assert.equal(sync.heard, 1);
    agreed({ layer: 3 });
});

test("of two quick changes the second waits for the first's echo and stays on screen", () => {
    python.delay = 400;
    sync.set({ layer: 3 });
    timers.pass(SETTLE + 100);
    sync.set({ layer: 4 });
    timers.pass(SETTLE + 100);
    assert.equal(python.sent.length, 1);
    timers.pass(400);
    assert.equal(sync.heard, 1);
    assert.equal(sync.selection.layer, 4);
    timers.pass(2000);
    assert.deepEqual(
        python.sent.map(({ layer }) => layer),
        [3, 4],
    );
    agreed({ layer: 4 });
});

test("a change that is taken back while it is under way is taken back in Python too", () => {
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    sync.set({ layer: 0, head: 1 });
    timers.pass(3 * ROUND);
    agreed({ head: 1 });
});

test("a lost message is sent again and again, until there is an echo", () => {
    python.connected = false;
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    for (let times = 1; times <= 8; times++) {
        timers.pass(PATIENCE - 1);
        assert.equal(python.sent.length, times, "not yet");
        timers.pass(1);
    }
    assert.equal(sync.ahead, true);
    python.connected = true;
    timers.pass(PATIENCE + ROUND);
    assert.deepEqual(python.sent.at(-1), { layer: 3, digest: python.digest, seq: 10 });
    agreed({ layer: 3 });
});

test("what was in a lost message is in the next, with what changed since", () => {
    python.connected = false;
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    sync.set({ mean: true });
    python.connected = true;
    timers.pass(PATIENCE + ROUND);
    assert.deepEqual(python.sent[1], { layer: 3, mean: true, digest: python.digest, seq: 2 });
    agreed({ layer: 3, mean: true });
});

test("a lost echo does not bring back what was changed in Python meanwhile", () => {
    python.echoes = false;
    sync.set({ layer: 3 });
    timers.pass(ROUND);
    assert.equal(python.selection.layer, 3);
    python.echoes = true;
    python.change({ head: 2 });
    timers.pass(PATIENCE + ROUND);
    agreed({ layer: 3, head: 2 });
});

test("what Python may have taken over without an echo is taken back there too", () => {
    python.echoes = false;
    sync.set({ layer: 3 });
    timers.pass(ROUND);
    sync.set({ layer: 0, head: 1 });
    python.echoes = true;
    timers.pass(PATIENCE + ROUND);
    assert.deepEqual(python.sent[1], { layer: 0, head: 1, digest: python.digest, seq: 2 });
    agreed({ head: 1 });
});

test("an echo that was overtaken by a later one is not followed", () => {
    const old = python.echo();
    sync.set({ layer: 3 });
    timers.pass(ROUND);
    sync.receive(old);
    agreed({ layer: 3 });
});

test("an echo from before a message leaves the hand's change alone, and the message under way", () => {
    python.delay = 500;
    python.change({ head: 2 });
    timers.pass(400);
    sync.set({ layer: 3 });
    timers.pass(SETTLE + 400);
    assert.equal(sync.heard, 0);
    assert.deepEqual(sync.selection, { ...START, head: 2, layer: 3 });
    timers.pass(2000);
    assert.equal(python.sent.length, 1);
    agreed({ layer: 3, head: 2 });
});

test("of a change here and one there of the same name the one that Python hears last stays", () => {
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    python.selection.layer = 5;
    timers.pass(ROUND);
    agreed({ layer: 3 });
    python.change({ layer: 5 });
    timers.pass(ROUND);
    agreed({ layer: 5 });
});

test("what Python does not take over is given up", () => {
    sync.set({ layer: 3 });
    timers.pass(SETTLE);
    python.digest = "another picture";
    timers.pass(50);
    assert.equal(python.seq, 1);
    assert.equal(sync.heard, 0, "its echo waits for the picture");
    sync.open(python.digest, () => {});
    agreed({});
});

test("a server that is slower than the patience is asked again, and nothing is undone on screen", () => {
    python.delay = 2 * PATIENCE;
    /** @type {number[]} */
    const layers = [];
    sync.changed = () => layers.push(sync.selection.layer);
    for (const layer of [1, 2, 3, 4, 5]) {
        sync.set({ layer });
        timers.pass(1500);
    }
    timers.pass(LONG);
    assert.deepEqual(layers, [...layers].sort());
    assert.ok(python.sent.length < 10, `${python.sent.length} messages`);
    agreed({ layer: 5 });
});

test("after an outage, the same server is told what happened meanwhile", () => {
    sync.set({ layer: 3 });
    timers.pass(ROUND);
    python.connected = false;
    sync.set({ layer: 4 });
    timers.pass(10_000);
    sync.set({ head: 1 });
    timers.pass(10_000);
    assert.deepEqual(python.selection, { ...START, layer: 3 });
    python.connected = true;
    timers.pass(LONG);
    agreed({ layer: 4, head: 1 });
});

test("a server that was started anew has heard nothing, and is told at once", () => {
    sync.set({ layer: 3 });
    timers.pass(ROUND);
    python.connected = false;
    sync.set({ layer: 4, mean: true });
    timers.pass(10_000);
    python.connected = true;
    python.restart();
    timers.pass(2 * ROUND);
    agreed({ layer: 4, mean: true });
});

test("a page that was loaded anew counts on from where Python is", () => {
    for (let layer = 1; layer <= 5; layer++) {
        sync.set({ layer });
        timers.pass(ROUND);
    }
    sync.stop();
    sync = python.mount(new Sync({ ...START }, timers));
    timers.pass(50);
    assert.deepEqual(sync.selection, { ...START, layer: 5 });
    sync.set({ head: 1 });
    timers.pass(ROUND);
    assert.deepEqual(python.sent.at(-1), { head: 1, digest: python.digest, seq: 6 });
    agreed({ layer: 5, head: 1 });
});

test("an echo waits for the picture that it is about, and the selection is kept inside the model", () => {
    sync.receive({ ...python.echo(), digest: "larger", layer: 11 });
    assert.equal(sync.selection.layer, 0);
    sync.open("larger", (selection) => {
        selection.layer = Math.min(selection.layer, 5);
    });
    assert.equal(sync.selection.layer, 5);
    sync.set({ layer: 9 });
    assert.equal(sync.selection.layer, 5);
});

test("while it is held nothing is sent, and afterwards the last of it", () => {
    sync.hold();
    for (let layer = 1; layer <= 5; layer++) {
        sync.set({ layer });
        timers.pass(700);
    }
    python.change({ head: 3 });
    timers.pass(2000);
    assert.deepEqual(python.sent, []);
    sync.release();
    timers.pass(ROUND);
    assert.equal(python.sent.length, 1);
    agreed({ layer: 5, head: 3 });
});

test("a page that is left sends nothing more, and goes on when it is opened again", () => {
    sync.set({ layer: 3 });
    sync.stop();
    timers.pass(LONG);
    assert.deepEqual(python.sent, []);
    sync.open(python.digest, () => {});
    timers.pass(ROUND);
    agreed({ layer: 3 });
});

test("whatever is lost, late or started anew, both sides agree in the end", () => {
    let seed = 1;
    const random = (/** @type {number} */ below) => {
        seed = (seed * 48271) % 2147483647;
        return seed % below;
    };
    for (let round = 0; round < 300; round++) {
        for (let step = 0; step < 40; step++) {
            const change = { [["layer", "head", "query"][random(3)]]: random(6) };
            const acts = [
                () => sync.set(change),
                () => sync.set(change),
                () => python.change(change),
                () => python.run(),
                () => python.restart(),
                () => {
                    python.connected = !python.connected;
                },
                () => {
                    python.echoes = !python.echoes;
                },
                () => {
                    python.delay = [5, 100, 1000, 5000][random(4)];
                },
            ];
            acts[random(acts.length)]();
            timers.pass(random(4) * 200);
        }
        Object.assign(python, { connected: true, echoes: true, delay: 20 });
        timers.pass(LONG);
        python.run();
        timers.pass(LONG);
        assert.deepEqual(sync.selection, python.selection, `round ${round}`);
        assert.equal(sync.ahead, false);
    }
});
