// The instrument on the page, for one model and picture: what the hand does to it, and one frame at a time.

const BEAT = 700; // ms per layer while playing

class Instrument {
    /** @param {ShadowRoot} root @param {Maps} maps */
    constructor(root, maps) {
        this.root = root;
        /** @param {string} selector @returns {any} */
        this.$ = (selector) => root.querySelector(selector);
        this.frame = 0;
        this.count = 0;
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.playing = undefined;
        this.maps = maps;
        this.wall = new Wall(maps);
        this.shown = new AttentionMap(maps);
        this.colours = palette(maps.meta.colours);
        /** What matrix and wall on screen show. */
        this.matrixKey = this.wallKey = "";
        /** @type {Pointed | null} */
        this.pointed = null;
        /** The query from before the pointer came to a thumbnail. @type {number | undefined} */
        this.before = undefined;
        /** The thumbnail that was clicked, for as long as the pointer stays on it. @type {Place | undefined} */
        this.clicked = undefined;
        furnish(this);
        listenToControls(this);
        listenToPointer(this);
        listenToKeys(this);
    }

    /** The map that the view chooses. @returns {Place} */
    get place() {
        const { layer, head, mean, shows } = store.view;
        return { layer, row: mean || shows === "rollout" ? this.maps.meta.heads : head };
    }

    /** Draw before the next frame, once, and not before Python has said which view the link asks for. */
    invalidate() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            if (this.maps === store.maps && store.heard >= 0) this.draw();
        });
    }

    draw() {
        const started = performance.now();
        const { layer, query, shows } = store.view;
        this.shown.read(this.place, query, shows);
        drawControls(this);
        drawPicture(this);
        drawMatrix(this);
        drawWall(this);
        drawReadout(this);
        /** @type {HTMLElement} */ (this.root.host).dataset.stale = String(store.unsettled);
        const { digest } = this.maps.meta;
        __vitviz.drawn = { count: ++this.count, took: performance.now() - started, digest, layer };
    }

    /** What the hand did: drawn at the next frame, told to Python when it rests. @param {Partial<View>} change */
    set(change) {
        if ("query" in change) this.before = undefined;
        store.set(change);
        if (this.playing) clearTimeout(store.timer);
    }

    /** The pointer is on a token, which becomes the query; where that is pinned, the token's weight is read, or that of `key`.
     *  A thumbnail asks only while the pointer is on it and has not clicked, and the wall stays as it is meanwhile.
     *  @param {{token: number, key?: number, map?: Place}} at */
    point({ token, key, map }) {
        const { view } = store;
        if (!same(map, this.clicked)) this.clicked = undefined;
        const asks = !view.pinned && !this.clicked;
        const before = map && asks ? (this.before ?? view.query) : undefined;
        this.pointed = { map, key: key ?? (asks ? undefined : token) };
        if (asks && token !== view.query) this.set({ query: token });
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
        const { view } = store;
        this.set({ query: token, pinned: !(view.pinned && view.query === token) });
    }

    /** Choose a map of the wall, for the query that the wall shows. @param {Place} place */
    choose(place) {
        const { layer, row: head } = place;
        const mean = head === this.maps.meta.heads;
        const rollout = store.view.shows === "rollout";
        this.restore();
        this.pointed = null;
        this.clicked = place;
        if (mean) this.set(rollout ? { layer } : { layer, mean });
        else this.set({ layer, head, mean, ...(rollout && { shows: "looks at" }) });
    }

    play() {
        if (this.playing) {
            clearInterval(this.playing);
            this.playing = undefined;
            store.settle();
        } else {
            this.playing = setInterval(() => this.turn("layer", 1), BEAT);
        }
        this.invalidate();
    }

    /** @param {"layer" | "head"} name @param {number} by */
    turn(name, by) {
        const { depth, heads } = this.maps.meta;
        const many = name === "layer" ? depth : heads;
        this.set({ [name]: (store.view[name] + by + many) % many });
    }

    close() {
        cancelAnimationFrame(this.frame);
        clearInterval(this.playing);
        URL.revokeObjectURL(this.$("img").src);
    }
}

/** @param {Place | undefined} one @param {Place | undefined} other */
const same = (one, other) => one && other && one.layer === other.layer && one.row === other.row;
