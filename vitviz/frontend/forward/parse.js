// Edits as text, in the words of vitviz/edits, and what they come to for the picture and for each layer.

/** @import { Amount, Change, Config, Embedding, Plan } from "../types/forward.js" */

import { pathOf, shuffled } from "./chance.js";

const WORD = /^([a-z])([^*=]*)(?:([*=])([^@]*)(?:@(\d{1,6}))?)?$/;
const RUN = /^(\d{1,8})(?:-(\d{1,8}))?$/;
const HIDING = ["masked", "removed"];
const PAINTING = ["grey", "blur", "paste"];
const ALL = -1; // layers
const SITES = 4; // of dropout in a layer: attention weights, what attention adds, hidden numbers, what the MLP adds

/** What a word says: where, and after a sign what, with a seed.
 *  @typedef {{ where: string, sign: string, what: string, seed: number }} Said */

/** What words have said so far, by layer, by patch, or by layer and then head or token ("2.0").
 *  @typedef {{ heads: Map<string, Amount>, attention: Map<number, Amount>, mlp: Map<number, Amount>,
 *      block: Map<number, number>, donor: Set<string>, temperature: Map<number, number>, scale: Map<number, string>,
 *      top: Map<number, number>, window: Map<number, number>, causal: Map<number, string>, ways: Map<number, string>, pixels: Exchange,
 *      positions: Exchange, dropout: Rate, path: Rate }} Draft */

/** How much is dropped. @typedef {{ rate: number, seed: number }} Rate */

/** Which patches change places. @typedef {{ all: string, seed: number, pairs: Map<number, number> }} Exchange */

/** What is read of each word, by its letter. @type {Record<string, (draft: Draft, said: Said, config: Config) => void>} */
const READERS = {
    h: ({ heads }, edit, config) => {
        const [layer, of] = edit.where.split(".");
        for (const head of run(of, config.heads)) heads.set(`${place(layer, config.depth)}.${head}`, amount(edit));
    },
    a: ({ attention }, edit, { depth }) => attention.set(place(edit.where, depth), amount(edit)),
    m: ({ mlp }, edit, { depth }) => mlp.set(place(edit.where, depth), amount(edit)),
    b: ({ block }, edit, { depth }) => block.set(place(edit.where, depth), number(edit, "*", 0, 2)),
    t: ({ temperature }, edit, { depth }) => temperature.set(layer(edit, depth), number(edit, "=", 0.01, 100)),
    s: ({ scale }, edit, { depth }) => scale.set(layer(edit, depth), oneOf(["sqrt", "dh", "none"], edit)),
    k: ({ top }, edit, { depth, tokens }) => top.set(layer(edit, depth), number(edit, "=", 1, tokens)),
    w: ({ window }, edit, config) => window.set(layer(edit, config.depth), number(edit, "=", 0, furthest(config))),
    c: ({ causal }, edit, { depth }) =>
        causal.set(layer(edit, depth), edit.sign ? oneOf(["causal", "full"], edit) : "causal"),
    p: ({ ways }, edit, config) => {
        const way = edit.sign ? oneOf([...HIDING, ...PAINTING], edit) : HIDING[0];
        for (const patch of run(edit.where, patchesOf(config))) ways.set(patch, way);
    },
    i: ({ pixels }, edit, config) => exchange(pixels, edit, config, ["shuffled"]),
    e: ({ positions }, edit, config) => exchange(positions, edit, config, ["shuffled", "off"]),
    d: ({ dropout }, edit) => Object.assign(dropout, { rate: number(edit, "=", 0, 0.9), seed: edit.seed }),
    l: ({ path }, edit) => Object.assign(path, { rate: number(edit, "=", 0, 0.9), seed: edit.seed }),
    r: ({ donor }, edit, config) => {
        const [at, of = ""] = edit.where.split(".");
        const { prefix, depth, tokens } = config;
        const named = () =>
            of[0] === "x" ? run(of.slice(1), prefix) : run(of, patchesOf(config)).map((patch) => prefix + patch);
        for (const token of of === "all" ? [...Array(tokens).keys()] : named()) {
            donor.add(`${place(at, depth)}.${token}`);
        }
    },
};

/** What edits come to. Of two words about the same place the later counts; of what a layer and all layers are told, the
 *  layer's own. @param {string} text @param {Config} config @returns {Plan} */
export function parse(text, config) {
    /** @type {Draft} */
    const draft = {
        heads: new Map(),
        attention: new Map(),
        mlp: new Map(),
        block: new Map(),
        donor: new Set(),
        temperature: new Map(),
        scale: new Map(),
        top: new Map(),
        window: new Map(),
        causal: new Map(),
        ways: new Map(),
        pixels: { all: "", seed: 0, pairs: new Map() },
        positions: { all: "", seed: 0, pairs: new Map() },
        dropout: { rate: 0, seed: 0 },
        path: { rate: 0, seed: 0 },
    };
    const refused = text.split(/\s+/).filter((word) => word && !read(draft, word, config));
    return { embedding: embedding(draft, config), layers: layers(draft, config), refused };
}

/** Whether a word could be read. @param {Draft} draft @param {string} word @param {Config} config */
function read(draft, word, config) {
    const [, letter, where, sign = "", what = "", seed = 0] = WORD.exec(word) ?? [];
    try {
        if (!(letter in READERS)) return false;
        READERS[letter](draft, { where, sign, what, seed: +seed }, config);
        return true;
    } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
    }
}

const patchesOf = (/** @type {Config} */ { tokens, prefix }) => tokens - prefix;
const furthest = (/** @type {Config} */ { rows, columns }) => Math.max(rows, columns) - 1;

/** What counts from 1 on, from 0 on. @param {string} text @param {number} most */
function place(text, most) {
    if (!/^\d{1,8}$/.test(text) || +text < 1 || +text > most) throw new RangeError(text);
    return +text - 1;
}

/** "40-45": what sticks out is cut off. @param {string} text @param {number} most */
function run(text, most) {
    const [, from = "", to = from] = RUN.exec(text) ?? [];
    const first = place(from, most);
    if (+to <= first) throw new RangeError(text);
    return Array.from({ length: Math.min(+to, most) - first }, (_, at) => first + at);
}

/** One layer, or all where none is named. @param {Said} said @param {number} depth */
const layer = ({ where }, depth) => (where ? place(where, depth) : ALL);

/** A number with three digits after the point, moved to where numbers may be. @param {Said} edit @param {string} sign
 *  @param {number} least @param {number} most */
function number(edit, sign, least, most) {
    if (edit.sign !== sign || !/^\d{1,6}(\.\d*)?$/.test(edit.what)) throw new RangeError(edit.what);
    return Math.min(Math.max(+edit.what.replace(/(\.\d{3}).*/, "$1"), least), most);
}

/** @param {string[]} words @param {Said} said */
function oneOf(words, { sign, what }) {
    if (sign !== "=" || !words.includes(what)) throw new RangeError(what);
    return what;
}

/** @param {Said} edit @returns {Amount} */
function amount(edit) {
    if (edit.sign === "*") return number(edit, "*", 0, 2);
    return /** @type {Amount} */ (oneOf(["mean", "mean.all"], edit));
}

/** @param {Exchange} draft @param {Said} edit @param {Config} config @param {string[]} words */
function exchange(draft, edit, config, words) {
    if (!edit.where) {
        Object.assign(draft, { all: oneOf(words, edit), seed: edit.seed });
        return;
    }
    if (edit.sign !== "=") throw new RangeError(edit.sign);
    const [one, other] = [edit.where, edit.what].map((text) => place(text, patchesOf(config)));
    draft.pairs.set(Math.min(one, other), Math.max(one, other));
}

/** What stands at each patch once patches have changed places, all of them first; undefined where each is itself.
 *  @param {Exchange} draft @param {Config} config */
function exchanged({ all, seed, pairs }, config) {
    const moved = [...pairs].filter(([one, other]) => one !== other).sort(([one], [other]) => one - other);
    if (!all && !moved.length) return undefined;
    const order = all ? shuffled(patchesOf(config), seed) : [...Array(patchesOf(config)).keys()];
    for (const [one, other] of moved) [order[one], order[other]] = [order[other], order[one]];
    return order;
}

/** What is dropped from a site on, if anything. @param {Draft} draft @param {number} site */
const dropped = ({ dropout }, site) => (dropout.rate ? { ...dropout, site } : undefined);

/** What drop path multiplies attention and MLP of a layer by; undefined where both stay as they are.
 *  @param {Rate} path @param {number} layer @param {Config} config */
function paths({ rate, seed }, layer, { depth }) {
    const factors = [0, 1].map((branch) => pathOf(rate, seed, layer, depth, branch));
    return factors.every((it) => it === 1) ? undefined : factors;
}

/** A list, in order, or undefined where it is empty. @param {number[]} list */
const some = (list) => (list.length ? list.sort((a, b) => a - b) : undefined);

/** The tokens of patches that are treated in some ways. @param {Draft} draft @param {Config} config @param {string[]} ways */
const tokensOf = (draft, { prefix }, ways) =>
    some([...draft.ways].filter(([, way]) => ways.includes(way)).map(([patch]) => prefix + patch));

/** @param {Draft} draft @param {Config} config @returns {Embedding} */
function embedding(draft, config) {
    const painted = [...draft.ways].filter(([, way]) => !HIDING.includes(way)).sort(([one], [other]) => one - other);
    return stated({
        painted: painted.length ? painted : undefined,
        pixels: exchanged(draft.pixels, config),
        positions: draft.positions.all === "off" ? "off" : exchanged(draft.positions, config),
        dropout: dropped(draft, 0),
    });
}

/** @param {Draft} draft @param {Config} config @returns {Change[]} */
function layers(draft, config) {
    const hidden = tokensOf(draft, config, HIDING);
    const removed = tokensOf(draft, config, ["removed"]);
    return Array.from({ length: config.depth }, (_, at) => {
        const own = (/** @type {string} */ key) => key.startsWith(`${at}.`);
        const after = (/** @type {string} */ key) => +key.split(".")[1];
        const heads = [...draft.heads].filter(([key, what]) => own(key) && what !== 1);
        return stated({
            heads: heads.length ? heads.map(([key, what]) => [after(key), what]) : undefined,
            attention: unless(draft.attention.get(at), 1),
            mlp: unless(draft.mlp.get(at), 1),
            block: unless(draft.block.get(at), 1),
            temperature: unless(set(draft.temperature, at), 1),
            scale: unless(set(draft.scale, at), "sqrt"),
            top: unless(set(draft.top, at), config.tokens),
            window: unless(set(draft.window, at), furthest(config)),
            causal: unless(set(draft.causal, at), "full"),
            hidden,
            removed,
            donor: some([...draft.donor].filter(own).map(after)),
            dropout: dropped(draft, 1 + at * SITES),
            paths: paths(draft.path, at, config),
        });
    });
}

/** What a layer is told, or all are. @template T @param {Map<number, T>} edit @param {number} at */
const set = (edit, at) => edit.get(at) ?? edit.get(ALL);

/** @template T @param {T | undefined} value @param {T} usual */
const unless = (value, usual) => (value === usual ? undefined : value);

/** Without what is undefined. @param {Record<string, unknown>} fields */
const stated = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
