"""Every page in Chromium, light and dark: something to see, nothing wrong, and readable for everybody."""

import pytest

from tests.browser.pages import STEMS, path_of
from tests.browser.watch import open_page, violations

SCREENS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 720}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 720}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
}


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("screen", SCREENS)
def test_page_is_whole_and_accessible(visit, stem, screen):
    page = visit(**SCREENS[screen])
    open_page(page, path_of(stem))
    assert page.locator("h1").count() == 1
    assert page.get_by_test_id("stException").all_inner_texts() == []
    assert violations(page) == []
    assert _overflow(page) <= 0, "the page is wider than the screen"


def _overflow(page):
    """Pixels by which the main part is wider than what is shown of it."""
    return page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
