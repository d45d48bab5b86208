// Watch it learn: where the class token looked on four scenes, at every moment of training that was kept.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Selection } from "#frontend/types/board.js" */

import { buttonFor, element, Slider } from "#frontend/draw/elements.js";
import { largest, onCanvas, pixels } from "#frontend/draw/surface.js";
import { small } from "#frontend/draw/text.js";
import { drawLit, veil } from "#frontend/draw/tiles.js";
import { write } from "#frontend/draw/words.js";
import { NONE } from "#frontend/state/start.js";

const GAP = 16;
const NARROW = 560; // pixels: below, two scenes beside each other instead of four
const NAME = 24; // pixels for the name of a scene

/** @typedef {{ step: number, says: string }} Moment */

/** The moments of training of this model, none where they were not kept. @param {Column} column */
const momentsOf = (column) => /** @type {Moment[]} */ (column.data.facts.learning ?? []);

/** What Space plays while the model learns: the next moment; from the last one, the first. @param {Column} column
 *  @param {Selection} chosen @returns {Partial<Selection> | null} */
export function nextMoment(column, { learned }) {
    const steps = momentsOf(column).map(({ step }) => step);
    const at = steps.indexOf(learned);
    if (at + 1 < steps.length) return { learned: steps[at + 1] };
    return column.playing ? null : { learned: steps[0] };
}

export class Learning {
    /** @param {Column} column */
    constructor(column) {
        this.column = column;
        this.canvas = element("canvas", { role: "img" });
        this.slider = new Slider("Moment of training", {
            slide: (at) => column.choose({ learned: momentsOf(column)[at].step }),
        });
        this.words = element("p", { "aria-live": "polite" });
        this.root = element("div", { class: "learning" }, this.canvas, this.slider.input, this.words);
        this.button = buttonFor("watch it learn", () => {
            const [first] = momentsOf(column);
            column.choose({ learned: column.chosen.learned === NONE ? first.step : NONE });
        });
        /** @type {OffscreenCanvas[]} */
        this.scenes = [];
    }

    /** Whether it is on screen. @param {Selection} shown */
    draw(shown) {
        const moments = momentsOf(this.column);
        const at = moments.findIndex(({ step }) => step === shown.learned);
        const here = at >= 0 && shown.moment === "wall";
        this.root.hidden = !here;
        this.button.hidden = !moments.length || shown.moment !== "wall";
        this.button.ariaPressed = String(here);
        if (!here) return false;
        this.slider.show(at, moments.length, moments[at].says, moments[at].says);
        const [maps, scenes] = ["maps", "scenes"].map((name) => this.column.array("learning", name));
        if (!maps || !scenes) {
            this.words.textContent = "The moments of training are on their way.";
            return true;
        }
        if (!this.scenes.length) this.scenes = picturesOf(scenes);
        const [, many, layers, patches] = maps.shape;
        const of = (/** @type {number} */ step, /** @type {number} */ scene) => {
            const start = ((step * many + scene) * layers + shown.layer) * patches;
            return /** @type {Float32Array} */ (maps.data).subarray(start, start + patches);
        };
        const all = moments.flatMap((_, step) => this.scenes.map((_, scene) => largest(of(step, scene))));
        const limit = Math.max(...all);
        const titles = /** @type {string[]} */ (this.column.data.facts.watched);
        const { columns, rows } = this.column.meta;
        onCanvas(this.canvas, (context, width, height) => {
            const across = width > NARROW ? 4 : 2;
            const [wide, tall] = [width / across, height / Math.ceil(this.scenes.length / across)];
            const size = Math.min(wide - GAP, tall - NAME - 6);
            for (const [scene, picture] of this.scenes.entries()) {
                const [x, y] = [(scene % across) * wide, Math.floor(scene / across) * tall + NAME];
                drawLit(context, picture, veil(of(at, scene), columns, rows, limit), x, y, size);
                write(context, titles[scene], x, y - 7, { width: size });
            }
        });
        this.canvas.ariaLabel = `Where the class token looks. ${moments[at].says}`;
        this.words.textContent = `${moments[at].says} Layer ${shown.layer + 1}, mean of its heads; brightest from ${small(limit)}.`;
        return true;
    }
}

/** @param {import("#frontend/types/board.js").Array_} scenes `scene h w rgb` */
function picturesOf({ shape: [many, height, width], data }) {
    return Array.from({ length: many }, (_, scene) =>
        pixels(width, height, (at) => {
            const place = 3 * (scene * width * height + at);
            return ((0xff << 24) | (data[place + 2] << 16) | (data[place + 1] << 8) | data[place]) >>> 0;
        }),
    );
}
