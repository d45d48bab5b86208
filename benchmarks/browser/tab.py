"""A visitor's tab with a probe in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.report import Report
from tests.browser.server import Server
from tests.browser.watch import context_of, settled

PROBE = Path(__file__).with_name("probe.js").read_text()
SCREEN = {"width": 1280, "height": 720}


@contextmanager
def tab(browser: Browser, server: Server, **options: Any) -> Iterator[Page]:
    """A page of a new visitor, which times and counts what happens on it."""
    with context_of(browser, server.url, **{"viewport": SCREEN, **options}) as context:
        context.add_init_script(PROBE)
        yield context.new_page()


def answered(page: Page, kind: str, act: Callable[[], object], stem: str | None = None) -> float | None:
    """ms from the event of this kind that `act` makes to the painted frame that answers it (and shows page `stem`)."""
    page.evaluate("([kind, stem]) => __probe.next(kind, stem ?? undefined)", [kind, stem])
    act()
    found: float | None = page.evaluate("() => __probe.answer")
    return found


def at_rest(page: Page) -> None:
    """Wait until nothing is under way, and nothing more is asked for."""
    page.wait_for_timeout(600)
    settled(page, patience=300)


def say(report: Report, name: str, times: list[float], limit: float) -> None:
    """The 90th percentile against its limit, and the median."""
    tenth = quantiles(times, n=10, method="inclusive")[-1]
    report.at_most(name, tenth, limit, f"90th percentile; median {median(times):.0f} ms of {len(times)}", " ms")
