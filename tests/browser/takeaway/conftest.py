"""A browser without a network, in which files that were taken away are opened."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page


@pytest.fixture
def offline(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """A function that opens the text of a file without a network.

    It must ask for nothing, and complain of nothing, unless it `complains`.
    """
    path, asked, complaints = tmp_path / "file.html", set[str](), list[str]()
    with ExitStack() as stack:

        def show(text: str, complains: bool = False, **options: Any) -> Page:
            path.write_text(text, encoding="utf-8")
            usual = {"viewport": {"width": 1280, "height": 720}}
            page = stack.enter_context(browser.new_context(offline=True, **usual | options)).new_page()
            page.on("request", lambda request: asked.add(request.url))
            if not complains:
                page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(path.as_uri())
            return page

        yield show
    assert {url for url in asked if not url.startswith("blob:")} == {path.as_uri()}
    assert complaints == []
