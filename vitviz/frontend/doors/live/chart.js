// A figure of Python's that answers the hand, as a component of the page.

/** @import { Component } from "../../types/board.js"
 *  @import { ChartData } from "../../schema/types.js" */

import { Chart } from "../../figures/chart.js";
import { visit } from "../../transport/inbox.js";
import { Hand } from "./hand.js";
import { joinTables, light, onLight } from "./rows.js";

/** @type {WeakMap<ShadowRoot, { chart: Chart, hand: Hand, unlit(): void }>} */
const charts = new WeakMap();

/** @param {Component<[ChartData]>} component */
export default function draw(component) {
    const root = component.parentElement;
    const { chart, hand, unlit } = charts.get(root) ?? made(root);
    const [{ figure, alt, label, chosen }] = component.data;
    hand.listen(component);
    /** @type {HTMLElement} */ (root.querySelector("b")).textContent = label;
    chart.take(figure, alt, chosen);
    root.host.toggleAttribute("data-drawn", true);
    return () => {
        chart.leave();
        unlit();
        charts.delete(root);
    };
}

/** @param {ShadowRoot} root */
function made(root) {
    joinTables();
    const hand = new Hand();
    const chart = new Chart(root, hand, { light, go: (to) => visit(to, true) });
    const mounted = { chart, hand, unlit: onLight((row) => chart.light(row)) };
    charts.set(root, mounted);
    return mounted;
}
