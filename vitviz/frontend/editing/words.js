// What happened, in one sentence.

/** @import { Edit } from "../edits/edits.js" */
/** @import { Lens } from "../state/lens.js" */
/** @import { Meta } from "../types/board.js" */

import { ranking } from "../draw/bars.js";
import { small } from "../draw/text.js";
import { coveredBy } from "../edits/effects.js";
import { allInWords, inWords } from "../edits/words.js";

/** "Layer 3 off: red ball left of blue ball 0.982 → 0.413", and what the model says now where that is another class.
 *  @param {Edit[]} edits @param {Meta} meta @param {Lens} original @param {Lens | null} edited */
export function whatHappened(edits, meta, original, edited) {
    const before = original.probabilities(meta.depth);
    const best = ranking(before, 1)[0];
    const text = `${original.label(best)} ${small(before[best])}`;
    if (!edits.length) return `Unedited: ${text}.`;
    const what = allInWords(edits, meta);
    if (!edited) return `${what}: ${text} → …`;
    const after = edited.probabilities(meta.depth);
    const now = ranking(after, 1)[0];
    const other = now === best ? "" : `; now it says ${edited.label(now)}, ${small(after[now])}`;
    return `${what}: ${text} → ${small(after[best])}${other}.${idle(edits, meta)}`;
}

/** An edit that does nothing, because what it is in is off. @param {Edit[]} edits @param {Meta} meta */
export function idle(edits, meta) {
    const found = edits.find((edit) => coveredBy(edits, edit));
    return found ? ` ${inWords(found, meta)}: no effect, ${coveredBy(edits, found)}.` : "";
}
