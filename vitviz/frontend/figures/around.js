// What stands around the marks of a chart: buttons that choose, and the legend.

/** @import { Key, Panel, Scale } from "../types/figure.js" */

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

    /** @param {Panel} panel @param {string} choice @param {Scale} scale */
    show({ marks }, choice, scale) {
        const choices = marks.flatMap((it) =>
            it.kind === "text" && it.chooses ? [{ ...it, chooses: it.chooses }] : [],
        );
        for (const [value, button] of this.#buttons)
            if (!choices.some(({ chooses }) => chooses === value)) {
                this.#buttons.delete(value);
                button.remove();
            }
        const narrow = this.plot.clientWidth < NARROW;
        choices.forEach(({ x, y, text, chooses }, at) => {
            const button = this.#buttons.get(chooses) ?? this.#mark(choice, chooses);
            button.textContent = text;
            const framed = marks.some((it) => it.kind === "area" && it.row === chooses && it.framed);
            button.setAttribute("aria-pressed", String(framed));
            const top = scale.y(y) + (narrow && at % 2 ? LEVEL : 0);
            Object.assign(button.style, { left: `${scale.x(x)}px`, top: `${top}px`, transform: "translateX(-50%)" });
        });
    }

    /** @param {string} choice @param {string} value */
    #mark(choice, value) {
        const button = document.createElement("button");
        button.type = "button";
        button.onclick = () => this.choose(choice, value);
        this.#buttons.set(value, button);
        this.plot.append(button);
        return button;
    }
}

/** Fill a list with the keys of a figure. @param {HTMLElement} list @param {Key[]} [keys] */
export function legend(list, keys = []) {
    list.replaceChildren(
        ...keys.map(({ text, colour, row, dash = "area", shape = "" }) => {
            const item = document.createElement("li");
            const swatch = document.createElement("i");
            swatch.className = `${dash} ${shape}`;
            swatch.style.setProperty("--swatch", colour);
            if (row) item.setAttribute("data-row", row);
            item.append(swatch, text);
            return item;
        }),
    );
}

/** Light what is of a row, and say whether something is. @param {Element[]} holders @param {string} row */
export function lit(holders, row) {
    const all = holders.flatMap((holder) => [...holder.querySelectorAll("[data-row]")]);
    const known = row !== "" && all.some((it) => it.getAttribute("data-row") === row);
    for (const holder of holders) holder.classList.toggle("pointing", known);
    for (const it of all) it.classList.toggle("lit", it.getAttribute("data-row") === row);
    return known;
}

/** The row under a pointer, "" of none. @param {Event | undefined} event */
export function rowOf(event) {
    const at = /** @type {Element | undefined} */ (event?.target)?.closest?.("[data-row]");
    return at?.getAttribute("data-row") ?? "";
}
