// Intervene: both pictures as the model reads them, what it answers to each, and what a query looks at.

/** @import { Make_ } from "#frontend/types/numbers.js" */
/** @import { Trace } from "#frontend/numbers/trace.js" */

import { alone, array } from "#frontend/numbers/arrays.js";
import { attended } from "#frontend/numbers/attention.js";
import { readOut } from "#frontend/numbers/lens.js";
import { pictureOf } from "#frontend/numbers/pixels.js";

/** @type {Make_} */
export function* parcels(trace, { layer, query, edits, donor, runs }) {
    const { told } = trace;
    const second = donor || told.second;
    const row = `row ${layer} ${query} `;
    const edited = () => told.traceOf("", edits, second);
    const [answer, make] = readOut(trace);
    yield ["forward-patches", () => ({ own: patchesOf(trace) })];
    yield [answer, make];
    yield [row, () => looked(trace, layer, query)];
    yield [`second ${second}`, async () => seen(await told.traceOf(second))];
    if (runs === "here") return; // what edits change is made where the hand is
    if (edits) yield [`${answer} ${edits}`, async () => readOut(await edited())[1]()];
    yield [row + edits, async () => looked(await edited(), layer, query)];
}

/** @param {Trace} trace */
const patchesOf = ({ patches, config: { patches: many, patch_values } }) => array([many, patch_values], patches);

/** What the query looks at: `head k`. @param {Trace} trace @param {number} layer @param {number} query */
function looked(trace, layer, query) {
    const { heads, tokens } = trace.config;
    return alone("rows", [heads, tokens], attended(trace, `exact-${layer}-${query}`, { row: [] }, [layer]).row.data);
}

/** What the model sees as a PNG file, what it answers, and the picture as it reads it. @param {Trace} trace */
async function seen(trace) {
    const file = await pictureOf(trace.patches, trace.told);
    const logits = trace.answer;
    return { picture: array([file.length], file), logits: array([logits.length], logits), patches: patchesOf(trace) };
}
