// What stands over the columns: which model and picture each shows, and for the second what else it could be.

/** @import { Board } from "../state/board.js" */
/** @import { Second } from "./second.js" */

import { buttonFor, element } from "../draw/elements.js";
import { NONE } from "../state/start.js";

const AS_IT_IS = "trained";

export class ColumnHeads {
    /** @param {Board} board @param {Second} second */
    constructor(board, second) {
        this.board = board;
        this.second = second;
        this.first = element("header", { class: "of-column" });
        this.model = select("Model of B", (model) => {
            const { fields } = second.setup;
            second.ask({ ...Object.fromEntries(fields.map((name) => [name, ""])), moment: "", model });
        });
        this.size = select("Pixels of a side of B", (size) => second.ask({ size }));
        this.image = select("Picture of B", (image) =>
            second.ask({ image: image === second.setup.first.image ? "" : image }),
        );
        this.moment = select("Moment of training of B", (moment) => {
            const last = second.setup.moments.at(-1) ?? NONE; // what a moment is compared with, if nothing else is asked
            if (moment && board.store.chosen.learned === NONE && second.setup.first.model === second.setup.model)
                board.store.choose({ learned: last });
            second.ask({ moment });
        });
        this.edits = input("Edits of B", "edits", (text) => second.ask({ edits: text }));
        this.switches = input("Switches of B", "switches", (text) => second.ask(this.switched(text)));
        const says = "Exchange A and B";
        const exchange = buttonFor("⇄", () => second.exchange(), { title: says, "aria-label": says });
        const takes = board.columns.map((of) => board.takeaway?.button(of, "take away") ?? "");
        this.take = takes[0];
        const close = buttonFor("✕", () => second.board.python?.compare(), {
            "aria-label": "Close B",
            title: "Close B",
        });
        const { model, size, image, edits, switches, moment } = this;
        const name = element("b", {}, "B");
        this.root = element("header", { class: "of-column second" }, name, model, size, image, switches, edits, moment);
        this.root.append(takes[1], exchange, close);
        this.roots = [this.first, this.root];
        this.written = "";
    }

    /** The fields that a text of switches asks for, "depth=6 positions=none", in place of all before.
     *  @param {string} text @returns {Record<string, string>} */
    switched(text) {
        const { fields } = this.second.setup;
        const words = text.split(/[\s,]+/).flatMap((word) => {
            const [name, value] = word.split("=");
            return value && fields.includes(name) ? [[name, value]] : [];
        });
        return { ...Object.fromEntries(fields.map((name) => [name, ""])), ...Object.fromEntries(words) };
    }

    draw() {
        const { board, second } = this;
        const setup = second.setup;
        const { edits, learned } = board.store.chosen;
        const at = learned >= 0 ? ` · after ${learned} steps` : "";
        const title = `${board.first.meta.model_title} · ${board.first.meta.picture.title}${edits ? ` · ${edits}` : ""}${at}`;
        const written = JSON.stringify([setup, title]);
        if (written === this.written) return;
        this.written = written;
        this.first.replaceChildren(element("b", {}, "A"), element("span", { title: title }, title), this.take);
        fill(this.model, setup.models, setup.model);
        const sizes = [...new Set([...setup.sizes, setup.size])];
        fill(this.size, /** @type {[string, string][]} */ (sizes.map((it) => [it, `${it} px`])), setup.size);
        this.size.hidden = !setup.sizes.length;
        fill(this.image, setup.images, setup.image);
        const moments = /** @type {[string, string][]} */ (
            setup.moments.map((it) => [String(it), `${it.toLocaleString("en-GB")} steps`])
        );
        fill(this.moment, [["", AS_IT_IS], ...moments], String(setup.learned ?? ""));
        this.moment.hidden = !moments.length;
        this.edits.value = setup.edits;
        this.switches.value = setup.switches;
        this.switches.hidden = setup.model !== "build-your-own";
    }
}

/** @param {string} label @param {(value: string) => void} changed */
function select(label, changed) {
    const node = element("select", { "aria-label": label });
    node.addEventListener("change", () => changed(node.value));
    return node;
}

/** @param {string} label @param {string} placeholder @param {(value: string) => void} changed */
function input(label, placeholder, changed) {
    const node = element("input", { type: "text", "aria-label": label, placeholder, spellcheck: "false" });
    node.addEventListener("change", () => changed(node.value.trim()));
    return node;
}

/** @param {HTMLSelectElement} list @param {[string, string][]} options @param {string} value */
function fill(list, options, value) {
    list.replaceChildren(...options.map(([name, text]) => element("option", { value: name }, text)));
    list.value = value;
}
