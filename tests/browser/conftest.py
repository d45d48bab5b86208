"""One server and one browser for all tests of a worker, and visitors whom it forgets when they have gone."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import chromium
from tests.browser.server import Server, serve
from tests.browser.watch import TIMEOUT_MS, Watch, context_of, forget
from tests.offline import REFUSAL
from vitviz.images import open_image
from vitviz.samples import first
from vitviz.trace import Trace, record
from vitviz.weights import load


@pytest.fixture(scope="session")
def installed() -> str:
    """The path of the browser."""
    path = chromium.find(chromium.SHELL)
    if path is None:
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing(f"{chromium.MISSING}; `make test` installs one where it can")
    return path


@pytest.fixture(scope="session")
def browser(installed: str) -> Iterator[Browser]:
    expect.set_options(timeout=TIMEOUT_MS)
    with chromium.launched(installed) as browser:
        yield browser


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve() as server:
        yield server
        assert REFUSAL not in server.said(), f"the server tried to reach another machine:\n{server.said()}"


@contextmanager
def watched(context: BrowserContext, url: str) -> Iterator[Page]:
    """A page of `context`; at the end it must have asked no other host and complained of nothing.

    It is the one that `forget` left, if it did: what has been compiled there is not compiled again. What is added to it
    is taken away at the end.
    """
    left = context.pages[1:]
    page, watch = left[0] if left else context.new_page(), Watch(url)
    with ExitStack() as added, pytest.MonkeyPatch.context() as patch:
        listen, add = cast("Callable[..., None]", page.on), page.add_init_script

        def listen_so_long(event: str, call: Callable[..., object]) -> None:
            listen(event, call)
            added.callback(page.remove_listener, event, call)

        patch.setattr(page, "on", listen_so_long)
        patch.setattr(page, "add_init_script", lambda script: added.enter_context(add(script)))
        watch.observe(page)
        yield page
        if page.is_closed():
            added.pop_all()
        else:
            page.unroute_all(behavior="ignoreErrors")
    assert watch.foreign == []
    assert watch.complaints == []


@pytest.fixture(scope="session")
def lend(browser: Browser) -> Iterator[Callable[..., AbstractContextManager[BrowserContext]]]:
    """A function that lends the browser of a new visitor, which others had before: it has forgotten them.

    What it has loaded stays, so that a page costs less than it costs a newcomer.
    """
    with ExitStack() as stack:
        resting: dict[str, list[BrowserContext]] = {}

        @contextmanager
        def lent(url: str, **options: Any) -> Iterator[BrowserContext]:
            alike = resting.setdefault(repr((url, sorted(options.items()))), [])
            if alike:
                context = alike.pop()
            else:
                context = stack.enter_context(context_of(browser, url, **options))
                context.new_page()  # stays, for `forget`
            yield context
            context.set_offline(False)
            context.clear_permissions()
            if permissions := options.get("permissions"):  # to grant none is to refuse all
                context.grant_permissions(permissions)
            forget(context, url)
            alike.append(context)

        yield lent


@pytest.fixture
def visit(lend: Callable[..., AbstractContextManager[BrowserContext]], server: Server) -> Iterator[Callable[..., Page]]:
    """A function that makes a watched page for a new visitor: `visit(color_scheme="dark")`."""
    with ExitStack() as stack:

        def open_tab(url: str = server.url, **options: object) -> Page:
            return stack.enter_context(watched(stack.enter_context(lend(url, **options)), url))

        yield open_tab


@pytest.fixture
def calm(visit: Callable[..., Page]) -> Page:
    """A page of a visitor who asked for less motion: a walk whose fact is no motion costs half of it there."""
    return visit(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """A page on an ordinary laptop."""
    return visit(viewport={"width": 1280, "height": 720})


@pytest.fixture(scope="module")
def visitor(lend: Callable[..., AbstractContextManager[BrowserContext]], server: Server) -> Iterator[BrowserContext]:
    """A visitor on an ordinary laptop, who stays for all tests of a file."""
    with lend(server.url, viewport={"width": 1280, "height": 720}) as context:
        yield context


@pytest.fixture
def stays(visitor: BrowserContext, server: Server) -> Iterator[Page]:
    """Their page: of tests whose fact is no first visit, each goes on where the one before was, and loads nothing."""
    with watched(visitor, server.url) as page:
        yield page


@pytest.fixture(scope="session")
def trace() -> Trace:
    """The forward pass of the demo model on the first sample, which the board shows first."""
    loaded = load("demo")
    return record(loaded.model, loaded.preprocess(open_image(first().data)))
