// The list of tensors: an axis name that is clicked is lit in every row, and a row leads to the page that shows it.

/** @import { Component } from "../../types/board.js"
 *  @import { TensorData, TensorRow } from "../../schema/types.js" */

import { home, withWords, wordsIn } from "../../transport/words.js";
import { follow, joinTables, light, onLight } from "./rows.js";

/** @type {WeakMap<ShadowRoot, List>} */
const lists = new WeakMap();

/** @param {Component<[TensorData]>} component */
export default function draw({ data: [data], parentElement }) {
    const list = lists.get(parentElement) ?? new List(parentElement);
    lists.set(parentElement, list);
    list.draw(data);
    parentElement.host.toggleAttribute("data-drawn", true);
    return () => {
        list.unlit();
        lists.delete(parentElement);
    };
}

class List {
    /** The axis whose name is lit. */
    #axis = "";

    /** @param {ShadowRoot} root */
    constructor(root) {
        this.box = /** @type {HTMLElement} */ (root.querySelector("section"));
        this.body = /** @type {HTMLElement} */ (root.querySelector("tbody"));
        this.words = /** @type {HTMLElement} */ (root.querySelector("p"));
        joinTables();
        this.unlit = onLight((row) => {
            for (const it of this.#rows()) it.classList.toggle("lit", row !== "" && it.dataset.row === row);
        });
        this.body.onpointerover = (event) =>
            light(/** @type {Element} */ (event.target).closest("tr")?.dataset.row ?? "");
        this.body.onpointerleave = () => light("");
        this.body.onclick = (event) => this.#click(event);
    }

    /** @param {TensorData} data */
    draw(data) {
        this.data = data;
        this.box.setAttribute("aria-label", data.alt);
        this.box.style.setProperty("--height", `${data.height}px`);
        this.box.style.setProperty("--chosen", data.chosen);
        this.body.replaceChildren(...data.rows.map(row));
        this.#light();
    }

    /** @returns {NodeListOf<HTMLElement>} */
    #rows() {
        return this.body.querySelectorAll("tr");
    }

    /** @param {MouseEvent} event */
    #click(event) {
        const target = /** @type {Element} */ (event.target);
        const axis = target.closest("button")?.textContent;
        if (axis) {
            this.#axis = axis === this.#axis ? "" : axis;
            this.#light();
            return;
        }
        follow(event, target.closest("tr")?.querySelector("a"));
    }

    #light() {
        const axis = this.#axis;
        let count = 0;
        for (const button of this.body.querySelectorAll("button")) {
            const pressed = button.textContent === axis;
            count += Number(pressed);
            button.setAttribute("aria-pressed", String(pressed));
        }
        for (const size of /** @type {NodeListOf<HTMLElement>} */ (this.body.querySelectorAll("[data-axes]")))
            size.classList.toggle("axis", axis !== "" && (size.dataset.axes ?? "").split(" ").includes(axis));
        const meaning = this.data?.meanings[axis];
        this.words.textContent = axis
            ? `${axis}${meaning ? `, ${meaning}` : ""}: ${count} times in ${this.data?.rows.length} tensors`
            : "Click an axis name: it is lit wherever it occurs. Click a row: the page that shows the tensor.";
    }
}

/** @param {TensorRow} of */
function row({ place, name, axes, shape, bytes, kind, page, light: lit }) {
    const node = element("tr");
    node.className = kind;
    node.dataset.row = lit;
    const link = element("a", name);
    link.setAttribute("href", address(page));
    const mark = element("i");
    mark.className = "kind";
    mark.title = kind;
    const title = element("td");
    title.append(mark, link);
    node.append(
        element("td", place),
        title,
        cell(axes.flatMap((group) => [...named(group), " "])),
        cell(shape.flatMap((size, at) => [at ? " × " : "", sized(size, axes[at] ?? "")])),
        element("td", bytes),
    );
    for (const at of [0, 4]) node.children[at].classList.add("number");
    return node;
}

/** The names of an axis as buttons, with what stands between them: "(c ph pw)". @param {string} group */
function named(group) {
    return group.split(/(\w+)/).map((word) => (/^[a-z]\w*$/.test(word) ? button(word) : word));
}

/** @param {string} word */
function button(word) {
    const node = element("button", word);
    node.type = "button";
    return node;
}

/** @param {string} size @param {string} group */
function sized(size, group) {
    const node = element("i", size);
    node.dataset.axes = group.replace(/[()]/g, "");
    return node;
}

/** @param {(Node | string)[]} content */
function cell(content) {
    const node = element("td");
    node.append(...content);
    return node;
}

/** The page with the model and picture of this one. @param {string} page */
function address(page) {
    return withWords(home() + page.split("?")[0] + location.search, { tensors: "", find: "", ...wordsIn(page) });
}

/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {string} [text] */
function element(name, text = "") {
    const node = document.createElement(name);
    node.textContent = text;
    return node;
}
