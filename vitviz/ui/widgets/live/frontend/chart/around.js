// What stands around the marks of a chart: buttons that choose, and the legend.

/** @import { ChartData, Scale } from "../types.js" */

const NARROW = 640; // pixels of a plot in which neighbours stand on two levels
const LEVEL = 46;

/** Choices as buttons in the picture, kept while it is drawn anew. */
export class Choices {
    /** @type {Map<string, HTMLButtonElement>} */
    #buttons = new Map();

    /** @param {HTMLElement} plot @param {(name: string, value: string) => void} choose */
    constructor(plot, choose) {
        this.plot = plot;
        this.choose = choose;
    }

    /** @param {ChartData} data @param {Scale} scale */
    show({ texts, choice, areas }, scale) {
        const choices = texts.filter(({ chooses }) => chooses);
        for (const [value, button] of this.#buttons)
            if (!choices.some(({ chooses }) => chooses === value)) {
                this.#buttons.delete(value);
                button.remove();
            }
        const narrow = this.plot.clientWidth < NARROW;
        choices.forEach(({ x, y, text, chooses }, at) => {
            const button = this.#buttons.get(chooses) ?? this.#made(choice, chooses);
            button.textContent = text;
            const framed = areas.some((it) => it.row === chooses && it.framed);
            button.setAttribute("aria-pressed", String(framed));
            const top = scale.y(y) + (narrow && at % 2 ? LEVEL : 0);
            Object.assign(button.style, { left: `${scale.x(x)}px`, top: `${top}px`, transform: "translateX(-50%)" });
        });
    }

    /** @param {string} choice @param {string} value */
    #made(choice, value) {
        const button = document.createElement("button");
        button.type = "button";
        button.onclick = () => this.choose(choice, value);
        this.#buttons.set(value, button);
        this.plot.append(button);
        return button;
    }
}

/** @param {HTMLElement} list @param {ChartData} data */
export function legend(list, data) {
    list.replaceChildren(
        ...data.legend.map(({ text, colour, row, dash }) => {
            const item = document.createElement("li");
            const swatch = document.createElement("i");
            swatch.className = dash;
            swatch.style.setProperty("--swatch", colour);
            if (row) item.setAttribute("data-row", row);
            item.append(swatch, text);
            return item;
        }),
    );
}
