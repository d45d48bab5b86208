"""A change of the page: when the board moves, when the page is complete, and what is gone or shifts meanwhile."""

from itertools import pairwise

from playwright.sync_api import Browser, Page

from benchmarks.browser.times import at_rest, say
from benchmarks.report import Report
from tests.browser.probe import answered, tab
from tests.browser.server import Server
from tests.browser.watch import open_page, settled
from vitviz.pages import PAGES

ROUNDS = 3  # the first of them to warm up


def measure(report: Report, browser: Browser, server: Server) -> None:
    """All pages by clicks, those with a scene by keys as well; without motion, which would not be complete."""
    report.section(f"A change of the page, warm: {ROUNDS - 1} rounds over all pages")
    moved: dict[str, list[float]] = {"click": [], "key": []}
    complete: dict[bool, list[float]] = {True: [], False: []}
    shifts: dict[str, float] = {}
    with tab(browser, server, reduced_motion="reduce") as page:
        open_page(page)
        at_rest(page)
        stems = [entry.address for entry in PAGES.values()]
        with_scene = [entry.address for entry in PAGES.values() if entry.on_board]
        for turn in range(ROUNDS):
            ways = [("click", stem) for stem in stems]
            for before, after in pairwise(with_scene):
                ways += [("click", after), ("PageUp", before), ("PageDown", after)]
            for way, stem in ways:
                page.evaluate("() => { __probe.shift = 0; }")
                if stem == page.evaluate("() => __vitviz_drawn.page"):
                    continue
                first = _go(page, way, stem)
                settled(page)
                last = page.evaluate("() => __probe.changed - __probe.began")
                shifts[stem] = max(shifts.get(stem, 0), page.evaluate("() => __probe.shift"))
                page.wait_for_timeout(250)
                if turn and first is not None:
                    moved["click" if way == "click" else "key"].append(first)
                    complete[stem in with_scene].append(last)
        gone = page.evaluate("() => __probe.without")
    for way, times in moved.items():
        say(report, f"{way} to the first frame of the new page", times, 33)
    say(report, "click or key to the complete page, scenes", complete[True], 250)
    say(report, "click to the complete page, the others", complete[False], 400)
    report.at_most("frames without the strip", gone["strip"], 0, "all pages")
    largest = max(shifts, key=lambda stem: shifts[stem])
    report.at_most("largest layout shift score of a change", shifts[largest], 0.02, largest or "overview")


def _go(page: Page, way: str, stem: str) -> float | None:
    link = page.locator(f'.strip a[data-stem="{stem}"]')
    if way != "click":
        return answered(page, "keydown", lambda: page.keyboard.press(way), stem)
    if not link.is_visible():
        page.locator(".strip summary").click()
    box = link.bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    return answered(page, "click", lambda: page.mouse.click(*middle), stem)
