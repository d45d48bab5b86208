"""The boxes of the overview lead to their pages and keep the view; all of it stands on a projector's screen."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.frame import drawn, open_board, rest, stem


@pytest.mark.parametrize("to", ["patch_grid", "heads", "class_head"])
def test_a_box_leads_to_its_page_with_the_same_picture(page: Page, to: Any) -> None:
    open_board(page, "/?sample=left&query=40")
    digest = drawn(page)["digest"]
    page.locator(f'.scene a[href$="{to}"]').first.click()
    rest(page)
    assert stem(page) == to
    assert {"sample=left", "query=40"} <= set(page.url.partition("?")[2].split("&"))
    assert drawn(page)["digest"] == digest


def test_the_first_screen_of_a_projector_holds_all_of_it(page: Any) -> None:
    open_board(page)
    box = page.locator(".count").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight - main.clientHeight") <= 0
