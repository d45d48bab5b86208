"""Every page in Chromium, light and dark: something to see, nothing wrong, and readable for everybody."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import watched
from tests.browser.pages import STEMS, path_of
from tests.browser.server import Server
from tests.browser.watch import context_of, open_page, violations

SCREENS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 720}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
}


@pytest.fixture(scope="module", params=SCREENS)
def screen(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One visitor for all pages on one kind of screen: the browser keeps Streamlit's scripts between pages."""
    with context_of(browser, server.url, **SCREENS[request.param]) as context:
        yield context


@pytest.mark.parametrize("stem", STEMS)
def test_page_is_whole_and_accessible(screen: BrowserContext, server: Server, stem: str) -> None:
    with watched(screen, server.url) as page:
        open_page(page, path_of(stem))
        assert page.locator("h1").count() == 1
        assert page.get_by_test_id("stException").all_inner_texts() == []
        assert violations(page) == []
        assert _overflow(page) <= 0, "the page is wider than the screen"


def _overflow(page: Page) -> float:
    """Pixels by which the main part is wider than what is shown of it."""
    pixels: float = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    return pixels
