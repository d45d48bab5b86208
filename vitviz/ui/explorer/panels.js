// The panels of the instrument, one function each: what they show follows from the view.

/** Names, picture, and what depends on the sizes. @param {Instrument} instrument */
function furnish(instrument) {
    const { $, maps } = instrument;
    const { rows, columns, depth, heads, specials, colours, ...meta } = maps.meta;
    $("img").src = URL.createObjectURL(maps.picture);
    $("img").alt = meta.alt;
    $(".explorer").style.setProperty("--chosen", meta.frame);
    $("[data-model]").textContent = meta.model;
    $("[data-picture]").textContent = meta.picture;
    $("[data-precision]").textContent = meta.precision === "fp32" ? "fp32" : `as the model computes in ${meta.precision}`;
    $("[data-untrained]").hidden = meta.trained;
    $("[name=layer]").max = depth;
    $("[name=head]").max = heads;
    $("[name=layer]").disabled = $("[name=play]").disabled = depth === 1;
    $("[data-area=picture]").style.aspectRatio = `${columns} / ${rows}`;
    $("[data-area=matrix]").style.aspectRatio = "1";
    $(".specials").replaceChildren(...specials.map((name, token) => special(instrument, name, token)));
    $(".scroll").style.setProperty("--depth", depth);
    const label = (/** @type {string | number} */ text) => Object.assign(document.createElement("span"), { textContent: text });
    $(".numbers").replaceChildren(...Array.from({ length: depth }, (_, i) => label(i + 1)));
    $(".names").replaceChildren(...Array.from({ length: heads }, (_, i) => label(i + 1)), label("mean"));
    const stops = Array.from({ length: 16 }, (_, i) => `rgb(${colours.slice(51 * i, 51 * i + 3)})`);
    for (const bar of instrument.root.querySelectorAll(".bar")) {
        /** @type {HTMLElement} */ (bar).style.background = `linear-gradient(90deg, ${stops})`;
    }
}

/** A token that has no place in the picture. @param {Instrument} instrument @param {string} name @param {number} token */
function special(instrument, name, token) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.append(document.createElement("i"), `[${name}]`);
    button.onclick = () => instrument.pin(token);
    button.onpointermove = () => instrument.point({ token });
    button.onpointerleave = () => instrument.leave();
    return button;
}

/** @param {Instrument} instrument */
function drawControls({ $, maps, playing }) {
    const { view } = store;
    const { depth, heads } = maps.meta;
    const rollout = view.shows === "rollout";
    for (const name of /** @type {("layer" | "head")[]} */ (["layer", "head"])) {
        $(`[name=${name}]`).value = view[name] + 1;
        $(`[name=${name}]`).ariaValueText = view[name] + 1;
    }
    $("[name=head]").disabled = view.mean || rollout || heads === 1;
    $("[name=mean]").disabled = rollout || heads === 1;
    $("[data-layer]").textContent = `${view.layer + 1} of ${depth}`;
    $("[data-head]").textContent = rollout || view.mean ? `all ${heads}` : `${view.head + 1} of ${heads}`;
    $("[name=mean]").checked = view.mean;
    $("[name=pinned]").checked = view.pinned;
    $(`[name=shows][value="${view.shows}"]`).checked = true;
    $(`[name=scale][value="${view.scale}"]`).checked = true;
    $(".names").lastChild.textContent = rollout ? "rollout" : "mean";
    $("[name=play]").textContent = playing ? "Pause" : "Play";
    $("[name=play]").ariaLabel = playing ? "Pause" : "Play layers";
}

/** The chosen map over the picture. @param {Instrument} instrument */
function drawPicture({ $, maps, shown, colours, pointed }) {
    const { view } = store;
    const { meta } = maps;
    const top = shown.top(view.scale);
    shown.paint($(".overlay"), view.scale, colours);
    $(".overlay").style.opacity = $("[name=overlay]").value / 100;
    $(".specials").childNodes.forEach((/** @type {any} */ button, /** @type {number} */ token) => {
        const [r, g, b] = meta.colours.slice(3 * step(shown.weights[token], top));
        button.firstChild.style.background = shown.held ? `rgb(${r} ${g} ${b})` : "none";
        button.setAttribute("aria-pressed", token === view.query);
    });
    framePatch($(".seen .query"), meta, view.query);
    framePatch($(".seen .key"), meta, pointed?.key === view.query ? undefined : pointed?.key);
    $("[data-scale]").textContent = scaleWords(maps.shared, top);
    $("[data-note]").hidden = shown.held;
    $("[data-note]").textContent = shown.held ? "" : awaited(meta);
    $("[data-flat]").hidden = !flatness(shown);
    $("[data-flat] span").textContent = flatness(shown);
}

/** @param {HTMLElement} mark @param {Meta} meta @param {number | undefined} token */
function framePatch(mark, { rows, columns, specials }, token = -1) {
    const place = token - specials.length;
    Object.assign(mark.style, {
        display: place < 0 ? "none" : "block",
        left: `${(100 * (place % columns)) / columns}%`,
        top: `${(100 * Math.floor(place / columns)) / rows}%`,
        width: `${100 / columns}%`,
        height: `${100 / rows}%`,
    });
}

/** Every query on every key, painted only when that changes. @param {Instrument} instrument */
function drawMatrix(instrument) {
    const { $, maps, place, colours, pointed } = instrument;
    const { view } = store;
    const { tokens } = maps.meta;
    const shows = view.shows === "rollout" ? "rollout" : "looks at";
    const held = Boolean(maps.layers[view.layer]);
    const key = [maps.meta.digest, view.layer, place.row, shows, view.scale, held].join();
    if (key !== instrument.matrixKey) {
        instrument.matrixKey = key;
        const matrix = maps.matrix(view.layer, place.row, shows);
        const top = view.scale === "shared" || !matrix ? maps.shared : largest(matrix, maps.meta);
        paintMatrix($(".matrix"), matrix, tokens, top, colours);
        $(".matrix").style.imageRendering = tokens > 400 ? "auto" : "pixelated";
        $("[data-title]").textContent = `${whole(tokens)} × ${whole(tokens)} weights, a row per query`;
        const missing = maps.meta.sendable ? awaited(maps.meta) : "Too large to send whole.";
        $("[data-matrix-scale]").textContent = matrix ? scaleWords(maps.shared, top) : missing;
        $(".tokens .bar").hidden = !matrix;
    }
    const across = view.shows === "is looked at by";
    frameLine($(".tokens .query"), tokens, view.query, across);
    frameLine($(".tokens .key"), tokens, pointed?.key, !across);
}

/** Frame a row of the matrix, or a column. @param {HTMLElement} mark @param {number} tokens
 *  @param {number | undefined} token @param {boolean} column */
function frameLine(mark, tokens, token = -1, column) {
    const [place, size] = [`${(100 * token) / tokens}%`, `${100 / tokens}%`];
    Object.assign(mark.style, {
        display: token < 0 ? "none" : "block",
        left: column ? place : "0",
        top: column ? "0" : place,
        width: column ? size : "100%",
        height: column ? "100%" : size,
        translate: column ? "-50% 0" : "0 -50%",
        margin: column ? `0 0 0 calc(${size} / 2)` : `calc(${size} / 2) 0 0`,
    });
}

/** All layers and heads, painted only when that changes; one is framed, and the one under the pointer lifted.
 *  @param {Instrument} instrument */
function drawWall(instrument) {
    const { $, maps, wall, colours, place, pointed } = instrument;
    const { scale, shows } = store.view;
    const query = instrument.before ?? store.view.query;
    const key = [maps.meta.digest, maps.arrivals, query, shows, scale].join();
    if (key !== instrument.wallKey) {
        instrument.wallKey = key;
        wall.read(query, shows);
        wall.paint($(".maps"), scale, colours);
        $("[data-wall]").textContent = `${maps.name(query)} ${verb()} …`;
    }
    const { depth, heads, rows, columns } = maps.meta;
    const [width, height] = [100 / depth, 100 / (heads + 1)];
    Object.assign($(".chosen").style, {
        left: `${place.layer * width}%`,
        top: `${place.row * height}%`,
        width: `${(width * columns) / (columns + 1)}%`,
        height: `${(height * rows) / (rows + 1)}%`,
    });
    const at = pointed?.map;
    $(".lifted").hidden = !at;
    if (!at) return;
    const map = wall.maps[at.layer][at.row];
    map.paint($(".lifted canvas"), scale, colours);
    const factor = scale === "shared" ? "" : ` · × ${small(maps.shared / map.largest)}`;
    $(".lifted span").textContent = `layer ${at.layer + 1} · ${rowName(maps.meta, at.row)}${factor}`;
    const [right, low] = [at.layer >= depth / 2, at.row > heads / 2];
    Object.assign($(".lifted").style, {
        left: right ? "" : `${at.layer * width}%`,
        right: right ? `${(depth - 1 - at.layer) * width}%` : "",
        top: low ? "" : `${at.row * height}%`,
        bottom: low ? `${(heads - at.row) * height}%` : "",
        width: `max(${1.7 * width}%, 10rem)`,
    });
}

/** Say in words and numbers what is shown, or read where the pointer is. @param {Instrument} instrument */
function drawReadout({ $, maps, wall, shown, place, pointed }) {
    const { map, key } = pointed ?? {};
    const at = map && key !== undefined ? map : place;
    const about = at === map ? wall.maps[at.layer][at.row] : shown;
    $("[data-sentence]").textContent = sentence(maps, at);
    $("[data-pinned]").hidden = !store.view.pinned;
    $("[data-value]").textContent = value(maps, at, about, key);
    // Screen readers hear the view when the hand rests, not each step on the way.
    if (!store.unsettled) $("[data-status]").textContent = `${$("[data-sentence]").textContent} ${$("[data-value]").textContent}`;
}
