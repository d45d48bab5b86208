// Sliders and switches, pointer, keys.

/** @param {Instrument} instrument */
function listenToControls(instrument) {
    const { $ } = instrument;
    const number = (/** @type {"layer" | "head"} */ name) => {
        $(`[name=${name}]`).oninput = () => instrument.set({ [name]: $(`[name=${name}]`).value - 1 });
    };
    number("layer");
    number("head");
    $("[name=overlay]").oninput = () => instrument.invalidate();
    $("[name=mean]").onchange = () => instrument.set({ mean: $("[name=mean]").checked });
    $("[name=pinned]").onchange = () => instrument.set({ pinned: $("[name=pinned]").checked });
    $("[name=own]").onclick = () => instrument.set({ scale: "per head" });
    $("[name=play]").onclick = () => instrument.play();
    for (const radio of instrument.root.querySelectorAll("input[type=radio]")) {
        const { name, value } = /** @type {HTMLInputElement} */ (radio);
        /** @type {HTMLInputElement} */ (radio).onchange = () => instrument.set({ [name]: value });
    }
    $("[name=png]").onclick = () => savePicture(instrument);
    $("[name=csv]").onclick = () => saveTable(instrument);
    $("[name=npz]").onclick = () => saveArrays(instrument);
}

/** Where an event lies in its frame, in cells. @param {PointerEvent | MouseEvent} event @param {number} across
 *  @param {number} down */
function cell(event, across, down) {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const place = (/** @type {number} */ at, /** @type {number} */ cells) => Math.max(0, Math.min(cells - 1, Math.floor(at * cells)));
    return [
        place((event.clientX - box.left) / box.width, across),
        place((event.clientY - box.top) / box.height, down),
    ];
}

/** @param {Instrument} instrument */
function listenToPointer(instrument) {
    const meta = () => instrument.maps.meta;
    /** @type {Record<string, (event: PointerEvent) => {token: number, key?: number, map?: Place}>} */
    const areas = {
        picture: (event) => {
            const { rows, columns, specials } = meta();
            const [x, y] = cell(event, columns, rows);
            return { token: specials.length + y * columns + x };
        },
        matrix: (event) => {
            const [x, y] = cell(event, meta().tokens, meta().tokens);
            return store.view.shows === "is looked at by" ? { token: x, key: y } : { token: y, key: x };
        },
        wall: (event) => {
            const { rows, columns, specials, depth, heads } = meta();
            const [x, y] = cell(event, depth * (columns + 1), (heads + 1) * (rows + 1));
            const map = { layer: Math.floor(x / (columns + 1)), row: Math.floor(y / (rows + 1)) };
            const [column, line] = [Math.min(columns - 1, x % (columns + 1)), Math.min(rows - 1, y % (rows + 1))];
            return { token: specials.length + line * columns + column, map };
        },
    };
    for (const [name, read] of Object.entries(areas)) {
        const area = instrument.$(`[data-area=${name}]`);
        area.onpointermove = area.onpointerdown = (/** @type {PointerEvent} */ event) => instrument.point(read(event));
        area.onpointerleave = () => instrument.leave();
        area.onclick = (/** @type {PointerEvent} */ event) => {
            const { token, map } = read(event);
            if (map) instrument.choose(map);
            else instrument.pin(token);
        };
    }
}

/** @param {Instrument} instrument */
function listenToKeys(instrument) {
    instrument.$(".explorer").onkeydown = (/** @type {KeyboardEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const target = /** @type {HTMLElement} */ (event.target);
        const act = keys(instrument, target)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!act) return;
        event.preventDefault();
        event.stopPropagation();
        act(event.shiftKey ? -1 : 1);
    };
}

/** What keys do; arrows and Space keep their own meaning on sliders, switches and buttons.
 *  @param {Instrument} instrument @param {HTMLElement} target
 *  @returns {Record<string, (direction: number) => void>} */
function keys(instrument, target) {
    const common = {
        l: (/** @type {number} */ by) => instrument.turn("layer", by),
        h: (/** @type {number} */ by) => instrument.turn("head", by),
        Escape: () => instrument.set({ pinned: false }),
    };
    const slider = target.matches("input[type=range]");
    if (target.matches("button, input") && !slider) return common;
    const play = { ...common, " ": () => instrument.play() };
    if (slider || target.matches(".scroll")) return play;
    const { columns, specials, tokens } = instrument.maps.meta;
    const { query } = store.view;
    const patch = query >= specials.length;
    const go = (/** @type {number} */ token) => {
        instrument.pointed = null;
        instrument.set({ query: Math.max(0, Math.min(tokens - 1, token)) });
    };
    return {
        ...play,
        ArrowLeft: () => go(query - 1),
        ArrowRight: () => go(query + 1),
        ArrowUp: () => go(patch && query - columns >= specials.length ? query - columns : patch ? specials.length - 1 : query - 1),
        ArrowDown: () => go(patch ? (query + columns < tokens ? query + columns : query) : specials.length),
    };
}
