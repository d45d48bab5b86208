"""A site of static files, and a plain server of files that shows it below a path."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import watched
from vitviz.shelf.rows import SHELF
from vitviz.site.build import build, build_file

SIBLING = next(name for name in SHELF if "learned_2d" in name)
BELOW = "of/a/school"  # the path below which it is shown


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Plain:
    """A server of files that knows nothing of the site."""

    def __init__(self, folder: Path) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def plain(folder: Path) -> Iterator[Plain]:
    there = Plain(folder)
    try:
        yield there
    finally:
        there.stop()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the server shows; the site lies below it."""
    root = tmp_path_factory.mktemp("served")
    build(root / BELOW, ["demo", SIBLING], lambda _: None)
    return root


@pytest.fixture(scope="session")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that is one file."""
    return build_file(tmp_path_factory.mktemp("stick") / "vitviz.html", ["demo"], lambda _: None)


@pytest.fixture
def files(folder: Path) -> Iterator[Plain]:
    with plain(folder) as there:
        yield there


@pytest.fixture
def at_site(browser: Browser, files: Plain) -> Iterator[Page]:
    """A page of a new visitor, which asks no other host and complains of nothing."""
    context = browser.new_context(viewport={"width": 1366, "height": 625}, locale="en-US")
    with context, watched(context, files.url) as page:
        yield page
