// Heads: what every head of every layer looks at from one token, who looks at it, and what reaches it in all.

/** @import { Make_ } from "#frontend/types/numbers.js" */

import { attended, attentionMaps, rollouts } from "#frontend/numbers/attention.js";

const LEARNING = "learning"; // kept of the training of one model, in a file

/** @type {Make_} */
export function* parcels(trace, address) {
    const { layer, query, shows, learned } = address;
    const { heads, tokens } = trace.config;
    const shape = [heads, tokens];
    yield* attentionMaps(trace, address);
    const name = `exact-${layer}-${query}`;
    yield [name, () => attended(trace, name, { row: shape, column: shape }, [layer])];
    if (shows === "rollout") yield* rollouts(trace, address);
    if (learned >= 0 && LEARNING in trace.told.files) yield [LEARNING, () => trace.told.file(LEARNING)];
}
