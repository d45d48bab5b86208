// The switches beside a scene: the switchboard of Intervene, its steps and its words. Where this browser runs the model,
// the scene gets from here what Python would send it.

/** @import { Column } from "../state/column.js" */
/** @import { Folded } from "../types/board.js" */

import { buttonFor, element } from "../draw/elements.js";
import { inWords } from "../edits/words.js";
import { canRun, Forward } from "../forward/client.js";
import { ending, has } from "../state/edited.js";
import { arraysOf, makes } from "./arrays.js";
import { History } from "./history.js";
import { Offer } from "./offer.js";
import { PATCHES, Runs } from "./runs.js";
import { HINT, Switchboard } from "./switchboard.js";
import { whatHappened } from "./words.js";

const OF_LAYERS = /^(maps|rows|exact|rollout|alone|by-layer)/; // what is made of the attention of all layers

/** @param {Column} column @param {HTMLElement} root @param {HTMLElement} line says edits where the switches are closed
 *  @returns {Folded} */
export function folded(column, root, line) {
    /** @type {Runs | null} */
    let runs = null;
    let of = "";
    const history = new History(column, () => run());
    const switchboard = new Switchboard(column, history);
    const note = element("p", { class: "happened", role: "status" });
    const where = element("span", { class: "where" });
    root.replaceChildren(
        element("div", { class: "said" }, history.buttons, where),
        element("div", { class: "switches" }, switchboard.root),
        note,
        history.listed,
        element("p", { class: "hint" }, HINT),
    );
    const words = element("span");
    const reset = buttonFor("reset", () => history.reset());
    line.replaceChildren(words, reset);

    const isOpen = () => {
        const { facts, second } = column.data;
        return Boolean(facts.folded) && !second && column.chosen.switches === "open";
    };
    /** What the scene needs of the chosen run, and can be made here. */
    const makeable = () => {
        const { edits, shows } = column.chosen;
        const needed = column.scene?.needs?.(column.chosen) ?? [];
        const layered = needed.some((name) => OF_LAYERS.test(name));
        const maps = Array.from({ length: layered ? column.meta.depth : 0 }, (_, layer) => `maps-${layer}`);
        const whole = layered && shows === "rollout" ? ["rollouts"] : [];
        const lens = column.meta.classes ? ["lens"] : [];
        return [...lens, ...maps, ...whole, ...needed].filter(makes(edits, column.meta));
    };
    /** Ask this browser for the chosen run. */
    const run = () => {
        const { edits } = column.chosen;
        const names = makeable();
        const layers = names.some((name) => OF_LAYERS.test(name)) ? [...Array(column.meta.depth).keys()] : [];
        if (edits && names.length) runs?.want(edits, layers);
    };
    /** Give the scene what has been made. */
    const provide = () => {
        const { edits } = column.chosen;
        const run = edits ? runs?.cache.get(edits) : undefined;
        if (runs?.mode !== "browser" || !run) return;
        for (const name of makeable()) {
            if (has(column, name) || (OF_LAYERS.test(name) && run.layers.size < column.meta.depth)) continue;
            const parcel = { name: name + ending(column), arrays: arraysOf(name, run, column.meta) };
            column.receive({ digest: column.parcels.digest, ...parcel });
            column.invalidate();
        }
    };
    const begin = () => {
        if (of !== column.meta.digest) end();
        of = column.meta.digest;
        if (!runs && "forward" in column.data.facts) runs = new Runs(column, async () => ({ canRun, Forward, Offer }));
        runs?.begin();
    };
    const end = () => {
        runs?.close();
        runs = null;
    };

    return {
        draw(shown) {
            root.hidden = !isOpen();
            root.parentElement?.toggleAttribute("data-switches", isOpen());
            const edits = history.read(shown.edits);
            line.hidden = isOpen() || !edits.length || !column.data.facts.folded;
            const more = edits.length > 1 ? ` and ${edits.length - 1} more` : "";
            words.textContent = edits.length ? `edited: ${inWords(edits[0], column.meta)}${more} ` : "";
            words.title = words.textContent; // where the line has less room
            if (!isOpen()) return end();
            begin();
            run();
            provide();
            switchboard.draw(edits, shown);
            history.draw(shown.edits);
            const [before, after] = [runs?.at(""), runs?.at(shown.edits)];
            if (runs) runs.say(where, shown.edits);
            else where.textContent = "on its way";
            note.textContent = before?.lens
                ? whatHappened(history.read(after?.edits ?? ""), column.meta, before.lens, after?.lens ?? null)
                : "";
            if (after?.lens) note.dataset.edits = after.edits;
        },
        needs(names) {
            const { facts } = column.data;
            if (!isOpen()) return names;
            const { edits } = column.chosen;
            const here = runs && runs.mode !== "server";
            const made = here && edits ? makes(edits, column.meta) : () => false;
            const more = column.meta.classes ? [...names, "lens"] : names;
            return [
                ...more.filter((name) => !made(name)),
                ...("forward" in facts ? [] : ["how this browser runs the model"]),
                ...(runs?.reads && !column.parcels.get(PATCHES) ? [PATCHES] : []),
            ];
        },
        get actions() {
            return isOpen() ? { ...switchboard.actions, ...history.actions } : {};
        },
    };
}
