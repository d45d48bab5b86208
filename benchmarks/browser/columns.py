"""What a second column costs: two beside each other against one, from one run in which they take turns."""

from statistics import median, quantiles

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page, settled

COLUMNS = {"one column": "", "with itself": "&b.model=demo", "with a sibling": "&b.model=shelf_relative_0"}
PAGE = "/heads?sample=left"
VISITS = 7  # of each, the first to warm up
RUNS = 25
PLACES = 40  # that the pointer visits
RATIO = 1.2

ASK = """(query) => {
    history.replaceState({}, "", location.href.replace(/&query=\\d+|$/, `&query=${query}`));
    __vitviz_inbox.push({ visit: location.pathname + location.search, entry: false });
}"""
DRAWN = "(two) => globalThis.__vitviz_drawn?.digest && Boolean(__vitviz_drawn.second) === two"
TOOK = "() => __probe.changed - __traffic.asked"


def measure(report: Report, browser: Browser, server: Server) -> None:
    """First paint and runs of the script, one column and two in turn; then the hand on two."""
    report.section(f"Two columns on Heads: {VISITS - 1} visits and {RUNS} runs of each in turn")
    paints: dict[str, list[float]] = {name: [] for name in COLUMNS}
    for turn in range(VISITS):
        for name, second in COLUMNS.items():
            with tab(browser, server, reduced_motion="reduce") as page:
                open_page(page, PAGE + second)
                page.wait_for_function(DRAWN, arg=bool(second))
                if turn:
                    paints[name].append(page.evaluate("() => __probe.changed"))
    _compare(report, "from the address to the complete page", paints)
    with tab(browser, server) as one, tab(browser, server) as same, tab(browser, server) as sibling:
        pages = dict(zip(COLUMNS, (one, same, sibling), strict=True))
        for name, page in pages.items():
            open_page(page, PAGE + COLUMNS[name])
            at_rest(page)
        runs: dict[str, list[float]] = {name: [] for name in COLUMNS}
        for turn in range(RUNS):
            for name, page in pages.items():
                runs[name].append(_run(page, 1 + (37 * turn) % 144))
        _compare(report, "a run of the script, from the question to the last change", runs)
        hands: dict[str, list[float]] = {"one": [], "two": []}
        for place in range(PLACES):
            hands["one"] += _point(one, place)
            hands["two"] += _point(sibling, place)
        alone = median(hands["one"]), quantiles(hands["one"], n=10, method="inclusive")[-1]
        report.note("the hand, one column", alone[0], f"median; 90th percentile {alone[1]:.0f} ms", " ms")
        say(report, "the hand on A, both columns and the difference", hands["two"], 33)


def _run(page: Page, query: int) -> float:
    page.evaluate(ASK, query)
    page.wait_for_timeout(20)
    settled(page)
    took: float = page.evaluate(TOOK)
    return took


def _compare(report: Report, what: str, times: dict[str, list[float]]) -> None:
    alone, *others = times
    report.note(what, median(times[alone]), f"median of {len(times[alone])}, {alone}", " ms")
    for name in others:
        why = f"median {median(times[name]):.0f} against {median(times[alone]):.0f} ms"
        report.at_most(f"{name} / {alone}", median(times[name]) / median(times[alone]), RATIO, why)


def _point(page: Page, place: int) -> list[float]:
    box = page.locator(".photo:not(.second) canvas").bounding_box()
    assert box
    x, y = box["x"] + (0.06 + 0.17 * place) % 1 * box["width"], box["y"] + (0.1 + 0.29 * place) % 1 * box["height"]
    time = answered(page, "pointermove", lambda: page.mouse.move(x, y))
    return [] if time is None else [time]
