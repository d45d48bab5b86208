// Encoder block: the residual stream and what is added to it; layer norm; the MLP's hidden units; reach.

import { Areas } from "#frontend/draw/areas.js";
import { element } from "#frontend/draw/elements.js";
import { Motion } from "#frontend/draw/motion.js";
import { onCanvas } from "#frontend/draw/surface.js";
import { tokenName } from "#frontend/draw/text.js";
import { choosable } from "#frontend/draw/touch.js";
import { coming } from "#frontend/draw/words.js";
import { headsOf, layers } from "#frontend/frame/steps.js";
import { drawHidden } from "./hidden.js";
import { drawReach } from "./reach.js";
import { drawNorms, drawStream, inWords } from "./vectors.js";

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Scene, Selection } from "#frontend/types/board.js" */
/** @import { Photo } from "#frontend/frame/photo.js" */

/** @typedef {{ boxes?: [string, string, string][], plus?: boolean }} Row */

/** Rows of the diagram as they stand beside the five vectors of a token: boxes with their moment. @type {Row[]} */
const ROWS = [
    { boxes: [["stream", "stream", "residual-stream"]] },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["attention", "similarity", "attention"],
        ],
    },
    { plus: true },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["MLP", "activation", "MLP"],
        ],
    },
    { plus: true },
];

/** The same where norms stand after the sums. @type {Row[]} */
const POST_ROWS = [
    { boxes: [["stream", "stream", "residual-stream"]] },
    { boxes: [["attention", "similarity", "attention"]] },
    { plus: true },
    {
        boxes: [
            ["norm", "norm", "residual-stream"],
            ["MLP", "activation", "MLP"],
        ],
    },
    { plus: true },
    { boxes: [["norm", "norm", "residual-stream"]] },
];

export class Diagram {
    /** @param {Column} column */
    constructor(column) {
        /** @type {{ button: HTMLElement, moment: string }[]} */
        this.buttons = [];
        const rows = (column.data.facts.post ? POST_ROWS : ROWS).map(({ boxes = [], plus }) => {
            const made = boxes.map(([name, moment, role]) => {
                const button = element("button", { type: "button" }, name);
                button.style.setProperty("--role", `var(--${role})`);
                choosable(column, button, () => ({ moment }));
                this.buttons.push({ button, moment });
                return button;
            });
            return element("div", { class: plus ? "plus" : boxes.length > 1 ? "branch" : "" }, ...made);
        });
        this.root = element("div", { class: "diagram", role: "group", "aria-label": "The encoder block" }, ...rows);
    }

    /** @param {Selection} chosen */
    draw({ moment }) {
        for (const each of this.buttons) each.button.ariaPressed = String(each.moment === moment);
    }
}

const DRAWS = { stream: drawStream, norm: drawNorms, activation: drawHidden };

/** @param {HTMLElement} root @param {Column} column @param {Photo} photo @returns {Scene} */
export function encoderBlock(root, column, photo) {
    const canvas = element("canvas", { class: "fill", role: "img" });
    const diagram = new Diagram(column);
    root.replaceChildren(element("div", { class: "block" }, diagram.root, element("div", {}, canvas)));
    const areas = new Areas(canvas, column);
    const flow = new Motion(() => column.invalidate(), 400);
    let last = "";

    return {
        draw(shown) {
            const { moment } = shown;
            const what = `${moment} ${shown.layer}`;
            if (what !== last) flow.start();
            last = what;
            areas.clear();
            diagram.draw(column.chosen);
            photo.grid = moment === "similarity";
            photo.specials = moment !== "similarity";
            const token = moment === "similarity" ? column.meta.prefix.length + column.patchOf(shown) : shown.query;
            photo.frames = [{ token, colour: column.data.palette.chosen }];
            photo.steps = [layers(column, shown), ...(moment === "similarity" ? [headsOf(column, shown)] : [])];
            onCanvas(canvas, (context, width, height) => {
                const drawn = { context, width, height, share: flow.share, column, areas, shown };
                const it =
                    moment === "similarity" ? drawReach(drawn, photo) : DRAWS[/** @type {"norm"} */ (moment)](drawn);
                if (!it) coming(context, width, `Block ${shown.layer + 1} is on its way.`);
            });
            canvas.ariaLabel = `Block ${shown.layer + 1} for ${tokenName(column.meta, token)}`;
        },
        readout(shown) {
            const { query, layer, head, moment } = shown;
            const token = moment === "similarity" ? column.meta.prefix.length + column.patchOf(shown) : query;
            const which = moment === "similarity" ? ` · head ${head + 1}` : inWords(column, shown);
            return `{chosen} ${tokenName(column.meta, token)} · block ${layer + 1} of ${column.meta.depth}${which}`;
        },
        needs({ layer, query, moment }) {
            const own = `hidden-${layer}-${query}`;
            const hidden = moment === "activation" && !column.parcels.get(`hidden-${layer}`) ? [own] : [];
            return [`block-${layer}`, ...hidden];
        },
        play: ({ layer }) => (layer + 1 < column.meta.depth ? { layer: layer + 1 } : null),
    };
}
