/** @import { Elements } from "../elements.js" */
/** @import { Frame } from "../instrument.js" */
/** @import { Maps } from "../state/maps.js" */

/** Sliders, switches and buttons as the selection has them. */
export class Controls {
    /** @param {Elements} elements @param {Maps} maps */
    constructor(elements, maps) {
        this.elements = elements;
        this.meta = maps.meta;
        const { layer, head, play } = elements;
        const { depth, heads } = maps.meta;
        layer.max = String(depth);
        head.max = String(heads);
        layer.disabled = play.disabled = depth === 1;
    }

    /** @param {Frame} frame */
    draw({ selection, playing }) {
        const { layer, layerText, head, headText, mean, pinned, shows, scale, play } = this.elements;
        const { depth, heads } = this.meta;
        const rollout = selection.shows === "rollout";
        layer.value = layer.ariaValueText = String(selection.layer + 1);
        head.value = head.ariaValueText = String(selection.head + 1);
        layerText.textContent = `${selection.layer + 1} of ${depth}`;
        headText.textContent = rollout || selection.mean ? `all ${heads}` : `${selection.head + 1} of ${heads}`;
        head.disabled = selection.mean || rollout || heads === 1;
        mean.disabled = rollout || heads === 1;
        mean.checked = selection.mean;
        pinned.checked = selection.pinned;
        shows[selection.shows].checked = true;
        scale[selection.scale].checked = true;
        play.textContent = playing ? "Pause" : "Play";
        play.ariaLabel = playing ? "Pause" : "Play layers";
    }
}
