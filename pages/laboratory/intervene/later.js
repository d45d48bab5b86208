// What the later moments are made of, what stands beside the first, and what runs the model in this browser: fetched with
// the first draw.

/** @import { Photo } from "#board/frame/photo.js" */
/** @import { Board } from "#board/state/board.js" */
/** @import { History } from "#board/editing/history.js" */
/** @import { Runs } from "#board/editing/runs.js" */

import { Offer } from "#board/editing/offer.js";
import { canRun, Forward } from "#forward/client.js";
import { Accuracy } from "./asked/accuracy.js";
import { Everything } from "./asked/everything.js";
import { Second } from "./asked/second.js";
import { Trace } from "./asked/trace.js";
import { drawGhostLens, saysLens } from "./compared/lens.js";
import { drawCompared } from "./compared/maps.js";
import { Moved } from "./compared/moved.js";
import { Brush } from "./panels/brush.js";
import { Dials } from "./panels/dials.js";
import { Experiments } from "./panels/experiments.js";

export const client = { canRun, Forward, Offer };

/** @param {Board} board @param {Photo} photo @param {History} history @param {Runs} runs */
export function later(board, photo, history, runs) {
    const second = new Second(board);
    const moved = new Moved(board, runs);
    return {
        second,
        accuracy: new Accuracy(board),
        drawCompared,
        drawGhostLens,
        saysLens,
        moved,
        brush: new Brush(board, photo, history),
        dials: new Dials(board, history),
        experiments: new Experiments(board, history, moved),
        everything: new Everything(board, photo, history, runs),
        trace: new Trace(board, photo, history, runs, second.list),
    };
}

/** @typedef {ReturnType<typeof later>} Later */
