// Patch embedding: the matrix that makes a token of every patch, and the main directions of its filters and tokens.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { array } from "#frontend/numbers/arrays.js";
import { principalComponents } from "#frontend/numbers/components.js";

const COMPONENTS = 28; // principal components of the filters that are shown

/** @type {Make_} */
export function* parcels(trace) {
    yield ["projection", () => projection(trace)];
    yield ["filter-components", () => filterComponents(trace)];
    yield ["token-colours", () => colours(trace)];
}

/** tokens = patches · matrix + bias. @param {Trace} trace */
function projection(trace) {
    const { patches: many, patch_values: values, dim } = trace.config;
    return {
        patches: array([many, values], trace.patches),
        filters: array([dim, values], trace.parameter("patch_embed.proj.weight")),
        bias: array([dim], trace.parameter("patch_embed.proj.bias", dim)),
        tokens: array([many, dim], trace.embedding().patch_tokens),
    };
}

/** @param {Trace} trace */
function filterComponents(trace) {
    const { patch_values: values } = trace.config;
    const weight = trace.parameter("patch_embed.proj.weight");
    const { number, directions, share } = principalComponents(weight, values, COMPONENTS);
    return { directions: array([number, values], directions), share: array([number], share) };
}

/** @param {Trace} trace */
function colours(trace) {
    const { dim, patches } = trace.config;
    const { number, coordinates, share } = principalComponents(trace.embedding().patch_tokens, dim, 3);
    return { coordinates: array([patches, number], coordinates), share: array([number], share) };
}
