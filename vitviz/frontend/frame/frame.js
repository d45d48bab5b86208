// The board on the page: its parts, and how they are drawn. What the board or the page lacks has no part: a file has no
// strip, and no drawers where nothing draws them.

/** @import { Columns } from "../columns/columns.js" */
/** @import { Parts } from "../lecture/parts.js" */
/** @import { Board } from "../state/board.js" */
/** @import { Data, Makers, Selection, Stage } from "../types/board.js" */

import { buttonFor, fillWithRoles } from "../draw/elements.js";
import { Caption } from "../draw/info.js";
import { tokenName, tokenPlace } from "../draw/text.js";
import { toHand } from "../draw/touch.js";
import { read } from "../edits/edits.js";
import { ofLecture } from "../state/address.js";
import { placeOf } from "../state/moments.js";
import { buttonOf, DRAWERS, explain, faceOf, listen, press } from "./actions.js";
import { Moments } from "./moments.js";
import { grow, onPaper } from "./paper.js";
import { Photo } from "./photo.js";
import { ScenePlace } from "./scene_place.js";
import { Specials } from "./specials.js";
import { Steps } from "./steps.js";
import { Strip } from "./strip.js";
import { Switching } from "./switching.js";

/** What takes something with parameters out of the sum; they stay in the counts. */
const OFF = ["*0", "=off"];

export class Frame {
    /** @param {ShadowRoot | HTMLElement} root holds the markup @param {Board} board @param {Makers} makers */
    constructor(root, board, makers) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        const { first, takeaway, python } = board;
        this.root = root;
        this.board = board;
        this.makers = makers;
        /** The colours that the styles know. @type {Data["palette"] | undefined} */
        this.palette = undefined;
        this.area = find(".scene-area");
        this.strip = find(".strip") && new Strip(find(".strip"), board);
        this.canvas = /** @type {HTMLCanvasElement} */ (find(".photo canvas"));
        this.photo = new Photo(this.canvas, first);
        board.photo = this.photo;
        this.moments = new Moments(find(".moments"), first);
        this.which = find(".which");
        this.sentence = find(".sentence");
        this.readout = find(".readout");
        this.specials = new Specials(find(".specials"), first, this.photo);
        this.steps = new Steps(find(".steps"), board, this.photo);
        this.caveat = find(".caveat");
        this.warning = new Caption();
        this.suits = buttonFor("", () => press(board, "suits"));
        this.caveat.append(this.suits, " ", this.warning.root);
        this.sceneRoot = find(".scene");
        this.place = new ScenePlace(this.sceneRoot, find(".cannot"), first, this.photo, makers.scenes);
        /** The second column, where there is one. @type {Columns | null} */
        this.columns = null;
        /** The parts of a lecture, where there is one. @type {Parts | null} */
        this.lecture = null;
        this.coming = find(".coming");
        this.other = find(".one-column");
        this.shapes = find(".shapes");
        this.here = find(".count .here");
        this.total = find(".count .total");
        this.counted = find(".counted");
        this.help = /** @type {HTMLDialogElement} */ (find(".help"));
        this.drawers = DRAWERS.map((name) => ({ name, button: buttonOf(board, name) }));
        this.switching = new Switching(find(".folded"), find(".count .edited"), board, makers);
        this.compare = buttonOf(board, "beside");
        const buttons = [this.switching.button];
        if (python) buttons.push(...this.drawers.map(({ button }) => button), this.compare);
        if (takeaway) {
            takeaway.stand(find(".board"));
            const take = takeaway.button(first, ...faceOf("take"));
            take.className = "take";
            buttons.push(take);
        }
        const help = buttonOf(board, "help");
        help.className = "keys";
        find(".drawers").replaceChildren(...buttons, help);
        this.help.addEventListener("close", () => board.helping && board.help());
        board.paint = () => this.draw();
        this.until = new AbortController();
        addEventListener("resize", () => board.invalidate(), this.until);
        this.resized = new ResizeObserver(() => board.invalidate());
        this.resized.observe(this.sceneRoot);
        listen(board, this.until);
        onPaper(find(".board"), () => this.draw(), this.until);
    }

    draw() {
        const began = performance.now();
        const { board } = this;
        const { first } = board;
        first.local = false;
        this.drawAll();
        this.strip?.draw();
        const shown = !first.stage || this.photo.stands.startsWith(first.parcels.digest);
        if (board.coming !== first.data.arrived && shown) board.coming = null; // it is there, or has been refused
        if (this.coming) this.coming.hidden = board.coming === null;
        const { page, moment } = board.store.shown;
        const count = (globalThis.__vitviz_drawn?.count ?? 0) + 1;
        globalThis.__vitviz_drawn = {
            count,
            took: performance.now() - began,
            page,
            moment,
            digest: first.stage && !this.place.mounted ? "" : first.parcels.digest,
            photo: this.photo.stands,
            second: this.columns?.digest ?? "",
        };
    }

    drawAll() {
        const { board, makers } = this;
        const { first, lecture } = board;
        const { meta, stage, shown } = first;
        this.colours(first.data);
        if (lecture && makers.lecture) this.lecture ??= new makers.lecture(lecture, this);
        this.area.hidden = !stage;
        this.lecture?.draw();
        grow();
        document.documentElement.toggleAttribute("data-scene", Boolean(stage));
        const waits = !meta || (!lecture && ofLecture()); // a lecture moves what stands, and hides an answer
        if (waits) this.area.dataset.waiting = "";
        explain(this.help, board);
        if (!stage) return;
        this.headline(stage, shown);
        if (waits) return;
        this.place.mount(stage.stem);
        if (this.place.mounted) delete this.area.dataset.waiting; // its sliders are under the photo from the first frame on
        this.photo.bring();
        this.second(stage, shown);
        this.photo.clear();
        this.switching.draw(shown);
        if (!lecture?.asking) this.place.draw(shown);
        this.lecture?.light();
        this.photo.draw();
        this.columns?.draw();
        this.specials.draw(shown);
        this.steps.draw();
        const { match, caveat, edits, trained } = meta;
        const line = edits ? "edited" : match ? "" : trained ? "unlike its training" : "untrained parameters";
        this.warning.say(line, [caveat, match?.why].filter(Boolean).join(" "));
        this.suits.hidden = !match;
        this.suits.textContent = `${match?.says} ›`;
        this.suits.title = match?.label ?? "";
        this.caveat.hidden = !caveat && !match;
        const chosen = first.scene?.middle ? meta.prefix.length + first.patchOf(shown) : shown.query;
        this.canvas.ariaLabel = `${meta.picture.alt} ${tokenName(meta, chosen)} is chosen.`;
        const words =
            first.scene?.readout?.(shown) ??
            `{chosen} ${tokenName(meta, shown.query)} ${tokenPlace(meta, shown.query)}`;
        fillWithRoles(this.readout, words, first.data.palette);
        const { before, after, here, total } = first.scene?.count?.(shown) ?? stage.count;
        this.shapes.textContent = `${before} → ${after}`;
        this.here.textContent = here;
        this.total.textContent = total;
        const off = read(shown.edits, meta).some(({ what }) => OFF.includes(what));
        this.counted.textContent = off ? "parameters here, on or off:" : "parameters of this step";
        for (const { name, button } of this.drawers) button.ariaPressed = String(first.chosen.open === name);
    }

    /** @param {Data} data */
    colours({ palette }) {
        if (palette === this.palette) return;
        this.palette = palette;
        const { style } = /** @type {HTMLElement} */ ("host" in this.root ? this.root.host : this.root);
        for (const [role, colour] of Object.entries(palette)) style.setProperty(`--${role.replace(" ", "-")}`, colour);
    }

    /** @param {Stage} stage @param {Selection} shown */
    headline(stage, shown) {
        const { moments } = stage;
        this.moments.draw(stage, shown);
        const place = placeOf(moments, shown.moment);
        const led = this.board.lecture?.says;
        this.which.textContent = !led && moments.length > 1 ? `${place + 1} of ${moments.length}` : "";
        fillWithRoles(this.sentence, led ?? toHand(moments[place].sentence), this.board.first.data.palette);
    }

    /** A second column where one is asked for and this moment has room for it; else a word that there is one.
     *  @param {Stage} stage @param {Selection} shown */
    second({ columns, moments }, shown) {
        const { board, makers } = this;
        const setup = board.first.data.second;
        const fits = columns.includes(moments[placeOf(moments, shown.moment)].name);
        if (setup && fits && makers.columns && board.second) {
            const { Columns, others } = makers.columns;
            this.columns ??= new Columns(this, board.second, makers.scenes, others);
        } else {
            this.columns?.close();
            this.columns = null;
        }
        this.other.hidden = !setup || fits;
        this.other.textContent = setup && !fits ? `One column here; ${setup.model_title || "B"} stays beside it.` : "";
        this.compare.ariaPressed = String(Boolean(setup));
        this.compare.hidden = !setup && !fits;
    }

    close() {
        this.lecture?.close();
        this.resized.disconnect();
        this.until.abort();
    }
}
