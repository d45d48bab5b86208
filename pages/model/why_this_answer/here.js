// The trial in this browser: workers run the model on picture after picture, and the curves grow as answers come.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Config } from "#frontend/types/forward.js" */
/** @import { Array_, Selection } from "#frontend/types/board.js" */

import { canRun, Forward } from "#frontend/forward/client.js";
import { factsOf, mapOf, trialName, triedOf } from "./reasons.js";

const SLOW = 400; // ms of a forward pass from which on the server runs the model
const TOLD = 100; // ms between two points of a curve that are told, for each of which the page is drawn again
const TRIES = 2; // more, where the first was slow: it may have met a busy moment
const HANDS = 2; // workers, where the machine has as many cores: the page has to be drawn, too

/** Patches by what a map says of them, the most first; of equals the one that comes first in the picture, and those of
 *  which it says no number last. @param {ArrayLike<number>} values */
export function orderOf(values) {
    const last = (/** @type {number} */ value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value);
    const order = Int32Array.from(values, (_, patch) => patch);
    return order.sort((a, b) => {
        const [before, after] = [last(values[a]), last(values[b])];
        return before === after ? a - b : after < before ? -1 : 1;
    });
}

/** The whole picture as it is where patches are gone: `filled` of what the model reads. @param {Float32Array} patches
 *  `n (c ph pw)` @param {Selection["fill"]} fill @param {Pick<Config, "patch_values" | "channels">} config */
export function filledWith(patches, fill, { patch_values: values, channels }) {
    const out = new Float32Array(patches.length);
    if (fill === "grey") return out; // the mean of the training pictures, after normalisation
    const size = values / channels;
    const means = Float64Array.from(
        { length: patches.length / size },
        (_, at) => patches.subarray(at * size, (at + 1) * size).reduce((sum, value) => sum + value, 0) / size,
    );
    const whole = Array.from({ length: channels }, (_, channel) => {
        const its = means.filter((_, at) => at % channels === channel);
        return its.reduce((sum, value) => sum + value, 0) / its.length;
    });
    for (const [at, mean] of means.entries())
        out.fill(fill === "blur" ? mean : whole[at % channels], at * size, (at + 1) * size);
    return out;
}

/** The area under straight lines from point to point, where all patches are 1 across. @param {ArrayLike<number>} curve
 *  @param {ArrayLike<number>} counts */
export function areaUnder(curve, counts) {
    let area = 0;
    for (let at = 1; at < counts.length; at++)
        area += ((counts[at] - counts[at - 1]) * (curve[at] + curve[at - 1])) / 2;
    return area / Math.max(1, counts[counts.length - 1]);
}

/** @param {Float32Array} logits @param {number} label */
function probability(logits, label) {
    const most = Math.max(...logits);
    return Math.exp(logits[label] - most) / logits.reduce((sum, value) => sum + Math.exp(value - most), 0);
}

/** Whether the patches of a map vanish or appear. @typedef {"removed" | "kept"} End */

/** Of a map the curve of each end, NaN at points that have not come, the areas under them, and which are done.
 *  @typedef {Record<End, Float32Array> & { area: Float32Array, done: Set<End> }} Curves */

/** @type {End[]} */
const ENDS = ["removed", "kept"];

/** Curves of which nothing has come but the points that all maps share. @param {number} points @param {number} whole
 *  @param {number} empty @returns {Curves} */
function begun(points, whole, empty) {
    const between = Array(Math.max(0, points - 2)).fill(Number.NaN);
    const area = new Float32Array(2).fill(Number.NaN);
    const [removed, kept] = [Float32Array.of(whole, ...between, empty), Float32Array.of(empty, ...between, whole)];
    return { removed, kept, area, done: new Set() };
}

/** A model in a worker of its own: what it answers to the whole picture, and to one without any patch, of a fill; and
 *  whether it puts a curve to trial. */
class Hand {
    constructor() {
        /** @type {Forward | null} */
        this.forward = null;
        this.whole = /** @type {Float32Array} */ (new Float32Array());
        this.empty = this.whole;
        this.fill = "";
        this.going = false;
        /** @type {{ stop(): void } | null} */
        this.sweep = null;
    }
}

export class TrialHere {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        const many = Math.min(HANDS, navigator.hardwareConcurrency || 1);
        this.hands = Array.from({ length: many }, () => new Hand());
        /** The model that is made ready last: one after the other, so that parameters are fetched once. */
        this.starting = Promise.resolve();
        /** What has come of maps, by the names of their trials. @type {Map<string, Curves>} */
        this.curves = new Map();
        /** Curves that a hand has begun with, by the name of the trial and the end. @type {Set<string>} */
        this.taken = new Set();
        /** What is put to trial: the class and the fill. */
        this.asked = "";
        this.closed = false;
    }

    get going() {
        return this.hands.some((hand) => hand.going);
    }

    /** Put to trial what is chosen. */
    draw() {
        const asked = trialName(this.column, this.column.chosen, "");
        if (asked !== this.asked) this.stop();
        this.asked = asked;
        for (const hand of this.hands) if (!hand.going) this.go(hand);
    }

    /** @param {Hand} hand */
    async go(hand) {
        hand.going = true;
        try {
            for (let it = this.next(); it; it = this.next()) await this.put(hand, ...it);
        } catch (error) {
            if (!this.closed) {
                console.info("The server runs the model:", error);
                this.close();
                this.column.choose({ runs: "server" });
            }
        }
        hand.going = false;
    }

    /** The curve that comes next: of all maps that are here, the chosen one first, the end that is looked at, and then the
     *  other. @returns {[Selection["map"], End] | undefined} */
    next() {
        const { column, asked, closed, taken } = this;
        const { chosen, parcels } = column;
        const classes = column.array(`maps-${chosen.answer}--1`, "classes");
        if (!asked || closed || !classes || !column.array("forward-patches", "own")) return undefined;
        const ends = chosen.sees === "kept" ? [...ENDS].reverse() : ENDS;
        const all = ends.flatMap((end) =>
            triedOf(column, chosen).map((map) => /** @type {[Selection["map"], End]} */ ([map, end])),
        );
        return all.find(([map, end]) => {
            const name = trialName(column, chosen, map);
            if (parcels.get(name) || this.curves.get(name)?.done.has(end) || taken.has(name + end)) return false;
            return mapOf(column, `${chosen.answer}--1`, map);
        });
    }

    /** @param {Hand} hand @param {Selection["map"]} map @param {End} end */
    async put(hand, map, end) {
        const { column, asked, taken } = this;
        const { answer, fill } = column.chosen;
        const own = /** @type {Float32Array} */ (column.array("forward-patches", "own")?.data);
        const order = orderOf(/** @type {Float32Array} */ (mapOf(column, `${answer}--1`, map)));
        const classes = /** @type {Array_} */ (column.array(`maps-${answer}--1`, "classes"));
        const name = trialName(column, column.chosen, map);
        taken.add(name + end);
        const { counts } = factsOf(column);
        const of = (/** @type {Array_["data"]} */ data) => ({ shape: [data.length], data });
        const chance = (/** @type {Float32Array} */ logits) => probability(logits, classes.data[0]);
        const forward = hand.forward ?? (await this.ready(hand, own));
        if (hand.fill !== fill) {
            const { logits } = await forward.showSecond(filledWith(own, fill, forward.config));
            [hand.fill, hand.empty] = [fill, logits];
        }
        if (this.asked !== asked) return;
        const it = this.curves.get(name) ?? begun(counts.length, chance(hand.whole), chance(hand.empty));
        this.curves.set(name, it);
        const keep = (/** @type {string} */ part) => {
            const { removed, kept, area } = it;
            const both = { removed: of(removed), kept: of(kept), area: of(area) };
            column.receive({
                digest: column.parcels.digest,
                name: name + part,
                arrays: { classes, counts: of(Int32Array.from(counts)), order: of(order), ...both },
            });
            column.invalidate();
        };
        let told = performance.now();
        const each = counts.slice(1, -1).map((many) => pasted(order.subarray(0, many)));
        const sweep = forward.sweep(each, {
            swapped: end === "kept", // onto the filled picture patches are pasted of the own one
            paint: (at, logits) => {
                const { classes: many } = column.meta;
                for (let cell = 0; cell < logits.length / many; cell++)
                    it[end][1 + at + cell] = chance(logits.subarray(cell * many, (cell + 1) * many));
                if (performance.now() - told < TOLD) return;
                told = performance.now();
                keep(" part 1");
            },
        });
        hand.sweep = sweep;
        if (!(await sweep.done) || this.asked !== asked) return;
        it.area[ENDS.indexOf(end)] = areaUnder(it[end], counts);
        it.done.add(end);
        keep(it.done.size < ENDS.length ? " part 1" : "");
    }

    /** The model of a hand, once those of the hands before are ready. @param {Hand} hand @param {Float32Array} own
     *  @returns {Promise<Forward>} */
    ready(hand, own) {
        const started = this.starting.then(() => this.start(hand, own));
        const over = () => {};
        this.starting = started.then(over, over);
        return started;
    }

    /** The model, which has run the picture. @param {Hand} hand @param {Float32Array} own */
    async start(hand, own) {
        const { forward: spec } = factsOf(this.column);
        if (this.closed || !spec || !canRun()) throw new Error("this browser cannot run the model");
        const forward = await Forward.start(spec);
        let first = await forward.show(own);
        for (let more = TRIES; more && first.took > SLOW; more--) first = await forward.show(own);
        if (this.closed || first.took > SLOW) {
            forward.close();
            throw new Error(`a forward pass takes ${Math.round(first.took)} ms here`);
        }
        [hand.forward, hand.whole] = [forward, first.logits];
        return forward;
    }

    stop() {
        this.asked = "";
        this.taken.clear();
        for (const { sweep } of this.hands) sweep?.stop();
    }

    close() {
        this.closed = true;
        this.stop();
        for (const { forward } of this.hands) forward?.close();
    }
}

/** The edits by which patches are those of the other picture. @param {Int32Array} patches */
const pasted = (patches) => Array.from(patches, (patch) => `p${patch + 1}=paste`).join(" ");
