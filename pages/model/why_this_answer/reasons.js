// What an answer came from, as far as it has come: its sum, the maps of it, their trial, and maps of random models.

/** @import { Array_, Selection } from "#frontend/types/board.js" */
/** @import { ModelSpec } from "#frontend/types/forward.js" */
/** @import { Column } from "#frontend/state/column.js" */

/** @typedef {Selection["map"]} Map_ */

/** What Python says of the maps: the words for each, by its name in the address, which depend on the class, which have
 *  signs; by moments why there is nothing to see, and what it takes where that is not begun unasked; how many patches go,
 *  point by point; and whether they are put to trial in this browser, where that can run the model.
 *  @typedef {{ maps: Record<string, string>, depends: string[], signed: string[], why_not: Record<string, string>, prices: Record<string, string>,
 *    counts: number[], parts: string[], scenes: number, here: boolean, later?: string, forward?: ModelSpec | null }} Facts */

/** @param {Column} column */
export const factsOf = ({ data }) => /** @type {Facts} */ (/** @type {unknown} */ (data.facts));

/** Of each map its name in the address, and in words. @param {Column} column */
export const mapsOf = (column) => /** @type {[Map_, string][]} */ (Object.entries(factsOf(column).maps));

/** Their names. @param {Column} column */
export const namesOf = (column) => mapsOf(column).map(([map]) => map);

/** @param {Column} column @param {Map_} map */
export const titleOf = (column, map) => factsOf(column).maps[map] ?? map;

/** The end of the names of numbers for class A, or for A against B; -1 is the answered class, or none. @param {Column} column
 *  @param {Selection} shown */
export function askedOf({ meta }, { answer, against, component }) {
    return meta.classes ? `${answer}-${against}` : `${component}--1`;
}

/** What A and B came out as, in words. @param {Column} column @param {ArrayLike<number> | undefined} classes A and B, -1 for none */
export function inWords(column, classes) {
    if (!classes) return "";
    if (!column.meta.classes) return `component ${classes[0] + 1}`;
    return classes[1] < 0 ? column.label(classes[0]) : `${column.label(classes[0])} − ${column.label(classes[1])}`;
}

/** Whether a moment's numbers are made: unasked, or because somebody has begun. @param {Column} column
 *  @param {Selection} chosen */
export const isBegun = (column, { moment, begun }) => !factsOf(column).prices[moment] || begun === moment;

/** Whether this browser puts the maps to trial. @param {Column} column */
export function triesHere(column) {
    const { here, forward } = factsOf(column);
    return Boolean(here && forward) && column.chosen.runs !== "server";
}

/** A parcel, or as long as it is being made what has come of it last. @param {Column} column @param {string} name
 *  @returns {Record<string, Array_> | undefined} */
export function latest({ parcels }, name) {
    const whole = parcels.get(name);
    if (whole) return whole;
    const part = `${name} part `;
    const numbers = [...parcels.held.keys()].filter((it) => it.startsWith(part)).map((it) => +it.slice(part.length));
    return numbers.length ? parcels.get(part + Math.max(...numbers)) : undefined;
}

/** How many numbers have come. @param {ArrayLike<number>} values */
export const arrivedOf = (values) => Array.from(values).filter((value) => !Number.isNaN(value)).length;

/** The parcels of all maps but those that take long. @param {string} asked */
export const parcelsOf = (asked) => [`maps-${asked}`, `gradients-${asked}`];

/** The parcel of a map. @param {string} asked @param {Map_} map */
function parcelOf(asked, map) {
    if (map === "occlusion") return `occlusion-${asked}`;
    return parcelsOf(asked)[Number(map.startsWith("gradient"))];
}

/** The numbers of a map, where they have come. @param {Column} column @param {string} asked @param {Map_} map */
export const mapOf = (column, asked, map) => column.array(parcelOf(asked, map), map)?.data;

/** What the logit of A, or its difference to that of B, is the sum of; null as long as it has not come. @param {Column} column
 *  @param {Selection} shown */
export function sumOf(column, shown) {
    const arrays = column.parcels.get(`sum-${askedOf(column, shown)}`);
    if (!arrays) return null;
    const { depth, heads, tokens } = column.meta;
    const [embedding, all, mlps, biases] = ["embedding", "heads", "mlps", "biases"].map(
        (name) => /** @type {Float32Array} */ (arrays[name].data),
    );
    const add = (/** @type {ArrayLike<number>} */ values) => Array.from(values).reduce((a, b) => a + b, 0);
    const head = (/** @type {number} */ layer, /** @type {number} */ which) => {
        const at = (layer * heads + which) * tokens;
        return all.subarray(at, at + tokens);
    };
    const ofHeads = Array.from({ length: depth }, (_, layer) =>
        Array.from({ length: heads }, (_, which) => add(head(layer, which))),
    );
    return {
        embedding: add(embedding),
        heads: ofHeads,
        attention: ofHeads.map(add),
        mlps,
        constants: add(biases) + arrays.constant.data[0],
        /** What the MLP behind attention pooling adds; 0 for other models. */
        pooling: arrays.pooling?.data[0] ?? 0,
        logit: arrays.logit.data[0],
        says: inWords(column, arrays.classes?.data),
        /** What came from each token through one head, all of a layer, or all of all, with what tokens are at the start.
         *  @param {Selection} shown */
        tokens({ opened, layer, head: which }) {
            if (opened === "head") return Float64Array.from(head(layer, Math.min(which, heads - 1)));
            const out = opened === "layer" ? new Float64Array(tokens) : Float64Array.from(embedding);
            for (let at = 0; at < depth * heads; at++) {
                if (opened === "layer" && Math.floor(at / heads) !== layer) continue;
                for (let token = 0; token < tokens; token++) out[token] += all[at * tokens + token];
            }
            return out;
        },
    };
}

/** @typedef {NonNullable<ReturnType<typeof sumOf>>} Sum */

/** The name of the numbers of a map. @param {Column} column @param {Selection} shown @param {string} map */
export const trialName = ({ meta }, { answer, component, fill }, map) =>
    `trial-${map}-${meta.classes ? answer : component}-${fill}`;

/** What came of a map. @param {Column} column @param {Selection} shown @param {string} map */
export const trialOf = (column, shown, map) => latest(column, trialName(column, shown, map));

/** The maps that are put to trial, the chosen one first; of those that take long the chosen one alone. @param {Column} column
 *  @param {Selection} shown */
export function triedOf(column, { map: own }) {
    const { prices } = factsOf(column);
    const long = triesHere(column) ? prices.maps : prices.trial;
    const tried = namesOf(column).filter((map) => map !== "occlusion" || !long || (own === map && !triesHere(column)));
    return tried.sort((a, b) => Number(b === own) - Number(a === own));
}

/** The point at which one is. @param {ArrayLike<number>} counts @param {Selection} shown */
export function pointOf(counts, { removed }) {
    let at = 0;
    for (let it = 1; it < counts.length; it++) if (counts[it] <= removed) at = it;
    return at;
}

/** The name of what is held of random models. @param {Column} column @param {Selection} shown */
export const randomisedName = ({ meta }, { answer, component }) => `randomised-${meta.classes ? answer : component}`;

/** The maps of models that are random down to some part, in the order in which they came, and how alike those of the
 *  model as it is they are.
 *  @param {Column} column @param {Selection} shown */
export function randomOf(column, shown) {
    const arrays = latest(column, randomisedName(column, shown));
    if (!arrays) return null;
    const { patches } = column.meta;
    const names = /** @type {Selection["map"][]} */ (Object.keys(arrays)).filter((it) => namesOf(column).includes(it));
    const steps = Math.max(...names.map((map) => arrays[map].shape[0]));
    const rows = /** @type {Float32Array} */ (arrays.alike.data);
    const { parts } = factsOf(column);
    return {
        names,
        steps,
        all: parts.length,
        part: (/** @type {number} */ at) => parts[at] ?? String(at),
        at: Math.min(Math.max(0, shown.randomised), steps - 1),
        /** @param {string} map @param {number} at */
        map: (map, at) => /** @type {Float32Array} */ (arrays[map].data).subarray(at * patches, (at + 1) * patches),
        /** @param {Selection["map"]} map */
        alike(map) {
            const which = names.indexOf(map);
            return rows.subarray(which * steps, (which + 1) * steps);
        },
    };
}
