"""A new layer on Heads: from the key to its exact weights, and how many scripts have run for it."""

from playwright.sync_api import Browser

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import tab
from tests.browser.server import Server
from tests.browser.watch import open_page

QUERIES = 6  # each in all layers
LAYERS = 6
WATCH = """() => {
    globalThis.__came = [];
    new PerformanceObserver((list) => {
        for (const { name, responseEnd } of list.getEntries()) if (/exact-/.test(name)) __came.push(responseEnd);
    }).observe({ type: "resource" });
    addEventListener("keydown", ({ timeStamp }) => { globalThis.__pressed = timeStamp; }, { capture: true });
}"""


def measure(report: Report, browser: Browser, server: Server) -> None:
    """Layer after layer, of one query after the other, so that none has been asked for before."""
    report.section(f"A new layer on Heads: {QUERIES} queries in {LAYERS} layers")
    times = []
    with tab(browser, server) as page:
        open_page(page, "/heads?query=40")
        at_rest(page)
        page.evaluate(WATCH)
        before = page.evaluate("() => __traffic.runs")
        for place in range(QUERIES * LAYERS):
            came = page.evaluate("() => __came.length")
            page.keyboard.press("l" if (place + 1) % LAYERS else "ArrowRight")
            page.wait_for_function("(came) => __came.length > came", arg=came)
            times.append(page.evaluate("() => __came.at(-1) - __pressed"))
            page.wait_for_timeout(100 + 37 * place % 500)
        runs = page.evaluate("() => __traffic.runs") - before
    say(report, "from the key to its exact weights", times, 60)
    report.at_most("scripts that run for it", runs, 0, f"{len(times)} keys")
