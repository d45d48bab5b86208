// What takes long: its price before somebody begins it, how far it is, and its end.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { buttonFor, element, saying } from "#frontend/draw/elements.js";
import { rowsOf } from "./maps.js";
import { arrivedOf, factsOf, isBegun, latest, randomOf, trialName, triedOf, triesHere } from "./reasons.js";

const BEGINS = { maps: "Hide every patch", trial: "Put the maps to trial", randomised: "Draw the model anew" };

/** How much of what a moment shows has come, of how much, and what that is; of the sum nothing.
 *  @param {Column} column @param {Selection} shown @returns {[told: number, all: number, what: string]} */
export function progressOf(column, shown) {
    const { counts, parts } = factsOf(column);
    /** Of what is whole all has come, though it be no number. @param {string} name @param {string[]} arrays
     *  @param {number} most */
    const told = (name, arrays, most) => {
        const held = latest(column, name);
        if (!held || column.parcels.get(name)) return held ? most : 0;
        return arrays.reduce((sum, it) => sum + arrivedOf(held[it].data), 0);
    };
    if (shown.moment === "maps") {
        const { patches } = column.meta;
        const rows = rowsOf(column, shown).map(({ ends }) => told(`occlusion-${ends}`, ["occlusion"], patches));
        return [Math.min(...rows), patches, "patches hidden"];
    }
    if (shown.moment === "randomised") return [randomOf(column, shown)?.steps ?? 0, parts.length, "models drawn"];
    if (shown.moment !== "trial") return [0, 0, ""];
    const maps = triedOf(column, shown);
    const most = 2 * counts.length;
    const runs = maps.map((map) => told(trialName(column, shown, map), ["removed", "kept"], most));
    return [runs.reduce((a, b) => a + b, 0), most * maps.length, "points of the curves made"];
}

export class Begun {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.button = buttonFor("", () => {
            const { begun, moment } = column.chosen;
            column.choose({ begun: begun === moment ? "nothing" : /** @type {Selection["begun"]} */ (moment) });
        });
        this.words = element("span", { role: "status" });
        this.root = element("span", { class: "begun" }, this.words, this.button);
        this.going = "";
    }

    /** @param {Selection} shown @param {boolean} hidden */
    draw(shown, hidden) {
        const { column, button, going, root, words } = this;
        const { moment } = shown;
        const [told, all, what] = progressOf(column, shown);
        const here = moment === "trial" && triesHere(column);
        const price = here ? "" : factsOf(column).prices[moment];
        const begun = here || isBegun(column, shown);
        root.hidden = hidden || told >= all || column.refusal !== "";
        button.hidden = !price;
        const begins = `${BEGINS[/** @type {"maps"} */ (moment)]}: ${price}`;
        saying(button, begun ? "Stop" : begins);
        const where = here ? " in this browser" : "";
        saying(words, begun && !root.hidden ? `${told} of ${all} ${what}${where}, the rest is on its way` : "");
        // What nobody waits for any more is given up, and not only what nobody asks for.
        this.going = begun && price && !root.hidden ? moment : "";
        if (going && going !== this.going && (going !== moment || told < all)) {
            column.asking.giveUp();
            column.asking.hurry();
        }
    }
}
