// The instrument on the page, for one model and picture: what the hand does to it, and one frame at a time.

/** @import { Maps } from "./state/maps.js" */
/** @import { Sync } from "./state/sync.js" */
/** @import { Place, Pointed, Selection } from "./types.js" */

import { elements } from "./elements.js";
import { listen } from "./input.js";
import { renderKeys } from "./keys.js";
import { Controls } from "./panels/controls.js";
import { MatrixPanel } from "./panels/matrix.js";
import { AttentionMap, palette } from "./panels/paint.js";
import { PicturePanel } from "./panels/picture.js";
import { Readout } from "./panels/readout.js";
import { WallPanel } from "./panels/wall.js";

const BEAT = 700; // ms per layer while playing

/** What one frame shows.
 *  @typedef {object} Frame
 *  @property {Selection} selection
 *  @property {Place} place the map that the selection chooses
 *  @property {AttentionMap} map its weights of the query
 *  @property {number} wallQuery the query of the wall, which a thumbnail that is only pointed at leaves alone
 *  @property {Pointed | null} pointed
 *  @property {boolean} playing
 *  @property {boolean} settled whether Python knows the selection */

export class Instrument {
    /** @param {ShadowRoot} root @param {Maps} maps @param {Sync} sync */
    constructor(root, maps, sync) {
        this.root = root;
        this.maps = maps;
        this.sync = sync;
        this.elements = elements(root);
        this.elements.explorer.style.setProperty("--chosen", maps.meta.frame);
        this.#drawBars();
        renderKeys(this.elements);
        const colours = palette(maps.meta.colours);
        this.map = new AttentionMap(maps);
        this.picture = new PicturePanel(this.elements, maps, colours);
        const wall = new WallPanel(this.elements, maps, colours);
        this.panels = [
            new Controls(this.elements, maps),
            this.picture,
            new MatrixPanel(this.elements, maps, colours),
            wall,
            new Readout(this.elements, maps, wall),
        ];
        this.frame = 0;
        this.count = 0;
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.playing = undefined;
        /** @type {Pointed | null} */
        this.pointed = null;
        /** The query from before the pointer came to a thumbnail. @type {number | undefined} */
        this.before = undefined;
        /** The thumbnail that was clicked, for as long as the pointer stays on it. @type {Place | undefined} */
        this.clicked = undefined;
        listen(this);
    }

    get selection() {
        return this.sync.selection;
    }

    /** The map that the selection chooses. @returns {Place} */
    get place() {
        const { layer, head, mean, shows } = this.selection;
        return { layer, row: mean || shows === "rollout" ? this.maps.meta.heads : head };
    }

    /** Draw before the next frame, once, and not before Python has said which view the link asks for. */
    invalidate() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            if (this.sync.begun) this.draw();
        });
    }

    draw() {
        const started = performance.now();
        const { selection, place, map, pointed } = this;
        map.read(place, selection.query, selection.shows);
        const settled = !this.sync.ahead;
        const wallQuery = this.before ?? selection.query;
        const frame = { selection, place, map, wallQuery, pointed, playing: this.playing !== undefined, settled };
        for (const panel of this.panels) panel.draw(frame);
        /** @type {HTMLElement} */ (this.root.host).dataset.stale = String(!settled);
        const { digest } = this.maps.meta;
        globalThis.__vitviz.drawn = {
            count: ++this.count,
            took: performance.now() - started,
            digest,
            layer: selection.layer,
        };
    }

    /** The legends of the colour scale. */
    #drawBars() {
        const { colours } = this.maps.meta;
        const stops = Array.from({ length: 16 }, (_, i) => `rgb(${colours.slice(51 * i, 51 * i + 3)})`);
        for (const bar of this.elements.bars) bar.style.background = `linear-gradient(90deg, ${stops})`;
    }

    /** What the hand did: drawn at the next frame, sent to Python when it rests. @param {Partial<Selection>} change */
    set(change) {
        if ("query" in change) this.before = undefined;
        this.sync.set(change);
    }

    /** The pointer is on a token, which becomes the query; where the query is pinned, the readout is about `key`, or
     *  else about the token. A thumbnail changes the query only while the pointer is on it and has not clicked, and the
     *  wall stays as it is meanwhile.
     *  @param {{token: number, key?: number, map?: Place}} at */
    point({ token, key, map }) {
        const { query, pinned } = this.selection;
        if (!same(map, this.clicked)) this.clicked = undefined;
        const asks = !pinned && !this.clicked;
        const before = map && asks ? (this.before ?? query) : undefined;
        this.pointed = { map, key: key ?? (asks ? undefined : token) };
        if (asks && token !== query) this.set({ query: token });
        else this.invalidate();
        this.before = before;
    }

    leave() {
        this.pointed = null;
        this.clicked = undefined;
        this.restore();
        this.invalidate();
    }

    /** Make the query what it was before the pointer came to a thumbnail. */
    restore() {
        if (this.before !== undefined) this.set({ query: this.before });
    }

    /** Hold a token as the query; the same once more lets it go. @param {number} token */
    pin(token) {
        const { query, pinned } = this.selection;
        this.set({ query: token, pinned: !(pinned && query === token) });
    }

    /** Choose a map of the wall, for the query that the wall shows. @param {Place} place */
    choose(place) {
        const { layer, row: head } = place;
        const mean = head === this.maps.meta.heads;
        const rollout = this.selection.shows === "rollout";
        this.restore();
        this.pointed = null;
        this.clicked = place;
        if (mean) this.set(rollout ? { layer } : { layer, mean });
        else this.set({ layer, head, mean, ...(rollout && { shows: "row" }) });
    }

    /** Make a token the query, whatever the pointer is on. @param {number} token */
    ask(token) {
        this.pointed = null;
        this.set({ query: token });
    }

    play() {
        if (this.playing) {
            clearInterval(this.playing);
            this.playing = undefined;
            this.sync.release();
        } else {
            this.sync.hold();
            this.playing = setInterval(() => this.turn("layer", 1), BEAT);
        }
        this.invalidate();
    }

    /** @param {"layer" | "head"} name @param {number} by */
    turn(name, by) {
        const { depth, heads } = this.maps.meta;
        const many = name === "layer" ? depth : heads;
        this.set({ [name]: (this.selection[name] + by + many) % many });
    }

    close() {
        cancelAnimationFrame(this.frame);
        if (this.playing) this.sync.release();
        clearInterval(this.playing);
        this.picture.close();
    }
}

/** @param {Place | undefined} one @param {Place | undefined} other */
const same = (one, other) => one && other && one.layer === other.layer && one.row === other.row;
