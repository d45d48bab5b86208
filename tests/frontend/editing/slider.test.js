import assert from "node:assert/strict";
import { test } from "node:test";

/** As much of an element as a slider meets. */
class Fake extends EventTarget {
    attributes = /** @type {Record<string, string>} */ ({});
    style = {
        setProperty: (/** @type {string} */ name, /** @type {string} */ value) => (this.attributes[name] = value),
    };
    textContent = "";
    value = "0";
    max = "";

    append() {}

    blur() {
        this.hear("blur");
    }

    /** @param {string} name @param {string} value */
    setAttribute(name, value) {
        this.attributes[name] = value;
    }

    /** @param {string} type @param {number} [at] */
    hear(type, at) {
        if (at !== undefined) this.value = String(at);
        this.dispatchEvent(new Event(type));
    }
}

Object.assign(globalThis, { document: { createElement: () => new Fake() } });
const { Slider } = await import("#frontend/draw/elements.js");

/** A slider of six layers, and what it told. */
function made() {
    const told = /** @type {[string, number, boolean?][]} */ ([]);
    const slider = new Slider("layer", {
        slide: (at, first) => told.push(["slide", at, first]),
        rest: (at) => told.push(["rest", at]),
    });
    slider.show(4, 6, "5 of 6");
    return { input: /** @type {Fake} */ (/** @type {unknown} */ (slider.input)), place: slider.place, told };
}

test("a slider is read aloud by its name and place, and has a gap for each step", () => {
    const { input, place } = made();
    assert.deepEqual([input.value, input.max, input.attributes["--gaps"]], ["4", "5", "5"]);
    assert.equal(input.attributes["aria-label"], "layer");
    assert.equal(input.attributes["aria-valuetext"], "layer 5 of 6");
    assert.equal(place.textContent, "5 of 6");
});

test("a drag tells every place, which is the first, and once where it ends", () => {
    const { input, told } = made();
    for (const at of [3, 2]) input.hear("input", at);
    input.hear("pointerup");
    input.hear("change");
    assert.deepEqual(told, [
        ["slide", 3, true],
        ["slide", 2, false],
        ["rest", 2],
    ]);
});

test("a drag that ends where it began has ended, though nothing has changed, and one that is taken away too", () => {
    const { input, told } = made();
    for (const at of [3, 4]) input.hear("input", at);
    input.hear("pointerup");
    assert.deepEqual(told.at(-1), ["rest", 4]);
    input.hear("input", 1);
    input.hear("pointercancel");
    assert.deepEqual(told.slice(-2), [
        ["slide", 1, true],
        ["rest", 1],
    ]);
});

test("every press of an arrow is a step of its own", () => {
    const { input, told } = made();
    for (const at of [5, 4]) {
        input.hear("input", at);
        input.hear("change");
    }
    assert.deepEqual(told.map(([what]) => what).join(), "slide,rest,slide,rest");
});
