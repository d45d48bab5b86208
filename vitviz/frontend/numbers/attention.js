// What several scenes have of attention, as vitviz/board/scene.py: weights in one byte each, rollouts, and the rest of what
// a run in this browser leaves of it.

/** @import { Address, Arrays_, Parcels_ } from "../types/numbers.js" */
/** @import { Trace } from "./trace.js" */

import { arraysOf } from "../editing/arrays.js";

const ROLLOUTS_AT_ONCE = 4_000_000; // bytes of the rollouts of all queries up to which they are sent

/** A parcel that hangs on attention alone: it is made of the weights of some layers, or of all.
 *  @param {Trace} trace @param {string} name @param {Record<string, number[]>} shapes of its arrays
 *  @param {number[]} [layers] @returns {Arrays_} */
export function attended(trace, name, shapes, layers = Array.from({ length: trace.config.depth }, (_, at) => at)) {
    const weights = new Map(layers.map((layer) => [layer, trace.weights(layer)]));
    const pass = { edits: trace.edits, arrays: {}, logits: trace.answer, layers: weights };
    const found = arraysOf(name, pass, trace.told.meta);
    return Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, { shape, data: found[key].data }]));
}

/** Of all layers, the selected one first. A model that runs in a browser has few enough.
 *  @param {Trace} trace @param {Address} address @returns {Parcels_} */
export function* attentionMaps(trace, { layer }) {
    const { depth, heads, tokens } = trace.config;
    const layers = Array.from({ length: depth }, (_, at) => at);
    for (const each of layers.sort((a, b) => Math.abs(a - layer) - Math.abs(b - layer)))
        yield [`maps-${each}`, () => attended(trace, `maps-${each}`, { code: [heads, tokens, tokens] }, [each])];
}

/** Attention rollout after every layer: of all queries, or of the selected one.
 *  @param {Trace} trace @param {Address} address @returns {Parcels_} */
export function* rollouts(trace, { query }) {
    const { depth, tokens } = trace.config;
    if (4 * depth * tokens ** 2 <= ROLLOUTS_AT_ONCE)
        yield ["rollouts", () => attended(trace, "rollouts", { rows: [depth, tokens, tokens] })];
    else yield [`rollout-${query}`, () => attended(trace, `rollout-${query}`, { rows: [depth, tokens] })];
}
