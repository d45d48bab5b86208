// Where picture and model are chosen: a dialog beside the board.

/** @import { Sidebar } from "../../types/board.js" */

import { buttonFor, element } from "../../draw/elements.js";
import { models, pictures } from "./files.js";
import { about } from "./photos.js";

const MORE =
    "Published models, a second column, code and formulas, counts of any model and lectures with a class are in the app: " +
    "run vitviz on your own machine.";

/** The dialog, and what it does for the board. @param {HTMLDialogElement} root
 *  @param {{ model: string, picture: string }} now what is shown
 *  @param {{ show(model: string, picture: string): void, bring(file: File): void }} does @returns {Sidebar & { draw(): void }} */
export function chooser(root, now, does) {
    const file = element("input", { type: "file", accept: "image/*", hidden: "" });
    file.addEventListener("change", () => {
        if (file.files?.length) bring(file.files[0]);
        file.value = "";
    });
    const bring = (/** @type {File} */ picture) => {
        root.close();
        does.bring(picture);
    };
    const names = Object.keys(models);
    const show = (/** @type {string} */ model, /** @type {string} */ picture) => {
        root.close();
        does.show(model, picture);
    };
    const ofModels = Object.entries(models).map(([name, title]) => ({
        name,
        button: buttonFor(title, () => show(name, now.picture)),
    }));
    const small = getComputedStyle(document.documentElement);
    const ofPictures = pictures.map(({ link, title }) => {
        const src = small.getPropertyValue(`--sample-${link}`).match(/"(.+)"/)?.[1] ?? "";
        return { link, button: buttonFor([element("img", { alt: "", src }), title], () => show(now.model, link)) };
    });
    root.replaceChildren(
        element("h2", {}, "Picture"),
        buttonFor("Your own photo: it stays in this browser", () => file.click(), { class: "own" }),
        file,
        element("div", { class: "pictures" }, ...ofPictures.map(({ button }) => button)),
        element("h2", {}, "Model"),
        element("div", { class: "models" }, ...ofModels.map(({ button }) => button)),
        element("p", {}, MORE),
    );
    root.addEventListener("click", (event) => event.target === root && root.close());
    return {
        toggle: () => (root.open ? root.close() : root.showModal()),
        chooseOtherModel: () => show(names[now.model === names[0] ? 1 : 0], now.picture),
        chooseWithClasses: () => show(names[0], now.picture),
        chooseSample: (place) => show(now.model, pictures[place - 1].link),
        chooseUpload: bring,
        draw() {
            for (const { name, button } of ofModels) button.ariaPressed = String(name === now.model);
            for (const { link, button } of ofPictures) button.ariaPressed = String(link === about(now.picture).link);
        },
    };
}
