// The board where no script of Streamlit draws it: in a file, in a notebook.

/** @import { Data, Make, Selection } from "../../types/board.js" */
/** @import { Transport } from "../../transport/transport.js" */

import { fillWithRoles } from "../../draw/elements.js";
import { tokenName } from "../../draw/text.js";
import { folded } from "../../editing/folded.js";
import { explain, listen, press, scriptOf } from "../../frame/actions.js";
import { Moments } from "../../frame/moments.js";
import { onPaper } from "../../frame/paper.js";
import { Photo } from "../../frame/photo.js";
import { ScenePlace } from "../../frame/scene_place.js";
import { Specials } from "../../frame/specials.js";
import { Steps } from "../../frame/steps.js";
import { Board } from "../../state/board.js";
import { placeOf } from "../../state/moments.js";

/** What Python says before anything is chosen: of the model, the picture and the pages, what is a fact on each page, and
 *  what makes their scenes.
 *  @typedef {{ data: Data, facts: Record<string, Data["facts"]>, scenes: Map<string, Make> }} Schema */

class Mounted {
    /** @param {HTMLElement} element that holds the board's markup
     *  @param {Transport} transport @param {Schema} schema @param {Partial<Selection>} selection */
    constructor(element, transport, { data, facts, scenes }, selection) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (element.querySelector(selector));
        const board = new Board(transport, false);
        board.store.write = () => {}; // no page's address
        this.board = board;
        this.canvas = /** @type {HTMLCanvasElement} */ (find(".photo canvas"));
        this.photo = new Photo(this.canvas, board);
        board.photo = this.photo;
        this.moments = new Moments(find(".moments"), board);
        this.sentence = find(".sentence");
        this.readout = find(".readout");
        this.specials = new Specials(find(".specials"), board, this.photo);
        this.steps = new Steps(find(".steps"), board, this.photo);
        this.scene = find(".scene");
        this.place = new ScenePlace(this.scene, find(".cannot"), board, this.photo, scenes);
        this.help = /** @type {HTMLDialogElement} */ (find(".help"));
        this.help.addEventListener("close", () => board.helping && board.help());
        find(".keys").addEventListener("click", () => board.help());
        this.switches = find(".turn");
        this.switches.addEventListener("click", () => press(board, "switches"));
        for (const [role, colour] of Object.entries(data.palette))
            document.documentElement.style.setProperty(`--${role.replace(" ", "-")}`, colour);
        this.take(data, facts);
        board.folded = folded(board, find(".folded"), find(".edited"));
        board.store.set({ ...board.start, page: data.page, ...selection });
        board.store.set({ moment: board.stage?.moments[placeOf(board.stage.moments, board.chosen.moment)].name ?? "" });
        board.paint = () => this.draw();
        new ResizeObserver(() => board.invalidate()).observe(this.scene);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.invalidate());
        listen(board);
        onPaper(find(".board"), () => this.draw());
        board.invalidate();
    }

    /** What Python says, of another square of the picture too. @param {Data} data @param {Schema["facts"]} facts */
    take(data, facts) {
        this.board.take(data);
        for (const [page, its] of Object.entries(facts)) this.board.facts.set(page, its);
    }

    draw() {
        const { board, place } = this;
        const { shown, stage } = board;
        if (!stage) return;
        explain(this.help, board);
        this.moments.draw(stage, shown);
        const { sentence } = stage.moments[placeOf(stage.moments, shown.moment)];
        fillWithRoles(this.sentence, sentence, board.data.palette);
        const before = place.mounted;
        place.mount(stage.stem);
        if (place.mounted !== before) board.asking.fetch();
        this.photo.bring();
        this.photo.clear();
        this.switches.hidden = !scriptOf(board);
        this.switches.setAttribute("aria-pressed", String(shown.switches === "open"));
        board.folded?.draw(shown);
        place.draw(shown);
        this.photo.draw();
        this.specials.draw(shown);
        this.steps.draw();
        this.canvas.setAttribute("aria-label", `${board.meta.picture.alt} ${tokenName(board.meta, shown.query)}`);
        fillWithRoles(this.readout, board.scene?.readout?.(shown) ?? "", board.data.palette);
    }
}

/** Show the board in an element, and let its numbers come by `transport`.
 *  @param {HTMLElement} element @param {{ transport: Transport, schema: Schema, selection: Partial<Selection> }} with_ */
export const mount = (element, { transport, schema, selection }) => new Mounted(element, transport, schema, selection);
