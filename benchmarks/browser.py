"""What the hand feels on the Heads page: the explorer in Chromium, beside the same view drawn by the server.

    python -m benchmarks.browser                  all parts; `make bench-browser`
    python -m benchmarks.browser traffic coding   these parts, of hand, traffic and coding

A time runs from the event to the frame that shows its result.
"""

import asyncio
import os
import sys
from statistics import median, quantiles

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before torch is imported; see benchmarks/timing.py

import numpy as np
import torch
from playwright.sync_api import Browser, FloatRect, Page

from benchmarks.load.visitors import visitors
from benchmarks.report import Report, machine
from benchmarks.timing import interleaved, ratio
from tests.browser import chromium
from tests.browser.server import Server, serve
from tests.browser.watch import CLOCK_WEBSOCKETS, open_page, settled
from vitviz.config import PRESETS
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.measures.quantised import dequantise, quantised_forward, quantised_layer
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.weights import load

BASE = "vit_base_patch16_224"
MODELS = ("demo", BASE, "vit_large_patch16_224")
BERTVIZ_PAGE = 248_900_000  # bytes of BertViz' model view of 12 x 12 x 197 x 197 weights
TURNS = 40

COUNT_BYTES = """
    window.__wire = { sent: 0, received: 0 };
    window.WebSocket = class extends WebSocket {
        constructor(...args) {
            super(...args);
            const count = ({ data }) => { __wire.received += data.byteLength ?? data.size; };
            this.addEventListener("message", count);
        }
        send(...args) { __wire.sent++; super.send(...args); }
    };
"""
# The time from the next event of a kind until the frame that shows `seen()` changed has been painted.
TIME_NEXT = """([kind, what]) => {
    const image = () => document.querySelector(".st-key-heads_matrix .hm image")?.getAttribute("href");
    const seen = what === "explorer" ? () => __vitviz.drawn.count : image;
    window.__latency = new Promise((done) => {
        addEventListener(kind, (event) => {
            const before = seen();
            const look = () => {
                if (seen() === before) return requestAnimationFrame(look);
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => done(performance.now() - event.timeStamp);
                port2.postMessage(0);
            };
            requestAnimationFrame(look);
        }, { capture: true, once: true });
    });
}"""


def main() -> None:
    """All of it, in one run."""
    print(machine())
    report = Report()
    parts = sys.argv[1:] or ["hand", "traffic", "coding"]
    path = chromium.find()
    if path is None:
        print(chromium.MISSING)
        return
    with serve() as server:
        with chromium.launched(path) as browser:
            if "hand" in parts:
                for model in MODELS:
                    _hand(report, _tab(browser, server), model)
            if "traffic" in parts:
                _traffic(report, _tab(browser, server))
        if "traffic" in parts:
            asyncio.run(_rerun(report, server))
    if "coding" in parts:
        _coding(report)
    report.close()


def _tab(browser: Browser, server: Server) -> Page:
    context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 1700})
    for script in (CLOCK_WEBSOCKETS, COUNT_BYTES):
        context.add_init_script(script)
    return context.new_page()


def _hand(report: Report, page: Page, model: str) -> None:
    report.section(f"Event to painted frame, {model}: {TURNS} events each, median and 90th percentile in ms")
    open_page(page, f"/heads?model={model}")
    page.wait_for_function("() => globalThis.__vitviz?.drawn?.count > 0", timeout=300_000)
    settled(page, patience=300)
    box = page.locator("[data-area=picture]").bounding_box()
    assert box is not None
    picture = page.locator("[data-area=picture]")
    steps = {
        "hover": ("pointermove", lambda i: page.mouse.move(*_inside(box, 0.11 * i, 0.17 * i))),
        "head": ("keydown", lambda i: picture.press("h")),
        "layer": ("keydown", lambda i: picture.press("l")),
    }
    drawing: list[float] = []
    medians: dict[str, float] = {}
    for name, (kind, act) in steps.items():
        times = []
        for i in range(TURNS):
            times.append(_timed(page, kind, "explorer", act, i))
            drawing.append(page.evaluate("() => __vitviz.drawn.took"))
        _say(report, name, times, 33)
        medians[name] = median(times)
    _say(report, "drawing itself", drawing, 4)
    page.get_by_text("The exact view").click()
    page.locator(".st-key-heads_matrix .hm image").first.wait_for(state="attached", timeout=60_000)
    settled(page, patience=120)
    slider = page.get_by_test_id("stSlider").get_by_role("slider", name="Head")
    times = []
    for i in range(12):
        key = "ArrowRight" if i % 4 < 2 else "ArrowLeft"
        times.append(_timed(page, "keydown", "server", lambda _, key=key: slider.press(key), i))
        settled(page, patience=120)
    report.note("the same, drawn by the server with Plotly in a fragment", median(times), _spread(times), " ms")
    report.at_least(
        "times faster than the server-drawn view", median(times) / medians["head"], 6, "medians, a change of head"
    )


def _inside(box: FloatRect, x: float, y: float) -> tuple[float, float]:
    """A place in a box; whole numbers are its left and upper edges."""
    return box["x"] + box["width"] * (0.02 + x % 1 * 0.96), box["y"] + box["height"] * (0.02 + y % 1 * 0.96)


def _timed(page: Page, kind: str, what: str, act, i: int) -> float:  # type: ignore[no-untyped-def]
    page.evaluate(TIME_NEXT, [kind, what])
    act(i)
    return float(page.evaluate("() => window.__latency"))


def _say(report: Report, name: str, times: list[float], limit: float) -> None:
    report.at_most(name, median(times), limit, _spread(times), " ms")


def _spread(times: list[float]) -> str:
    return f"90th percentile {quantiles(times, n=10)[-1]:.0f} ms, {len(times)} times"


def _traffic(report: Report, page: Page) -> None:
    report.section(f"Messages and bytes, {BASE}")
    open_page(page, f"/heads?model={BASE}")
    settled(page, patience=120)
    page.wait_for_timeout(1000)
    first = page.evaluate("() => __wire.received")
    report.at_least("BertViz' page / bytes until all is there", BERTVIZ_PAGE / first, 40, f"{first:,} bytes received")
    box = page.locator("[data-area=picture]").bounding_box()
    assert box is not None
    before = page.evaluate("() => __wire.sent")
    for i in range(120):
        page.mouse.move(*_inside(box, i / 120, i / 360))
    settled(page)
    report.at_most("messages after 120 pointer moves", page.evaluate("() => __wire.sent") - before, 2, "told at rest")
    times = []
    for _ in range(7):
        page.get_by_test_id("stMain").get_by_role("link", name="←").click()
        settled(page)
        page.evaluate("() => { __vitviz.drawn = undefined; }")
        page.evaluate(
            """() => addEventListener("click", (event) => {
                window.__back = new Promise((done) => {
                    const look = () => {
                        if (!__vitviz.drawn) return requestAnimationFrame(look);
                        done(performance.now() - event.timeStamp);
                    };
                    look();
                });
            }, { capture: true, once: true })"""
        )
        page.get_by_test_id("stMain").get_by_role("link", name="→").click()
        times.append(float(page.evaluate("() => window.__back")))
        settled(page)
    _say(report, "coming back to the page", times, 300)


async def _rerun(report: Report, server: Server) -> None:
    async with visitors(server.url, 1) as (visitor,):
        await visitor.open()
        for _ in range(3):
            page = await visitor.run("heads", f"model={BASE}")
        why = f"{page.nbytes:,} B with the rest of the page, sidebar and menu"
        sent = page.nbytes_of["bidi_component"]
        report.at_most("bytes of a rerun with unchanged data, of the explorer", sent, 3000, why, " B")


def _coding(report: Report) -> None:
    report.section("The code of attention weights")
    config = PRESETS[BASE]
    model = ViT(config).eval().requires_grad_(False)
    image = torch.randn(1, 3, config.image_size, config.image_size)

    @torch.no_grad()
    def plain() -> object:
        return model(image)

    samples = interleaved({"plain": plain, "coded": lambda: quantised_forward(model, image)}, 9)
    why = f"{BASE}, CPU time, paired; the trace recorded, too"
    report.at_most("forward + all maps coded / plain forward pass", ratio(samples, "coded", "plain"), 1.10, why)
    loaded = load("demo")
    from vitviz.ui.sidebar.samples import first

    for name, trace in (
        (BASE, record(model, image)),
        ("demo", record(loaded.model, loaded.preprocess(open_image(first().data)))),
    ):
        worst, total = _fidelity(trace)
        report.at_most(f"largest total variation of a row, {name}", worst, 0.01, "against fp32, all rows")
        report.at_most(f"largest |row sum - 1|, {name}", total, 1e-6, "as the browser decodes them")


def _fidelity(trace: Trace) -> tuple[float, float]:
    worst = total = 0.0
    for layer in range(trace.config.depth):
        rows = dequantise(quantised_layer(trace, layer))
        apart = np.abs(rows - attention_weights(trace, layer)).sum(axis=-1) / 2
        worst = max(worst, float(apart.max()))
        total = max(total, float(np.abs(rows.astype(np.float32).sum(axis=-1, dtype=np.float64) - 1).max()))
    return worst, total


if __name__ == "__main__":
    main()
