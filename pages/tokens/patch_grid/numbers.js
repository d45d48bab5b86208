// Patch grid: the pixels that the model reads.

/** @import { Make_ } from "#frontend/types/numbers.js" */

import { array, softmax } from "#frontend/numbers/arrays.js";

/** @type {Make_} */
export function* parcels(trace, { moment }) {
    const { patches, patch_values: values } = trace.config;
    yield ["patches", () => ({ normalised: array([patches, values], trace.patches) })];
    if (moment === "crop") yield ["cropping", () => cropping(trace)];
}

/** The whole picture as a file, and what the model says of its crop. @param {import("#frontend/numbers/trace.js").Trace} trace */
async function cropping({ told, answer, config: { classes } }) {
    const { whole } = await told.photo("");
    if (!whole) throw new Error("the whole picture is not here, only what the model sees of it");
    const picture = { picture: array([whole.length], whole) };
    return classes ? { ...picture, answer: array([classes], softmax(answer, classes)) } : picture;
}
