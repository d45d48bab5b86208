"""One server and one browser for all browser tests; a context of its own, watched, for each."""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.server import Server, serve
from tests.browser.watch import CLOCK_WEBSOCKETS, Watch
from tests.offline import REFUSAL


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing(f"{chromium.MISSING}; `make test` installs one where it can")
    with chromium.launched(path) as browser:
        yield browser


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve() as server:
        yield server
        assert REFUSAL not in server.said(), f"the server tried to reach another machine:\n{server.said()}"


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """A function that makes a page in a new context, `visit(color_scheme="dark")`; blameless at the end of the test."""
    visits = []

    def open_tab(url: str = server.url, **options: object) -> Page:
        context = browser.new_context(base_url=url, **options)
        context.set_default_timeout(20_000)
        context.add_init_script(CLOCK_WEBSOCKETS)
        watch = Watch(url)
        watch.observe(context)
        visits.append((context, watch))
        return context.new_page()

    yield open_tab
    watches = [watch for context, watch in visits if context.close() is None]
    assert [watch.foreign for watch in watches if watch.foreign] == []
    assert [watch.complaints for watch in watches if watch.complaints] == []


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """A page of an ordinary laptop."""
    return visit(viewport={"width": 1280, "height": 720})
