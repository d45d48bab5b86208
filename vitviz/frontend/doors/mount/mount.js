// The board where no script of Streamlit draws it: in a file, in a notebook.

/** @import { Data, Make, Selection } from "../../types/board.js" */
/** @import { Transport } from "../../transport/transport.js" */

import { folded } from "../../editing/folded.js";
import { Frame } from "../../frame/frame.js";
import { Board } from "../../state/board.js";
import { placeOf } from "../../state/moments.js";

/** What Python says before anything is chosen: of the model, the picture and the pages, what is a fact on each page, and
 *  what makes their scenes.
 *  @typedef {{ data: Data, facts: Record<string, Data["facts"]>, scenes: Map<string, Make> }} Schema */

/** Show the board in an element that holds its markup, and let its numbers come by `transport`. What Python says later, of
 *  another square of the picture too, is to be taken.
 *  @param {HTMLElement} element @param {{ transport: Transport, schema: Schema, selection: Partial<Selection> }} with_ */
export function mount(element, { transport, schema: { data, facts, scenes }, selection }) {
    const board = new Board(transport);
    const { first, store } = board;
    store.write = () => {}; // no page's address
    const frame = new Frame(element, board, { scenes, folded: async () => folded });
    /** @param {Data} data @param {Schema["facts"]} facts */
    const take = (data, facts) => {
        first.take(data);
        for (const [page, its] of Object.entries(facts)) first.facts.set(page, its);
    };
    take(data, facts);
    store.set({ ...first.start, page: data.page, ...selection });
    store.set({ moment: first.stage?.moments[placeOf(first.stage.moments, store.chosen.moment)].name ?? "" });
    board.paint = () => {
        const before = frame.place.mounted;
        frame.draw();
        if (frame.place.mounted !== before) first.asking.fetch();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.invalidate());
    board.invalidate();
    return { board, take };
}
