// Depth: what becomes of attention from the first layer to the last.

/** @import { Make_ } from "#frontend/types/numbers.js" */

import { attended, attentionMaps, rollouts } from "#frontend/numbers/attention.js";
import { lens } from "#frontend/numbers/lens.js";

/** @type {Make_} */
export function* parcels(trace, address) {
    const { depth, heads, tokens, classes } = trace.config;
    const [byHead, name] = [[depth, heads], `alone-${address.query}`];
    yield* rollouts(trace, address);
    yield ["by-layer", () => attended(trace, "by-layer", { distance: byHead, entropy: byHead, uniform: [1] })];
    yield* attentionMaps(trace, address);
    if (address.moment === "journey" && classes) yield ["lens", () => lens(trace)];
    yield [name, () => attended(trace, name, { rows: [depth, tokens] })];
}
