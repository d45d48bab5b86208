"""Every page in Chromium, light, dark and on a phone: something to see that stays in its place, nothing wrong, and
readable for everybody.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import watched
from tests.browser.frame import rest
from tests.browser.pages import STEMS, path_of
from tests.browser.probe import MOST_SHIFT, PROBE
from tests.browser.server import Server
from tests.browser.watch import answered, context_of, open_page, violations
from vitviz.ui.board.scenes import SCENES

SCREENS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 720}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
}
DRAWERS = {"formula": "f", "code": "x", "details": "d"}  # and their keys


@pytest.fixture(scope="module", params=SCREENS)
def screen(request: Any, browser: Any, server: Server) -> Any:
    """One visitor for all pages on one kind of screen: the browser keeps Streamlit's scripts between pages."""
    with context_of(browser, server.url, **SCREENS[request.param]) as context:
        context.add_init_script(PROBE)
        yield context


@pytest.mark.parametrize("stem", STEMS)
def test_page_is_whole_and_accessible(screen: Any, server: Server, stem: Any) -> None:
    with watched(screen, server.url) as page:
        open_page(page, path_of(stem))
        rest(page)
        assert page.evaluate("() => __probe.shift") <= MOST_SHIFT
        expect(page.locator("h1:visible")).to_have_count(1)
        assert page.get_by_test_id("stException").all_inner_texts() == []
        assert violations(page) == []
        assert _overflow(page) <= 0, "the page is wider than the screen"


@pytest.mark.parametrize("stem", SCENES)
def test_an_open_drawer_is_whole_and_accessible(screen: Any, server: Server, stem: Any) -> None:
    with watched(screen, server.url) as page:
        drawers = [*DRAWERS] * 2
        first = [*SCENES].index(stem) % len(DRAWERS)  # by a link; the others by their keys
        for drawer in drawers[first : first + len(DRAWERS)]:
            if drawer == drawers[first]:
                open_page(page, path_of(f"{stem}?open={drawer}"))
            else:
                with answered(page):
                    page.keyboard.press(DRAWERS[drawer])
            assert f"open={drawer}" in page.url
            expect(page.locator(".st-key-drawer")).to_be_visible()
            assert page.get_by_test_id("stException").all_inner_texts() == []
            assert _overflow(page) <= 0, f"{drawer} is wider than the screen"
            if drawer == "details":
                assert violations(page) == []


def _overflow(page: Page) -> Any:
    """Pixels by which the main part, the board or a drawer is wider than what is shown of it."""
    wider = "all => Math.max(...all.map((it) => it.scrollWidth - it.clientWidth))"
    return page.locator("[data-testid=stMain], .board, .st-key-drawer").evaluate_all(wider)
