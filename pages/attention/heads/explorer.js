// The explorer in a file of its own: the board's Heads with one picture and all its maps, without a server.

/** @import { Data, Selection } from "#frontend/types/board.js" */

import { opened, text, turnTheme } from "#frontend/doors/offline/file.js";
import { fillWithRoles } from "#frontend/draw/elements.js";
import { tokenName } from "#frontend/draw/text.js";
import { arraysOf } from "#frontend/editing/arrays.js";
import { folded } from "#frontend/editing/folded.js";
import { explain, listen } from "#frontend/frame/keys.js";
import { Moments } from "#frontend/frame/moments.js";
import { onPaper } from "#frontend/frame/paper.js";
import { Photo } from "#frontend/frame/photo.js";
import { ScenePlace } from "#frontend/frame/scene_place.js";
import { Specials } from "#frontend/frame/specials.js";
import { Steps } from "#frontend/frame/steps.js";
import { turn } from "#frontend/frame/switching.js";
import { Board } from "#frontend/state/board.js";
import { matrix } from "#frontend/state/maps.js";
import { momentSaid, placeOf } from "#frontend/state/moments.js";
import { headerOf, unpack } from "#frontend/transport/parcels.js";
import { heads } from "./scene.js";

/** An address that holds bytes: a worker of a page without an origin may not read other ones. @param {Uint8Array} bytes
 *  @returns {Promise<string>} */
const addressOf = (bytes) =>
    new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(String(reader.result));
        reader.readAsDataURL(new Blob([/** @type {BlobPart} */ (bytes)], { type: "application/octet-stream" }));
    });

/** The rollout after every layer, made of the maps; nothing where some layers are not in this file. @param {Board} board */
function makeRollouts(board) {
    const { depth, heads, tokens } = board.meta;
    /** @type {Map<number, Float32Array>} */
    const layers = new Map();
    for (let layer = 0; layer < depth; layer++) {
        const weights = new Float32Array(heads * tokens ** 2);
        for (let head = 0; head < heads; head++) {
            const one = matrix(board, { layer, head, shows: "row" });
            if (!one) return;
            weights.set(one, head * tokens ** 2);
        }
        layers.set(layer, weights);
    }
    const held = { edits: board.meta.edits, arrays: {}, logits: new Float32Array(), layers };
    const arrays = arraysOf("rollouts", held, board.meta);
    board.receive({ digest: board.meta.digest, name: "rollouts", arrays });
}

class Explorer {
    /** @param {Data} data @param {Partial<Selection>} chosen */
    constructor(data, chosen) {
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
        this.board = new Board(true);
        this.board.store.write = () => {}; // a file has no address
        this.canvas = /** @type {HTMLCanvasElement} */ (find(".photo canvas"));
        this.photo = new Photo(this.canvas, this.board);
        this.moments = new Moments(find(".moments"), this.board);
        this.sentence = find(".sentence");
        this.readout = find(".readout");
        this.board.photo = this.photo;
        this.specials = new Specials(find(".specials"), this.board, this.photo);
        this.steps = new Steps(find(".steps"), this.board, this.photo);
        this.scene = find(".scene");
        this.place = new ScenePlace(this.scene, find(".cannot"), this.board, this.photo, new Map([["heads", heads]]));
        this.help = /** @type {HTMLDialogElement} */ (find(".help"));
        this.help.addEventListener("close", () => this.board.helping && this.board.help());
        find(".keys").addEventListener("click", () => this.board.help());
        this.switches = find(".turn");
        this.switches.addEventListener("click", () => turn(this.board));
        find(".theme").addEventListener("click", () => this.turn());
        for (const [role, colour] of Object.entries(data.palette))
            document.documentElement.style.setProperty(`--${role.replace(" ", "-")}`, colour);
        this.board.take(data);
        const { page, stages } = data;
        this.board.store.set({ ...this.board.start, page, moment: momentSaid(stages[0]), ...chosen });
        this.board.paint = () => this.draw();
        new ResizeObserver(() => this.board.invalidate()).observe(this.scene);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.board.invalidate());
        listen(this.board);
        onPaper(find(".board"), () => this.draw());
    }

    /** Let the model of this file run here: its script and its numbers get addresses that lead nowhere else. */
    async run() {
        const forward = /** @type {Record<string, unknown>} */ (this.board.data.facts.forward);
        forward.script = URL.createObjectURL(
            new Blob([/** @type {BlobPart} */ (await opened("worker"))], { type: "text/javascript" }),
        );
        for (const id of ["parameters", "means"]) forward[id] = await addressOf(await opened(id));
        const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
        this.switches.hidden = false;
        this.board.folded = folded(this.board, find(".folded"), find(".edited"));
    }

    /** Light becomes dark, and dark light. */
    turn() {
        turnTheme();
        this.board.invalidate();
    }

    draw() {
        const { board } = this;
        const { moments, stem } = board.data.stages[0];
        const shown = board.shown;
        explain(this.help, board);
        this.moments.draw(board.data.stages[0], shown);
        fillWithRoles(this.sentence, moments[placeOf(moments, shown.moment)].sentence, board.data.palette);
        this.place.mount(stem);
        if (shown.shows === "rollout" && !board.parcels.get("rollouts")) makeRollouts(board);
        this.photo.bring();
        this.photo.clear();
        this.switches.setAttribute("aria-pressed", String(shown.switches === "open"));
        board.folded?.draw(shown);
        const where = document.querySelector(".folded .where");
        if (where && shown.runs === "server") where.textContent = "this browser cannot run the model in this file";
        this.place.draw(shown);
        this.photo.draw();
        this.specials.draw(shown);
        this.steps.draw();
        this.canvas.setAttribute("aria-label", `${board.meta.picture.alt} ${tokenName(board.meta, shown.query)}`);
        const words = board.scene?.readout?.(shown) ?? "";
        const coded = shown.shows === "rollout" ? words.replace(": ", ": ≈ ") : words;
        fillWithRoles(this.readout, coded, board.data.palette);
    }
}

/** The parcels of a bundle. @param {Uint8Array} bytes */
function* parcelsOf(bytes) {
    const { start, header } = headerOf(bytes);
    let at = start;
    for (const length of header.bundle) {
        yield unpack(bytes.subarray(at, at + length));
        at += length;
    }
}

const { data, chosen } = JSON.parse(text("said"));
const explorer = new Explorer(data, chosen);
explorer.board.invalidate();
try {
    for (const parcel of parcelsOf(await opened("numbers"))) explorer.board.receive(parcel);
    if (data.facts.forward) await explorer.run();
    explorer.board.invalidate();
} catch (error) {
    console.error(error);
    const cannot = /** @type {HTMLElement} */ (document.querySelector(".cannot"));
    cannot.textContent =
        "The numbers in this file cannot be read: it is not whole, or this browser is older than 2023.";
    cannot.hidden = false;
}
