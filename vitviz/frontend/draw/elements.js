// Elements of the page, made of their name, attributes and content; a slider among them.

/** @template {keyof HTMLElementTagNameMap} Name
 *  @param {Name} name @param {Record<string, string>} [attributes] @param {...(Node | string)} content
 *  @returns {HTMLElementTagNameMap[Name]} */
export function element(name, attributes = {}, ...content) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...content);
    return node;
}

/** Write a text, unless it stands there: what is read aloud changes only when it says something else.
 *  @param {Node} target @param {string} text */
export function saying(target, text) {
    if (target.textContent !== text) target.textContent = text;
}

/** A button, and what a press does. @param {Node | string | (Node | string)[]} content @param {(event: MouseEvent) => void} act
 *  @param {Record<string, string>} [attributes] */
export function buttonFor(content, act, attributes = {}) {
    const node = element("button", { type: "button", ...attributes }, ...[content].flat());
    node.addEventListener("click", act);
    return node;
}

/** A text whose words in braces are roles, underlined in their colour: "the {query} asks".
 *  @param {HTMLElement} target @param {string} text @param {Record<string, string>} palette */
export function fillWithRoles(target, text, palette) {
    if (target.dataset.text === text) return;
    target.dataset.text = text;
    const parts = text.split(/\{([^{}]+)\}(\w*)/); // "{patch}es" is one word
    target.replaceChildren(
        ...parts.map((part, at) => {
            if (at % 3 === 0) return part;
            if (at % 3 === 2) return "";
            const word = element("span", { class: "role" }, part + parts[at + 1]);
            word.style.borderColor = palette[part] ?? "currentColor";
            return word;
        }),
    );
}

/** What a hand does with it: `slide` for every place on the way, `rest` where it lets go.
 *  @typedef {{ slide(at: number, first: boolean): void, rest?(at: number): void }} Hand */

/** A handle on a track with a tick for every place, dragged or moved by the arrows. */
export class Slider {
    /** @param {string} says its name @param {Hand} hand */
    constructor(says, hand) {
        this.says = says;
        this.input = element("input", { type: "range", min: "0", step: "1", "aria-label": says });
        /** Where it stands, in words. */
        this.place = element("b");
        const { input } = this;
        let down = false;
        input.addEventListener("input", () => {
            hand.slide(Number(input.value), !down);
            down = true;
        });
        const letGo = () => {
            if (down) hand.rest?.(Number(input.value));
            down = false;
        };
        for (const end of ["change", "pointercancel", "blur"]) input.addEventListener(end, letGo);
        input.addEventListener("pointerup", () => input.blur()); // arrows are the photo's again
    }

    /** @param {number} at @param {number} many places, from 0 on @param {string} text its place in words
     *  @param {string} [read] the same for who does not see what it is of */
    show(at, many, text, read = `${this.says} ${text}`) {
        const { input, place } = this;
        input.max = String(many - 1);
        input.value = String(at);
        input.style.setProperty("--gaps", input.max);
        saying(place, text);
        input.setAttribute("aria-valuetext", read);
    }
}
