// The forward passes of one model and picture: as it is, with edits, and of a second picture. Each begins where it first
// differs from one that was made before.

import { block, classify, embed } from "./forward.js";

/** @import { Change, Config, Embedding, Plan } from "../types/forward.js" */
/** @import { Matrix } from "./memory.js" */
/** @import { Model, Pass } from "./model.js" */

/** Each way to paint a patch, in place; `other` is the same of the second picture, `size` how many numbers a colour has.
 *  @type {Record<string, (patch: Float32Array, other: Float32Array, size: number) => void>} */
const WAYS = {
    grey: (patch) => patch.fill(0), // the mean of the training pictures, after normalisation
    paste: (patch, other) => patch.set(other),
    blur: (patch, _other, size) => {
        for (let at = 0; at < patch.length; at += size) {
            const colour = patch.subarray(at, at + size);
            colour.fill(colour.reduce((sum, value) => sum + value, 0) / size);
        }
    },
};

/** The picture as the model gets it. @param {Float32Array} picture @param {Float32Array} second @param {Embedding} change
 *  @param {Config} config */
export function painted(picture, second, { painted: ways, pixels }, { patch_values: values, channels }) {
    if (!ways && !pixels) return picture;
    const patch = (/** @type {Float32Array} */ of, /** @type {number} */ n) =>
        of.subarray(n * values, (n + 1) * values);
    const out = picture.slice();
    for (const [n, way] of ways ?? []) WAYS[way](patch(out, n), patch(second, n), values / channels);
    if (!pixels) return out;
    const moved = out.slice();
    for (const [n, from] of pixels.entries()) moved.set(patch(out, from), n * values);
    return moved;
}

/** How many passes are kept, of the picture and with edits; and of how many only the stream, of the second picture and for
 *  answers alone. */
export const PASSES = 2;
export const STREAMS = 2;

/** A picture, as patches, and the pass of it as it is. @typedef {{ patches: Float32Array, pass: Pass }} Shown */

export class Passes {
    /** @param {Model} model */
    constructor(model) {
        this.model = model;
        /** @type {Shown} */
        this.picture = { patches: new Float32Array(), pass: model.pass() };
        /** @type {Shown} */
        this.second = { patches: new Float32Array(), pass: model.pass(false) };
        this.edited = model.pass();
        this.work = model.pass(false);
        /** Whether the two pictures had changed places in the last answer. */
        this.swapped = false;
        /** @type {Plan} */
        this.plain = { embedding: {}, layers: model.layers.map(() => ({})), refused: [] };
    }

    /** Another picture. @param {Shown} shown one of the two @param {Float32Array} patches
     *  @returns {{ lens: Float32Array }} its logit lens */
    show(shown, patches) {
        shown.patches = patches;
        for (const pass of [shown.pass, this.edited, this.work]) pass.made = [];
        this.make(shown.pass, this.plain, [], shown, shown);
        return { lens: classify(this.model, shown.pass) };
    }

    /** The picture with edits. @param {Plan} plan @returns {{ lens: Float32Array, from: number }} the logit lens, and the
     *  first stage that had to run: 0 is the embedding, 1 the first block */
    run(plan) {
        const { picture, second, edited } = this;
        const from = this.make(edited, plan, [picture.pass, edited], picture, second);
        return { lens: classify(this.model, edited), from };
    }

    /** What the model answers with edits, and nothing else. @param {Plan} plan @param {boolean} swapped whether the two
     *  pictures change places @returns {Float32Array} class */
    answer(plan, swapped) {
        const { picture, second, edited, work } = this;
        if (this.swapped !== swapped) work.made = [];
        this.swapped = swapped;
        if (swapped) this.make(work, plan, [second.pass, work], second, picture, true);
        else this.make(work, plan, [picture.pass, edited, work], picture, second, true);
        return classify(this.model, work).slice(-this.model.answers);
    }

    /** Run what has to be run. @param {Pass} pass @param {Plan} plan @param {Pass[]} before @param {Shown} picture
     *  @param {Shown} second @param {boolean} [answer] whether the answer is all that is wanted: one row of the last block
     *  @returns {number} the first stage that was run */
    make(pass, plan, before, picture, second, answer = false) {
        const { model } = this;
        const { config } = model;
        const { embedding, layers } = plan;
        const values = [embedding, ...layers].map(written);
        const entered = layers.map(({ removed, donor }) => JSON.stringify([removed, donor]));
        const stages = before.map((it) => shared(it, values, entered));
        const from = Math.max(0, ...stages);
        const source = before[stages.lastIndexOf(from)];
        if (from && source !== pass) copy(source, pass, from, answer);
        pass.made = [];
        if (!from) {
            const patches = painted(picture.patches, second.patches, embedding, config);
            embed(model, patches, embedding, pass.stream[0]);
        }
        for (const [layer, change] of layers.entries()) {
            if (layer < from - 1) continue;
            enter(pass.stream[layer], change, second.pass.stream[layer]);
            block(model, pass, layer, change, answer && layer === config.depth - 1 ? 1 : config.tokens);
        }
        remove(pass.stream[config.depth], layers[config.depth - 1]);
        pass.made = values;
        pass.entered = entered;
        return from;
    }
}

const UNCHANGED = JSON.stringify([undefined, undefined]);

/** By what a stage is made, but for what is put into the stream before it. @param {Change} change */
const written = ({ removed, donor, ...change }) => JSON.stringify(change);

/** How many stages of a pass are as they are wanted. @param {Pass} pass @param {string[]} made @param {string[]} entered */
function shared(pass, made, entered) {
    let stage = 0;
    while (stage < pass.made.length && pass.made[stage] === made[stage]) {
        if (stage && pass.entered[stage - 1] !== entered[stage - 1]) break;
        stage++;
    }
    if (!stage || stage > entered.length) return stage;
    const put = pass.entered[stage - 1];
    return put === UNCHANGED || put === entered[stage - 1] ? stage : stage - 1;
}

/** What stages before `from` left, to another pass. @param {Pass} source @param {Pass} target @param {number} from
 *  @param {boolean} answer */
function copy(source, target, from, answer) {
    const all = (/** @type {Pass} */ { stream, qkv, weights }) => [
        ...stream.slice(0, from),
        ...(answer ? [] : [...qkv.slice(0, from - 1), ...weights.slice(0, from - 1).flat()]),
    ];
    const into = all(target);
    for (const [at, { data }] of all(source).entries()) into[at].data.set(data);
}

/** @param {Matrix} stream @param {Change} change @param {Matrix} other that of the second picture */
function enter(stream, change, other) {
    remove(stream, change);
    for (const token of change.donor ?? []) {
        const [at, end] = [token * stream.row, (token + 1) * stream.row];
        stream.data.set(other.data.subarray(at, end), at);
    }
}

/** @param {Matrix} stream @param {Change} change */
function remove({ data, row }, { removed }) {
    for (const token of removed ?? []) data.fill(0, token * row, (token + 1) * row);
}
