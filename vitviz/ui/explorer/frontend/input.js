// Sliders and switches, pointer, keys.

/** @import { Instrument } from "./instrument.js" */
/** @import { Place } from "./types.js" */

import { keyAt } from "./keys.js";
import { saveArrays, savePicture, saveTable } from "./save/save.js";

/** @param {Instrument} instrument */
export function listen(instrument) {
    listenToControls(instrument);
    listenToSpecialTokens(instrument);
    listenToPointer(instrument);
    listenToKeys(instrument);
}

/** @param {Instrument} instrument */
function listenToControls(instrument) {
    const { layer, head, shows, scale, mean, pinned, strength, ownScale, play, png, csv, npz } = instrument.elements;
    layer.oninput = () => instrument.set({ layer: Number(layer.value) - 1 });
    head.oninput = () => instrument.set({ head: Number(head.value) - 1 });
    strength.oninput = () => instrument.invalidate();
    mean.onchange = () => instrument.set({ mean: mean.checked });
    pinned.onchange = () => instrument.set({ pinned: pinned.checked });
    ownScale.onclick = () => instrument.set({ scale: "own" });
    play.onclick = () => instrument.play();
    for (const radio of [...Object.values(shows), ...Object.values(scale)]) {
        radio.onchange = () => instrument.set({ [radio.name]: radio.value });
    }
    png.onclick = () => savePicture(instrument);
    csv.onclick = () => saveTable(instrument);
    npz.onclick = () => saveArrays(instrument);
}

/** The buttons of the tokens that have no place in the picture. @param {Instrument} instrument */
function listenToSpecialTokens(instrument) {
    for (const [token, button] of [...instrument.elements.specials.children].entries()) {
        const it = /** @type {HTMLElement} */ (button);
        it.onclick = () => instrument.pin(token);
        it.onpointermove = () => instrument.point({ token });
        it.onpointerleave = () => instrument.leave();
    }
}

/** Where an event lies in its frame, in cells. @param {MouseEvent} event @param {number} across
 *  @param {number} down */
function cell(event, across, down) {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const place = (/** @type {number} */ at, /** @type {number} */ cells) =>
        Math.max(0, Math.min(cells - 1, Math.floor(at * cells)));
    return [place((event.clientX - box.left) / box.width, across), place((event.clientY - box.top) / box.height, down)];
}

/** @param {Instrument} instrument */
function listenToPointer(instrument) {
    const { picture, matrix, wall } = instrument.elements;
    const { rows, columns, specials, tokens, depth, heads } = instrument.maps.meta;
    /** @type {[HTMLElement, (event: MouseEvent) => {token: number, key?: number, map?: Place}][]} */
    const areas = [
        [
            picture,
            (event) => {
                const [x, y] = cell(event, columns, rows);
                return { token: specials.length + y * columns + x };
            },
        ],
        [
            matrix,
            (event) => {
                const [x, y] = cell(event, tokens, tokens);
                return instrument.selection.shows === "column" ? { token: x, key: y } : { token: y, key: x };
            },
        ],
        [
            wall,
            (event) => {
                const [x, y] = cell(event, depth * (columns + 1), (heads + 1) * (rows + 1));
                const map = { layer: Math.floor(x / (columns + 1)), row: Math.floor(y / (rows + 1)) };
                const [column, line] = [Math.min(columns - 1, x % (columns + 1)), Math.min(rows - 1, y % (rows + 1))];
                return { token: specials.length + line * columns + column, map };
            },
        ],
    ];
    for (const [area, read] of areas) {
        area.onpointermove = area.onpointerdown = (event) => instrument.point(read(event));
        area.onpointerleave = () => instrument.leave();
        area.onclick = (event) => {
            const { token, map } = read(event);
            if (map) instrument.choose(map);
            else instrument.pin(token);
        };
    }
}

/** @param {Instrument} instrument */
function listenToKeys(instrument) {
    instrument.elements.explorer.onkeydown = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const target = /** @type {HTMLElement} */ (event.target);
        const key = keyAt(event.key, target);
        if (!key) return;
        event.preventDefault();
        event.stopPropagation();
        key.act(instrument, event.key, event.shiftKey ? -1 : 1);
    };
}
