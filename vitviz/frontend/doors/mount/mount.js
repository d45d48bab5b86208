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
        const board = new Board(transport);
        const { first, store } = board;
        store.write = () => {}; // no page's address
        this.board = board;
        this.canvas = /** @type {HTMLCanvasElement} */ (find(".photo canvas"));
        this.photo = new Photo(this.canvas, first);
        board.photo = this.photo;
        this.moments = new Moments(find(".moments"), first);
        this.sentence = find(".sentence");
        this.readout = find(".readout");
        this.caveat = find(".caveat");
        this.specials = new Specials(find(".specials"), first, this.photo);
        this.steps = new Steps(find(".steps"), board, this.photo);
        this.scene = find(".scene");
        this.place = new ScenePlace(this.scene, find(".cannot"), first, this.photo, scenes);
        this.help = /** @type {HTMLDialogElement} */ (find(".help"));
        this.help.addEventListener("close", () => board.helping && board.help());
        find(".keys").addEventListener("click", () => board.help());
        this.switches = find(".turn");
        this.switches.addEventListener("click", () => press(board, "switches"));
        for (const [role, colour] of Object.entries(data.palette))
            document.documentElement.style.setProperty(`--${role.replace(" ", "-")}`, colour);
        this.take(data, facts);
        first.folded = folded(first, find(".folded"), find(".edited"));
        store.set({ ...first.start, page: data.page, ...selection });
        store.set({ moment: first.stage?.moments[placeOf(first.stage.moments, store.chosen.moment)].name ?? "" });
        board.paint = () => this.draw();
        new ResizeObserver(() => board.invalidate()).observe(this.scene);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.invalidate());
        listen(board);
        onPaper(find(".board"), () => this.draw());
        board.invalidate();
    }

    /** What Python says, of another square of the picture too. @param {Data} data @param {Schema["facts"]} facts */
    take(data, facts) {
        const { first } = this.board;
        first.take(data);
        for (const [page, its] of Object.entries(facts)) first.facts.set(page, its);
    }

    draw() {
        const { board, place } = this;
        const { first } = board;
        const { shown, stage } = first;
        if (!stage) return;
        explain(this.help, board);
        this.moments.draw(stage, shown);
        const { sentence } = stage.moments[placeOf(stage.moments, shown.moment)];
        fillWithRoles(this.sentence, sentence, first.data.palette);
        const before = place.mounted;
        place.mount(stage.stem);
        if (place.mounted !== before) first.asking.fetch();
        this.photo.bring();
        this.photo.clear();
        this.switches.hidden = !scriptOf(board);
        this.switches.setAttribute("aria-pressed", String(shown.switches === "open"));
        first.folded?.draw(shown);
        place.draw(shown);
        this.photo.draw();
        this.specials.draw(shown);
        this.steps.draw();
        this.canvas.setAttribute("aria-label", `${first.meta.picture.alt} ${tokenName(first.meta, shown.query)}`);
        this.caveat.textContent = first.meta.caveat;
        fillWithRoles(this.readout, first.scene?.readout?.(shown) ?? "", first.data.palette);
    }
}

/** Show the board in an element, and let its numbers come by `transport`.
 *  @param {HTMLElement} element @param {{ transport: Transport, schema: Schema, selection: Partial<Selection> }} with_ */
export const mount = (element, { transport, schema, selection }) => new Mounted(element, transport, schema, selection);
