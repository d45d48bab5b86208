"""A first visit: how long until the first scene is whole, and what moves by itself on any page while it loads."""

from statistics import median

from playwright.sync_api import Browser

from benchmarks.report import Report
from tests.browser import chromium
from tests.browser.pages import STEMS, path_of
from tests.browser.probe import tab
from tests.browser.server import Server
from tests.browser.watch import open_page

VISITS = 5
SCREENS = {"1280 × 720": {"width": 1280, "height": 720}, "390 × 844": {"width": 390, "height": 844}}


def measure_first(report: Report, path: str, server: Server) -> None:
    """Browsers that start with nothing, one after the other."""
    report.section(f"First visit: {VISITS} browsers that have just started, with nothing kept")
    times = []
    for _ in range(VISITS):
        with chromium.launched(path) as browser, tab(browser, server, reduced_motion="reduce") as page:
            open_page(page)
            times.append(page.evaluate("() => __probe.changed"))
            received = page.evaluate(
                "() => performance.getEntriesByType('resource').reduce((sum, it) => sum + it.encodedBodySize, 0)"
            )
    why = f"median; slowest {max(times):,.0f} ms; {received:,} B of Streamlit's own scripts, fonts and styles"
    report.at_most("from the address to the complete first scene", median(times), 1300, why, " ms")


def measure_shifts(report: Report, browser: Browser, server: Server) -> None:
    """Every page as the first one of a visitor."""
    report.section("Layout shift score while a page loads")
    for screen, viewport in SCREENS.items():
        scores = {}
        for stem in STEMS:
            with tab(browser, server, viewport=viewport) as page:
                open_page(page, path_of(stem))
                page.wait_for_timeout(200)
                scores[stem] = page.evaluate("() => __probe.shift")
        largest = max(scores, key=lambda stem: scores[stem])
        report.at_most(f"largest of {len(scores)} pages, {screen}", scores[largest], 0.02, largest)
