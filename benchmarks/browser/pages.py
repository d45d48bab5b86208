"""Every page by itself, from the click in the menu: its first words, and when it is complete, at first and again."""

from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest
from benchmarks.report import Report
from tests.browser.probe import tab
from tests.browser.server import serve
from tests.browser.watch import open_page, settled
from vitviz.page import Page as Entry
from vitviz.pages import FIRST, PAGES

SERVERS = 3  # each has computed nothing when a page is opened at first
SCENE, OTHER = 250, 400  # ms

# Clicks a link; notes when the page of the stem has its title, or its scene a frame, and when something says what it
# waits for; both stay 0 where that never comes.
CLICK = """([stem, address, scene]) => {
    const since = performance.now();
    const found = globalThis.__opened = { since, words: 0, waits: 0 };
    const there = () => scene ? __vitviz_drawn.page === address : document.querySelector(`.st-key-page-${stem} h1`);
    const look = () => {
        if (globalThis.__opened !== found) return;
        const now = performance.now() - since;
        if (!found.words && there()) found.words = now;
        if (!found.waits && document.querySelector("[data-testid=stSpinner]")) found.waits = now;
        requestAnimationFrame(look);
    };
    document.querySelector(".st-key-board-place [data-testid=stBidiComponentIsolated]").shadowRoot
        .querySelector(`.strip a[data-stem="${address}"]`).click();
    look();
}"""


def measure(report: Report, browser: Browser) -> None:
    """All pages in the order of the walk, on servers that have just started; then once more."""
    report.section(f"Every page, from the click; medians of {SERVERS} servers that had computed nothing")
    at_first: dict[str, list[tuple[float, float, float]]] = {}
    again: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(SERVERS):
        with serve() as server, tab(browser, server, reduced_motion="reduce") as page:
            open_page(page)
            at_rest(page)
            for found in (at_first, again):
                for entry in [*list(PAGES.values())[1:], FIRST]:
                    found.setdefault(entry.stem, []).append(_opened(page, entry))
    for stem, times in at_first.items():
        words, waits, complete = (median(it[at] for it in times) for at in range(3))
        _, _, later = (median(it[at] for it in again[stem]) for at in range(3))
        said = f", what it waits for after {waits:.0f}" if waits else ""
        why = f"first words after {words:.0f} ms{said}; again {later:.0f} ms"
        report.at_most(f"{stem}, complete", complete, SCENE if PAGES[stem].on_board else OTHER, why, " ms")


def _opened(page: Page, entry: Entry) -> tuple[float, float, float]:
    """ms to the first words of the page, to a word of what it waits for, if it says one, and to its last change."""
    page.evaluate(CLICK, [entry.stem, entry.address, entry.on_board])
    settled(page)
    page.wait_for_timeout(150)
    words, waits, last = page.evaluate(
        "() => [__opened.words, __opened.waits, Math.max(0, __probe.changed - __opened.since)]"
    )
    return words, waits, last
