// Elements of the page, made of their name, attributes and content.

/** @template {keyof HTMLElementTagNameMap} Name
 *  @param {Name} name @param {Record<string, string>} [attributes] @param {...(Node | string)} content
 *  @returns {HTMLElementTagNameMap[Name]} */
export function element(name, attributes = {}, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
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
