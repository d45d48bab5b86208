// What turns attention itself: temperature, the divisor of the scores, top-k, a window, a causal mask; and the positions,
// and dropout.

/** @import { Column } from "#frontend/state/column.js" */
/** @import { Edit } from "#frontend/edits/edits.js" */
/** @import { Meta } from "#frontend/types/board.js" */
/** @import { History } from "#frontend/editing/history.js" */

import { buttonFor, element, Slider, saying } from "#frontend/draw/elements.js";
import { ALL, put, take, whatAt, written } from "#frontend/edits/edits.js";

const TEMPERATURES = [0.125, 0.25, 0.5, 0.71, 1, 1.41, 2, 4, 8, 16];
const SHIFTS = [0, 0.5, 1, 2, 4, 8, 16, 32]; // columns
const RATES = [0, 0.1, 0.2, 0.3, 0.5, 0.7];

/** One dial: its letter, its name, whether a layer may have its own, or the chosen patch has, and its stops as ends of words with their names.
 *  @typedef {{ letter: string, name: string, says: string, layered: boolean, stops: [string, string][], usual: number,
 *    slides: boolean, placed?: boolean }} Dial */

/** How the model scores before anybody turns a dial; null for what is usual.
 *  @typedef {{ score_scale: number | null, top_k: number | null, window: number | null, positions: string }} Own */

/** What can be turned: each dial begins at the model's own, and what would widen a model's choice is not offered.
 *  @param {Meta} meta @param {Own} own @returns {Dial[]} */
export function dialsOf(meta, own) {
    const most = own.window ?? Math.max(meta.rows, meta.columns) - 1;
    const kept = Math.min(own.top_k ?? meta.tokens, meta.tokens);
    const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].filter((count) => count < kept);
    /** @type {Dial[]} */
    const dials = [
        {
            letter: "t",
            name: "temperature",
            says: "scores are divided by it",
            layered: true,
            stops: TEMPERATURES.map((it) => [`=${written(it)}`, written(it)]),
            usual: TEMPERATURES.indexOf(1),
            slides: true,
        },
        {
            letter: "s",
            name: "q·k divided by",
            says: "",
            layered: true,
            ...divisors(meta, own),
            slides: false,
        },
        {
            letter: "k",
            name: "top-k",
            says: "the largest scores of a row stay",
            layered: true,
            stops: [
                ...counts.map((it) => /** @type {[string, string]} */ ([`=${it}`, `${it}`])),
                [`=${kept}`, kept < meta.tokens ? `${kept}` : "all"],
            ],
            usual: counts.length,
            slides: true,
        },
        {
            letter: "w",
            name: "window",
            says: "patches see so far",
            layered: true,
            stops: Array.from({ length: most + 1 }, (_, it) => [
                `=${it}`,
                it === most && own.window === null ? "all" : `${it}`,
            ]),
            usual: most,
            slides: true,
        },
        {
            letter: "c",
            name: "causal mask",
            says: "",
            layered: true,
            stops: [
                ["=full", "off"],
                ["", "on"],
            ],
            usual: 0,
            slides: false,
        },
        {
            letter: "e",
            name: "positions",
            says: "",
            layered: false,
            stops: [
                ["", "learned"],
                ["=off", "off"],
                ["=shuffled@1", "shuffled"],
            ],
            usual: 0,
            slides: false,
        },
        {
            letter: "o",
            name: "place of the chosen patch",
            says: "columns to the right, where the chosen patch takes its position from",
            layered: false,
            placed: true,
            stops: SHIFTS.map((it) => [`=${written(it)}`, `+${written(it)}`]),
            usual: 0,
            slides: true,
        },
        {
            letter: "d",
            name: "dropout",
            says: "in training; 0 at inference",
            layered: false,
            stops: RATES.map((it) => [`=${written(it)}@1`, written(it)]),
            usual: 0,
            slides: true,
        },
    ];
    return dials.filter(({ letter }) => !"eo".includes(letter) || own.positions !== "none");
}

/** What the scores can be divided by. That √dₕ is usual is what the text of edits means by it, so that a model which
 *  divides by something else cannot be asked for it. @param {Meta} meta @param {Own} own
 *  @returns {{ stops: [string, string][], usual: number }} */
function divisors({ head_dim }, { score_scale }) {
    const its = score_scale === null ? Math.sqrt(head_dim) : 1 / score_scale;
    const same = (/** @type {number} */ by) => Math.abs(by / its - 1) < 1e-9;
    /** @type {[string, string][]} */
    const stops = [
        ["=dh", "dₕ"],
        ["=none", "1"],
    ];
    if (same(Math.sqrt(head_dim))) return { stops: [["=sqrt", "√dₕ"], ...stops], usual: 0 };
    const usual = [head_dim, 1].findIndex(same);
    return usual < 0 ? { stops: [["", written(its)], ...stops], usual: 0 } : { stops, usual };
}

export class Dials {
    /** @param {Column} column @param {History} history */
    constructor(column, history) {
        this.column = column;
        this.history = history;
        /** Whether the chosen layer alone is turned. */
        this.single = false;
        this.root = element("div", { class: "dials" });
        this.written = "";
        /** @type {{ dial: Dial, show(at: number, text: string): void }[]} */
        this.dials = [];
        this.scopes = [false, true].map((single) => {
            return buttonFor("", () => {
                this.single = single;
                column.invalidate();
            });
        });
    }

    /** @param {Edit[]} edits @param {{ layer: number }} shown */
    draw(edits, shown) {
        if (this.written !== this.column.meta.digest) this.write();
        this.written = this.column.meta.digest;
        for (const [at, button] of this.scopes.entries()) {
            button.textContent = at ? `layer ${shown.layer + 1}` : "all layers";
            button.ariaPressed = String(Boolean(at) === this.single);
        }
        for (const { dial, show } of this.dials) {
            const layer = dial.layered && this.single ? shown.layer : ALL;
            const what =
                whatAt(edits, dial.letter, layer, this.placeOf(dial)) ??
                (layer < 0 ? undefined : whatAt(edits, dial.letter));
            const at = what === undefined ? dial.usual : nearest(dial, what);
            show(at, what === undefined ? dial.stops[dial.usual][1] : what.slice(1).split("@")[0]);
        }
    }

    write() {
        this.dials = [];
        const own = /** @type {Own} */ (this.column.data.facts.own);
        const rows = dialsOf(this.column.meta, own).map((dial) => {
            const name = element("span", { class: "name" }, dial.name);
            if (dial.slides) return this.slider(dial, name);
            const buttons = dial.stops.map(([, text], at) => {
                return buttonFor(text, () => this.turn(dial, at));
            });
            this.dials.push({
                dial,
                show: (now) => {
                    for (const [at, button] of buttons.entries()) button.ariaPressed = String(at === now);
                },
            });
            return element("div", { role: "group", "aria-label": dial.name }, name, element("span", {}, ...buttons));
        });
        this.root.replaceChildren(
            element("p", { class: "tools", role: "group", "aria-label": "Where" }, ...this.scopes),
            ...rows,
        );
    }

    /** @param {Dial} dial @param {HTMLElement} name */
    slider(dial, name) {
        const slider = new Slider(dial.name, {
            slide: (at, first) => {
                if (first) this.history.begin();
                this.turn(dial, at, true);
            },
        });
        slider.input.title = dial.says;
        this.dials.push({
            dial,
            show: (at, text) => {
                const says = at === dial.usual && dial.stops[at][1] === "all" ? "all" : text;
                if (dial.placed) saying(name, `patch ${this.placeOf(dial) + 1} at`);
                slider.show(at, dial.stops.length, says, says);
            },
        });
        return element("div", {}, name, slider.input, slider.place);
    }

    /** The patch whose dial it is, ALL where it is that of the model. @param {Dial} dial */
    placeOf({ placed }) {
        return placed ? this.column.patchOf(this.column.shown) : ALL;
    }

    /** @param {Dial} dial @param {number} at @param {boolean} [within] a step that has begun */
    turn(dial, at, within = false) {
        const layer = dial.layered && this.single ? this.column.chosen.layer : ALL;
        const place = this.placeOf(dial);
        const edit = { letter: dial.letter, layer, prefix: false, first: place, last: place, what: dial.stops[at][0] };
        const { edits } = this.history;
        const everywhere = whatAt(edits, dial.letter) !== undefined;
        const usual = at === dial.usual && (layer < 0 || !everywhere || !edit.what);
        const now = usual ? take(edits, edit) : put(edits, edit, this.column.meta);
        if (within) this.history.during(now);
        else this.history.set(now);
    }
}

/** The stop that is nearest to what the edits say. @param {Dial} dial @param {string} what */
export function nearest({ stops, usual, slides }, what) {
    const same = stops.findIndex(([it]) => it.split("@")[0] === what.split("@")[0]);
    if (same >= 0 || !slides) return same >= 0 ? same : usual;
    const number = Number.parseFloat(what.slice(1));
    const off = (/** @type {number} */ at) => Math.abs(Number.parseFloat(stops[at][0].slice(1)) - number);
    return stops.reduce((best, _, at) => (off(at) < off(best) ? at : best), 0);
}
