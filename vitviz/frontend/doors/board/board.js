// What Streamlit calls when the board is mounted, and when the theme changes. It is mounted once and stays; what Python
// says comes by the inbox, so that this code is sent once.

/** @import { Columns } from "../../columns/columns.js" */
/** @import { Parts } from "../../lecture/parts.js" */
/** @import { ColumnData, Component, Data, Make, MakeColumns, Selection, Stage, Taught } from "../../types/board.js" */

import { buttonFor, fillWithRoles } from "../../draw/elements.js";
import { Caption } from "../../draw/info.js";
import { tokenName, tokenPlace } from "../../draw/text.js";
import { toHand } from "../../draw/touch.js";
import { read } from "../../edits/edits.js";
import { buttonOf, DRAWERS, explain, faceOf, listen } from "../../frame/actions.js";
import { acceptPhotos } from "../../frame/drop.js";
import { Moments } from "../../frame/moments.js";
import { grow, onPaper } from "../../frame/paper.js";
import { Photo } from "../../frame/photo.js";
import { ScenePlace } from "../../frame/scene_place.js";
import { Specials } from "../../frame/specials.js";
import { Steps } from "../../frame/steps.js";
import { Strip } from "../../frame/strip.js";
import { Switching } from "../../frame/switching.js";
import { TakeAway } from "../../frame/takeaway.js";
import { ofLecture } from "../../state/address.js";
import { Board } from "../../state/board.js";
import { placeOf } from "../../state/moments.js";
import { Python } from "../../state/python.js";
import { chooseOtherModel, followLinks, showSidebar } from "../../streamlit/page.js";
import { onReturn } from "../../streamlit/router.js";
import { attend } from "../../transport/inbox.js";
import { route } from "../../transport/transport.js";
import { home } from "../../transport/words.js";

/** What takes something with parameters out of the sum; they stay in the counts. */
const OFF = ["*0", "=off"];

/** @type {WeakMap<ShadowRoot, View>} */
const views = new WeakMap();

/** What Python has said is here once, and outlives the parts on the page: Streamlit may mount those anew, and says
 *  nothing twice. */
const board = new Board(route(home));
const python = new Python(board);
board.python = python;
const { first, store } = board;
const takeaway = new TakeAway(board);
board.takeaway = takeaway;

/** What makes the scene of a page, by its stem: it comes with the first visit to the page. @type {Map<string, Make>} */
const scenes = new Map();

/** What makes the second column: it comes when one is opened. @type {MakeColumns | null} */
let makeColumns = null;

/** The styles of what comes later, by name. @type {Map<string, string>} */
const styles = new Map();
const laterStyles = new CSSStyleSheet();

/** What makes the parts of a lecture on the page: it comes with the first lecture. @type {typeof Parts | null} */
let makeLecture = null;

/** What Python says of the second column. @type {ColumnData | null} */
let column = null;

/** What it has said for a lecture. @type {Taught[]} */
const taught = [];

attend((data) => {
    if ("columns" in data) makeColumns = data.columns();
    else if ("lecture" in data) makeLecture = data.lecture();
    else if ("load" in data) scenes.set(data.stem, data.load());
    else if ("beside" in data) column = data.beside;
    else if ("visit" in data) python.visit(data.visit, data.entry);
    else if ("place" in data) takeaway.accept(data.place);
    else if ("file" in data) takeaway.receive(data.file);
    else if ("meta" in data) {
        if (first.data.stages.length && data.own && data.own !== first.data.own) showSidebar(false); // it has arrived
        python.open(data);
    } else if (!("css" in data)) taught.push(data);
    if ("css" in data) {
        styles.set("stem" in data ? data.stem : Object.keys(data)[0], data.css);
        laterStyles.replaceSync([...styles.values()].join(""));
    }
    if (makeLecture) board.lecture ??= makeLecture.lecture(python);
    board.lecture?.receive(taught);
    if (makeColumns && first.data.second) board.second ??= makeColumns.Columns.second(board);
    if (column) board.second?.accept(column);
    board.invalidate();
});

/** The parts of the board on the page. */
class View {
    /** @param {ShadowRoot} root */
    constructor(root) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
        this.root = root;
        root.adoptedStyleSheets.push(laterStyles);
        this.board = board;
        /** The colours that the styles know. @type {Data["palette"] | undefined} */
        this.palette = undefined;
        this.area = find(".scene-area");
        this.strip = new Strip(find(".strip"), board);
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
        this.suits = buttonFor("", chooseOtherModel);
        this.caveat.append(this.suits, " ", this.warning.root);
        this.sceneRoot = find(".scene");
        this.place = new ScenePlace(this.sceneRoot, find(".cannot"), first, this.photo, scenes);
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
        this.switching = new Switching(find(".folded"), find(".count .edited"), board);
        const help = buttonOf(board, "help");
        help.className = "keys";
        this.compare = buttonOf(board, "beside");
        takeaway.stand(find(".board"));
        const take = takeaway.button(first, ...faceOf("take"));
        take.className = "take";
        const buttons = [this.switching, ...this.drawers].map(({ button }) => button);
        find(".drawers").replaceChildren(...buttons, this.compare, take, help);
        this.help.addEventListener("close", () => board.helping && board.help());
        board.paint = () => this.draw();
        const until = new AbortController();
        onReturn(() => store.returned(), until);
        addEventListener("resize", () => board.invalidate(), until);
        const resized = new ResizeObserver(() => board.invalidate());
        resized.observe(this.sceneRoot);
        listen(board, until);
        onPaper(find(".board"), () => this.draw(), until);
        acceptPhotos(find(".board"), board, until);
        followLinks(until);
        this.close = () => {
            this.lecture?.close();
            resized.disconnect();
            until.abort();
        };
    }

    draw() {
        const began = performance.now();
        first.local = false;
        this.drawAll();
        this.strip.draw();
        const shown = !first.stage || this.photo.stands.startsWith(first.parcels.digest);
        if (board.coming !== first.data.arrived && shown) board.coming = null; // it is there, or has been refused
        this.coming.hidden = board.coming === null;
        const { page, moment } = store.shown;
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
        const { lecture } = board;
        const { meta, stage, shown } = first;
        this.colours(first.data);
        if (lecture && makeLecture) this.lecture ??= new makeLecture(lecture, this);
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
        const { match, caveat, edits } = meta;
        const line = edits ? "edited" : match ? "" : "untrained parameters";
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
        const { style } = /** @type {HTMLElement} */ (this.root.host);
        for (const [role, colour] of Object.entries(palette)) style.setProperty(`--${role.replace(" ", "-")}`, colour);
    }

    /** @param {Stage} stage @param {Selection} shown */
    headline(stage, shown) {
        const { moments } = stage;
        this.moments.draw(stage, shown);
        const place = placeOf(moments, shown.moment);
        const led = board.lecture?.says;
        this.which.textContent = !led && moments.length > 1 ? `${place + 1} of ${moments.length}` : "";
        fillWithRoles(this.sentence, led ?? toHand(moments[place].sentence), first.data.palette);
    }

    /** A second column where one is asked for and this moment has room for it; else a word that there is one.
     *  @param {Stage} stage @param {Selection} shown */
    second({ columns, moments }, shown) {
        const setup = first.data.second;
        const fits = columns.includes(moments[placeOf(moments, shown.moment)].name);
        if (setup && fits && makeColumns && board.second) {
            const { Columns, others } = makeColumns;
            this.columns ??= new Columns(this, board.second, scenes, others);
        } else {
            this.columns?.close();
            this.columns = null;
        }
        this.other.hidden = !setup || fits;
        this.other.textContent = setup && !fits ? `One column here; ${setup.model_title || "B"} stays beside it.` : "";
        this.compare.ariaPressed = String(Boolean(setup));
        this.compare.hidden = !setup && !fits;
    }
}

/** @param {Component<null>} component */
export default function mount({ parentElement }) {
    const background = getComputedStyle(parentElement.host).getPropertyValue("--st-background-color");
    document.documentElement.style.setProperty("--page-background", background);
    const view = views.get(parentElement) ?? new View(parentElement);
    views.set(parentElement, view);
    board.invalidate();
    return () => {
        view.close();
        views.delete(parentElement);
    };
}
