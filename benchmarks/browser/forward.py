"""The demo model's forward pass in the browser: from an edit to its numbers on the page, and the long maps."""

from statistics import median, quantiles
from typing import Any

import torch
from einops import rearrange
from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest
from benchmarks.report import Report
from tests.browser.forward.running import BASE, bring_modules
from tests.browser.probe import tab
from tests.browser.server import Server
from tests.browser.watch import open_page
from vitviz.counts import total_macs
from vitviz.demo.dataset import TEST, draw, to_input
from vitviz.selection import FIRST_MODEL
from vitviz.ui.forward import delivery

EDITS = 200
LIMITS = {"allHeads": 1, "occlusion": 6, "causalTrace": 15}  # seconds
FRAME = 33  # ms
START = """async ([told, pictures, base]) => {
    const began = performance.now();
    globalThis.forward = await client.Forward.start(told, base);
    const started = performance.now() - began;
    const [first, second] = pictures.map((it) => Float32Array.from(it));
    const { took } = await forward.show(first);
    await forward.showSecond(second);
    return [started, took];
}"""
# As a hand drags: an edit a frame, and what is painted of it: logits, lens and the map of a layer.
DRAG = """async ([layer, many]) => {
    const times = [];
    for (let at = 0; at < many; at++) {
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        await forward.run(`h${layer}.1*${(at % 20) / 10} m${layer}*0.9`, [`weights-${layer - 1}`]);
        times.push(performance.now() - began);
    }
    return times;
}"""
SWEEP = """async (name) => {
    const frames = [];
    let [last, over] = [performance.now(), false];
    const frame = () => {
        frames.push(performance.now() - last);
        last = performance.now();
        if (!over) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const began = performance.now();
    await forward.sweep(jobs[name](forward.config), { paint() {} }).done;
    over = true;
    return [performance.now() - began, frames];
}"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """On the page *Heads*, with the board at rest."""
    macs = total_macs(FIRST_MODEL.config)
    report.section(f"The demo model in the browser: {macs / 1e6:,.0f} million multiply-accumulates a forward pass")
    told = delivery.describe(FIRST_MODEL)
    with tab(browser, server) as page:
        open_page(page, "/heads")
        at_rest(page)
        bring_modules(page)
        started, first = page.evaluate(START, [told, _pictures(), page.evaluate(BASE)])
        report.note("until the model is ready", started, "script, parameters, and their place in memory", " ms")
        report.note("the first forward pass", first, "before the browser has compiled the rest", " ms")
        for layer, limit in ((1, 50), (4, FRAME)):
            times = page.evaluate(DRAG, [layer, EDITS])
            which = "all layers" if layer == 1 else "the last three"
            _say(report, f"edit of {which} to logits, lens and a map", times, limit)
        for name, seconds in LIMITS.items():
            _sweep(report, page, name, seconds)


def _sweep(report: Report, page: Page, name: str, seconds: float) -> None:
    took, frames = page.evaluate(SWEEP, name)
    report.at_most(name, took / 1000, seconds, "in the worker, to its last cell", " s")
    _say(report, f"frames of the page during {name}", frames, FRAME)


def _say(report: Report, name: str, times: list[float], limit: float) -> None:
    """The 95th percentile against its limit, and the median."""
    worst = quantiles(times, n=20, method="inclusive")[-1]
    report.at_most(name, worst, limit, f"95th percentile; median {median(times):.1f} ms of {len(times)}", " ms")


def _pictures() -> Any:
    scenes = to_input(torch.from_numpy(draw(TEST[:2]).image))
    return rearrange(scenes, "b c (gh ph) (gw pw) -> b (gh gw c ph pw)", ph=8, pw=8).tolist()
