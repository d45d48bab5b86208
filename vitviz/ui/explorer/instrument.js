// The instrument on the page: elements, what the hand does to them, and one frame at a time.

const BEAT = 700; // ms per layer while playing

class Instrument {
    /** @param {ShadowRoot} root @param {Maps} maps */
    constructor(root, maps) {
        this.root = root;
        /** @param {string} selector @returns {any} */
        this.$ = (selector) => root.querySelector(selector);
        /** The token under the pointer, and the map of the wall it was pointed at in. @type {{key: number, map?: Place} | null} */
        this.pointed = null;
        this.frame = 0;
        this.count = 0;
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.playing = undefined;
        this.address = "";
        this.maps = maps;
        this.wall = new Wall(maps);
        this.colours = palette(maps.meta.colours);
        /** What the matrix on screen shows, so that it is painted only when that changes. */
        this.matrixKey = "";
        listenToControls(this);
        listenToPointer(this);
        listenToKeys(this);
        this.furnish(maps);
    }

    /** Show a model and picture. @param {Maps} maps */
    open(maps) {
        if (maps !== this.maps) {
            this.maps = maps;
            this.wall = new Wall(maps);
            this.colours = palette(maps.meta.colours);
            this.matrixKey = "";
            this.pointed = null;
            this.furnish(maps);
        }
        this.invalidate();
    }

    /** Names, picture, and what depends on the sizes. @param {Maps} maps */
    furnish({ meta, picture }) {
        URL.revokeObjectURL(this.address);
        this.address = URL.createObjectURL(picture);
        const image = this.$("img");
        image.src = this.address;
        image.alt = meta.alt;
        this.$(".explorer").style.setProperty("--chosen", meta.frame);
        this.$("[data-model]").textContent = meta.model;
        this.$("[data-picture]").textContent = meta.picture;
        this.$("[data-untrained]").hidden = meta.trained;
        const { rows, columns, depth, heads, specials, colours } = meta;
        this.$("[name=layer]").max = depth;
        this.$("[name=head]").max = heads;
        this.$("[name=layer]").disabled = this.$("[name=play]").disabled = depth === 1;
        this.$("[data-area=picture]").style.aspectRatio = `${columns} / ${rows}`;
        this.$("[data-area=matrix]").style.aspectRatio = "1";
        this.$(".specials").replaceChildren(...specials.map((name, token) => this.special(name, token)));
        this.$(".scroll").style.setProperty("--depth", depth);
        const label = (/** @type {string | number} */ text) => Object.assign(document.createElement("span"), { textContent: text });
        this.$(".numbers").replaceChildren(...Array.from({ length: depth }, (_, i) => label(i + 1)));
        this.$(".names").replaceChildren(...Array.from({ length: heads }, (_, i) => label(i + 1)), label("mean"));
        const stops = Array.from({ length: 16 }, (_, i) => `rgb(${colours.slice(51 * i, 51 * i + 3)})`);
        for (const bar of this.root.querySelectorAll(".bar")) {
            /** @type {HTMLElement} */ (bar).style.background = `linear-gradient(90deg, ${stops})`;
        }
    }

    /** @param {string} name @param {number} token */
    special(name, token) {
        const button = Object.assign(document.createElement("button"), { type: "button" });
        button.append(document.createElement("i"), `[${name}]`);
        button.onclick = () => this.pin(token);
        button.onpointermove = () => this.point(token);
        button.onpointerleave = () => this.leave();
        return button;
    }

    /** The row of the wall that the view chooses: a head, or the last one. */
    get row() {
        const { view } = store;
        return view.mean || view.shows === "rollout" ? this.maps.meta.heads : view.head;
    }

    /** Draw before the next frame, once, and not before Python has said which view the link asks for. */
    invalidate() {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            if (this.maps === store.maps && store.heard >= 0) this.draw(this.maps);
        });
    }

    /** @param {Maps} maps */
    draw(maps) {
        const started = performance.now();
        this.wall.read(store.view);
        this.wall.paint(this.$(".maps"), store.view, this.colours);
        this.drawPicture(maps);
        this.drawMatrix(maps);
        this.drawLifted(maps);
        this.drawControls();
        this.tell(maps);
        /** @type {HTMLElement} */ (this.root.host).dataset.stale = String(store.unsettled);
        const { digest } = maps.meta;
        __vitviz.drawn = { count: ++this.count, took: performance.now() - started, digest, layer: store.view.layer };
    }

    /** @param {Maps} maps */
    drawPicture({ meta }) {
        const { view } = store;
        this.wall.paintAlone(this.$(".overlay"), view, view.layer, this.row, this.colours);
        this.$(".overlay").style.opacity = this.$("[name=overlay]").value / 100;
        const weights = this.wall.at(view.layer, this.row);
        const top = this.wall.top(view, view.layer, this.row);
        const held = this.wall.held[view.layer * this.wall.height + this.row];
        this.$(".specials").childNodes.forEach((/** @type {any} */ button, /** @type {number} */ token) => {
            const [r, g, b] = meta.colours.slice(3 * step(weights[token], top));
            button.firstChild.style.background = held ? `rgb(${r} ${g} ${b})` : "none";
            button.setAttribute("aria-pressed", token === view.query);
        });
        this.mark(".seen .query", view.query);
        this.mark(".seen .key", this.pointed && this.pointed.key !== view.query ? this.pointed.key : -1);
        this.$("[data-note]").hidden = held;
        if (!held) this.$("[data-note]").textContent = this.awaited(meta);
    }

    /** Why there is nothing to see yet. @param {Meta} meta */
    awaited(meta) {
        if (!meta.sendable) return "This model's maps are too large to send whole: they come for one query at a time.";
        return `Layer ${store.view.layer + 1} is on its way.`;
    }

    /** Frame a patch of the picture. @param {string} selector @param {number} token */
    mark(selector, token) {
        const { rows, columns, specials } = this.maps.meta;
        const place = token - specials.length;
        Object.assign(this.$(selector).style, {
            display: place < 0 ? "none" : "block",
            left: `${(100 * (place % columns)) / columns}%`,
            top: `${(100 * Math.floor(place / columns)) / rows}%`,
            width: `${100 / columns}%`,
            height: `${100 / rows}%`,
        });
    }

    /** @param {Maps} maps */
    drawMatrix(maps) {
        const { view } = store;
        const { tokens } = maps.meta;
        const shows = view.shows === "rollout" ? "rollout" : "looks at";
        const held = Boolean(maps.layers[view.layer]);
        const key = [maps.meta.digest, view.layer, this.row, shows, view.scale, held].join();
        if (key !== this.matrixKey) {
            this.matrixKey = key;
            const matrix = maps.matrix(view.layer, this.row, shows);
            const top = view.scale === "shared" || !matrix ? this.wall.shared : largest(matrix, maps.meta);
            paintMatrix(this.$(".matrix"), matrix, tokens, top, this.colours);
            this.$(".matrix").style.imageRendering = tokens > 400 ? "auto" : "pixelated";
            this.$("[data-title]").textContent = `${whole(tokens)} × ${whole(tokens)} weights`;
            this.$("[data-matrix-scale]").textContent = matrix ? this.scale(top) : "not in the browser";
        }
        const across = view.shows === "is looked at by";
        this.band(".tokens .query", view.query, across, tokens);
        this.band(".tokens .key", this.pointed ? this.pointed.key : -1, !across, tokens);
    }

    /** Frame a row of the matrix, or a column. @param {string} selector @param {number} token @param {boolean} column
     *  @param {number} tokens */
    band(selector, token, column, tokens) {
        const [place, size] = [`${(100 * token) / tokens}%`, `${100 / tokens}%`];
        Object.assign(this.$(selector).style, {
            display: token < 0 ? "none" : "block",
            left: column ? place : "0",
            top: column ? "0" : place,
            width: column ? size : "100%",
            height: column ? "100%" : size,
            translate: column ? "-50% 0" : "0 -50%",
            margin: column ? `0 0 0 calc(${size} / 2)` : `calc(${size} / 2) 0 0`,
        });
    }

    /** The map under the pointer, larger. @param {Maps} maps */
    drawLifted({ meta }) {
        const lifted = this.$(".lifted");
        const at = this.pointed?.map;
        lifted.hidden = !at;
        const [width, height] = [100 / meta.depth, 100 / (meta.heads + 1)];
        Object.assign(this.$(".chosen").style, {
            left: `${store.view.layer * width}%`,
            top: `${this.row * height}%`,
            width: `${(width * meta.columns) / (meta.columns + 1)}%`,
            height: `${(height * meta.rows) / (meta.rows + 1)}%`,
        });
        if (!at) return;
        this.wall.paintAlone(this.$(".lifted canvas"), store.view, at.layer, at.row, this.colours);
        const factor = this.factor(at.layer, at.row);
        this.$(".lifted span").textContent = `layer ${at.layer + 1} · ${this.rowName(meta, at.row)}${factor}`;
        const right = at.layer > meta.depth / 2;
        lifted.style.left = right ? "" : `${at.layer * width}%`;
        lifted.style.right = right ? `${(meta.depth - 1 - at.layer) * width}%` : "";
        lifted.style.top = `${at.row * height}%`;
        lifted.style.width = `max(${1.7 * width}%, 9rem)`;
    }

    /** @param {Meta} meta @param {number} row */
    rowName(meta, row) {
        if (row < meta.heads) return `head ${row + 1}`;
        return store.view.shows === "rollout" ? "rollout" : "head mean";
    }

    /** How much brighter a map is than on the shared scale. @param {number} layer @param {number} row */
    factor(layer, row) {
        if (store.view.scale === "shared") return "";
        return ` · × ${small(this.wall.shared / this.wall.top(store.view, layer, row))}`;
    }

    /** What the colours mean. @param {number} top */
    scale(top) {
        const { shared } = this.wall;
        if (store.view.scale === "per head") return `0 to ≈ ${small(top)}, its own: × ${small(shared / top)} of the shared scale`;
        return `0 to ${small(shared)}${shared < 1 ? ` and above: ${TIMES_UNIFORM} × uniform, in every map` : ", in every map"}`;
    }

    drawControls() {
        const { view } = store;
        const { meta } = this.maps;
        const rollout = view.shows === "rollout";
        for (const name of /** @type {("layer" | "head")[]} */ (["layer", "head"])) {
            this.$(`[name=${name}]`).value = view[name] + 1;
            this.$(`[name=${name}]`).ariaValueText = view[name] + 1;
        }
        this.$("[name=head]").disabled = view.mean || rollout || meta.heads === 1;
        this.$("[name=mean]").disabled = rollout || meta.heads === 1;
        this.$("[data-layer]").textContent = `${view.layer + 1} of ${meta.depth}`;
        this.$("[data-head]").textContent = rollout || view.mean ? `all ${meta.heads}` : `${view.head + 1} of ${meta.heads}`;
        this.$("[name=mean]").checked = view.mean;
        this.$("[name=pinned]").checked = view.pinned;
        this.$(`[name=shows][value="${view.shows}"]`).checked = true;
        this.$(`[name=scale][value="${view.scale}"]`).checked = true;
        this.$(".names").lastChild.textContent = rollout ? "rollout" : "mean";
        this.$("[name=play]").textContent = this.playing ? "Pause" : "Play layers";
        this.$("[name=play]").setAttribute("aria-pressed", Boolean(this.playing));
    }

    /** Say in words and numbers what is shown. @param {Maps} maps */
    tell(maps) {
        const { view } = store;
        const { meta } = maps;
        const where = `Layer ${view.layer + 1} · ${this.rowName(meta, this.row)}`;
        const verb = { "looks at": "looks at", "is looked at by": "is looked at by", rollout: "draws on" }[view.shows];
        this.$("[data-sentence]").textContent = `${where} · ${maps.name(view.query)} ${verb} …`;
        this.$("[data-value]").textContent = this.value(maps);
        // Screen readers hear the view when the hand rests, not each step on the way.
        if (!store.unsettled) this.$("[data-status]").textContent = `${this.$("[data-sentence]").textContent} ${this.$("[data-value]").textContent}`;
        this.$("[data-scale]").textContent = this.scale(this.wall.top(view, view.layer, this.row));
    }

    /** Weight, rank and share of uniform of the token pointed at, or of the strongest one. @param {Maps} maps */
    value(maps) {
        const { view } = store;
        const { tokens } = maps.meta;
        const { layer, row } = this.pointed?.map ?? { layer: view.layer, row: this.row };
        if (!this.wall.held[layer * this.wall.height + row]) return "";
        const shows = view.shows === "rollout" && row < maps.meta.heads ? "looks at" : view.shows;
        const exact = maps.exactly(layer, row, view.query, shows);
        const weights = exact ?? this.wall.at(layer, row);
        let strongest = 0;
        for (let i = 1; i < tokens; i++) if (weights[i] > weights[strongest]) strongest = i;
        const key = this.pointed?.key ?? strongest;
        let rank = 1;
        for (let i = 0; i < tokens; i++) if (weights[i] > weights[key]) rank++;
        const elsewhere = layer === view.layer && row === this.row ? "" : `layer ${layer + 1}, ${this.rowName(maps.meta, row)}: `;
        const most = this.pointed ? "" : "most: ";
        const share = `${small(weights[key] * tokens)} × the uniform ${small(1 / tokens)}`;
        return `${elsewhere}${most}${maps.name(key)}, weight ${exact ? "" : "≈ "}${small(weights[key])} · rank ${whole(rank)} of ${whole(tokens)} · ${share}`;
    }

    /** What the hand did: drawn at the next frame, told to Python when it rests. @param {Partial<View>} change */
    set(change) {
        store.set(change);
        if (this.playing) clearTimeout(store.timer);
    }

    /** The pointer is on a token: the query follows, or, when pinned, its weight is read.
     *  @param {number} token @param {number} key @param {Place} [map] */
    point(token, key = token, map) {
        const { view } = store;
        this.pointed = { key, map };
        if (view.pinned || token === view.query) this.invalidate();
        else this.set({ query: token });
    }

    leave() {
        this.pointed = null;
        this.invalidate();
    }

    /** Hold a token as the query; the same once more lets it go. @param {number} token */
    pin(token) {
        const { view } = store;
        this.set({ query: token, pinned: !(view.pinned && view.query === token) });
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
        clearTimeout(store.timer);
        URL.revokeObjectURL(this.address);
    }
}
