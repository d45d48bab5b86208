// What edits come to for the picture and for each layer.

/** @import { Change, Config, Dropout, Embedding, Plan } from "../types/forward.js" */
/** @import { Edit } from "../edits/edits.js" */

import { ALL, doing, inOrder, parse } from "../edits/edits.js";
import { orderOf, pathOf } from "./chance.js";

const SITES = 4; // of dropout in a layer: attention weights, what attention adds, hidden numbers, what the MLP adds

/** What edits come to. Of two words about the same place the later counts; of what a layer and all layers are told, the
 *  layer's own. @param {string} text @param {Config} config @returns {Plan} */
export function planOf(text, config) {
    const sizes = { ...config, prefix: { length: config.prefix } };
    const found = parse(text, sizes);
    const edits = inOrder(found.edits, sizes);
    return { embedding: embedding(edits, config), layers: layers(edits, config), refused: found.refused };
}

/** What is done: a factor, another number, or a word. @param {string} what @returns {number | string} */
const amount = (what) => (/^.\d/.test(what) ? +what.slice(1) : what.slice(1));

/** @param {Edit} edit */
const places = ({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** @param {Edit[]} edits @param {string} letter */
const of = (edits, letter) => edits.filter((it) => it.letter === letter);

/** How much is dropped, and by which seed; undefined where nothing is. @param {Edit[]} edits @param {string} letter */
function rate(edits, letter) {
    const [rate, seed = 0] = of(edits, letter)[0]?.what.slice(1).split("@").map(Number) ?? [];
    return rate ? { rate, seed } : undefined;
}

/** What is dropped from a site on, if anything. @param {Edit[]} edits @param {number} site @returns {Dropout | undefined} */
function dropped(edits, site) {
    const dropout = rate(edits, "d");
    return dropout && { ...dropout, site };
}

/** What drop path multiplies attention and MLP of a layer by; undefined where both stay as they are.
 *  @param {Edit[]} edits @param {number} layer @param {Config} config */
function paths(edits, layer, { depth }) {
    const path = rate(edits, "l");
    const factors = path && [0, 1].map((branch) => pathOf(path.rate, path.seed, layer, depth, branch));
    return factors?.every((it) => it === 1) ? undefined : factors;
}

/** A list, in order, or undefined where it is empty. @param {number[]} list */
const some = (list) => (list.length ? list.sort((a, b) => a - b) : undefined);

/** The tokens of the patches of some edits. @param {Edit[]} edits @param {Config} config */
const tokensOf = (edits, { prefix }) => some(edits.flatMap(places).map((patch) => prefix + patch));

/** @param {Edit[]} edits @param {Config} config @returns {Embedding} */
function embedding(edits, config) {
    const painted = of(edits, "p")
        .filter(doing("paints"))
        .flatMap((it) => places(it).map((patch) => [patch, it.what.slice(1)]));
    const shifts = of(edits, "o").flatMap((it) => places(it).map((patch) => [patch, amount(it.what)]));
    const moved = (/** @type {string} */ letter) => {
        const its = of(edits, letter);
        return its.length ? orderOf(its, config.tokens - config.prefix) : undefined;
    };
    return stated({
        painted: painted.length ? painted : undefined,
        pixels: moved("i"),
        shifts: shifts.length ? shifts : undefined,
        positions: edits.some(({ letter, what }) => letter === "e" && what === "=off") ? "off" : moved("e"),
        dropout: dropped(edits, 0),
    });
}

/** @param {Edit[]} edits @param {Config} config @returns {Change[]} */
function layers(edits, config) {
    const hides = edits.filter(doing("hides"));
    const [hidden, removed] = [hides, hides.filter(({ what }) => what)].map((its) => tokensOf(its, config));
    return Array.from({ length: config.depth }, (_, at) => {
        const own = edits.filter(({ layer }) => layer === at);
        const its = (/** @type {string} */ letter) => {
            const edit = of(own, letter)[0] ?? of(edits, letter).find(({ layer }) => layer === ALL);
            return edit && amount(edit.what);
        };
        const heads = of(own, "h").flatMap((it) => places(it).map((head) => [head, amount(it.what)]));
        const donor = of(own, "r").flatMap((it) => places(it).map((at) => at + (it.prefix ? 0 : config.prefix)));
        const causal = its("c");
        return stated({
            heads: heads.length ? heads : undefined,
            attention: its("a"),
            mlp: its("m"),
            block: its("b"),
            temperature: unless(its("t"), 1),
            scale: unless(its("s"), "sqrt"),
            top: unless(its("k"), config.tokens),
            window: unless(its("w"), Math.max(config.rows, config.columns) - 1),
            causal: causal === "" ? "causal" : undefined,
            hidden,
            removed,
            donor: some(donor),
            dropout: dropped(edits, 1 + at * SITES),
            paths: paths(edits, at, config),
        });
    });
}

/** @template T @param {T | undefined} value @param {T} usual */
const unless = (value, usual) => (value === usual ? undefined : value);

/** Without what is undefined. @param {Record<string, unknown>} fields */
const stated = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
