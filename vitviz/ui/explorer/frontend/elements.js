/** @import { Scale, Shows } from "./types.js" */

/** Every element of explorer.html that the code reads, fills or listens to; a missing one is an error at once.
 *  @typedef {ReturnType<typeof elements>} Elements */

/** @param {ShadowRoot} root */
export function elements(root) {
    return {
        explorer: find(root, HTMLElement, ".explorer"),
        bars: [...root.querySelectorAll(".bar")].map((bar) => /** @type {HTMLElement} */ (bar)),

        layer: find(root, HTMLInputElement, "[name=layer]"),
        layerText: find(root, HTMLElement, "[data-layer]"),
        head: find(root, HTMLInputElement, "[name=head]"),
        headText: find(root, HTMLElement, "[data-head]"),
        play: find(root, HTMLButtonElement, "[name=play]"),
        shows: /** @type {Record<Shows, HTMLInputElement>} */ (radios(root, "shows")),
        scale: /** @type {Record<Scale, HTMLInputElement>} */ (radios(root, "scale")),
        mean: find(root, HTMLInputElement, "[name=mean]"),
        pinned: find(root, HTMLInputElement, "[name=pinned]"),
        strength: find(root, HTMLInputElement, "[name=overlay]"),
        specials: find(root, HTMLElement, ".specials"),
        ownScale: find(root, HTMLButtonElement, "[name=own]"),

        sentence: find(root, HTMLElement, "[data-sentence]"),
        pinnedText: find(root, HTMLElement, "[data-pinned]"),
        value: find(root, HTMLElement, "[data-value]"),
        status: find(root, HTMLElement, "[data-status]"),

        picture: find(root, HTMLElement, "[data-area=picture]"),
        image: find(root, HTMLImageElement, "img"),
        overlay: find(root, HTMLCanvasElement, ".overlay"),
        pictureQuery: find(root, HTMLElement, ".seen .query"),
        pictureKey: find(root, HTMLElement, ".seen .key"),
        untrained: find(root, HTMLElement, "[data-untrained]"),
        note: find(root, HTMLElement, "[data-note]"),
        flat: find(root, HTMLElement, "[data-flat]"),
        flatText: find(root, HTMLElement, "[data-flat] span"),
        model: find(root, HTMLElement, "[data-model]"),
        pictureTitle: find(root, HTMLElement, "[data-picture]"),
        pictureScale: find(root, HTMLElement, "[data-scale]"),

        matrix: find(root, HTMLElement, "[data-area=matrix]"),
        matrixCanvas: find(root, HTMLCanvasElement, ".matrix"),
        matrixQuery: find(root, HTMLElement, ".tokens .query"),
        matrixKey: find(root, HTMLElement, ".tokens .key"),
        matrixTitle: find(root, HTMLElement, "[data-title]"),
        matrixBar: find(root, HTMLElement, ".tokens .bar"),
        matrixScale: find(root, HTMLElement, "[data-matrix-scale]"),

        wall: find(root, HTMLElement, "[data-area=wall]"),
        wallTitle: find(root, HTMLElement, "[data-wall]"),
        scroll: find(root, HTMLElement, ".scroll"),
        numbers: find(root, HTMLElement, ".numbers"),
        names: find(root, HTMLElement, ".names"),
        maps: find(root, HTMLCanvasElement, ".maps"),
        chosen: find(root, HTMLElement, ".chosen"),
        preview: find(root, HTMLElement, ".preview"),
        previewCanvas: find(root, HTMLCanvasElement, ".preview canvas"),
        previewText: find(root, HTMLElement, ".preview span"),

        png: find(root, HTMLButtonElement, "[name=png]"),
        csv: find(root, HTMLButtonElement, "[name=csv]"),
        npz: find(root, HTMLButtonElement, "[name=npz]"),
        keys: find(root, HTMLElement, "[data-keys]"),
        precision: find(root, HTMLElement, "[data-precision]"),
    };
}

/** @template {HTMLElement} T
 *  @param {ShadowRoot} root @param {new () => T} type @param {string} selector @returns {T} */
function find(root, type, selector) {
    const found = root.querySelector(selector);
    if (found instanceof type) return found;
    throw new Error(`explorer.html has no ${type.name} ${selector}`);
}

/** @param {ShadowRoot} root @param {string} name */
function radios(root, name) {
    const all = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`[name=${name}]`));
    return Object.fromEntries([...all].map((radio) => [radio.value, radio]));
}
