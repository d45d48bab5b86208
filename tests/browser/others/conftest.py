"""A tab in each of the other browsers, one after the other, for all tests of this folder."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.browser.others.tab import Tab
from tests.browser.server import Server


@pytest.fixture(scope="session", params=["firefox", "webkit"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a browser keeps what it prints and downloads; it is named after the browser."""
    return tmp_path_factory.mktemp(request.param, numbered=False)


@pytest.fixture(scope="session")
def tab(folder: Path, server: Server) -> Iterator[Tab]:
    """A tab of the browser; at the end no page must have complained."""
    browser = import_module(f"tests.browser.others.{folder.name}")
    if lacks := browser.missing():
        pytest.skip(f"{lacks}; `make test` installs one as root on Debian")
    with browser.launched(folder) as driver:
        tab = Tab(driver, server.url)
        tab.size(1280, 720)
        yield tab
        assert tab.complaints() == []
