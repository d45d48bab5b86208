"""A visitor's tab with a probe in it: when answers were painted, what moved by itself, and what was gone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.server import Server
from tests.browser.watch import context_of

PROBE = Path(__file__).with_name("probe.js").read_text()
MOST_SHIFT = 0.02  # of the browser's layout shift score; 0.1 is called good
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
