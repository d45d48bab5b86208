"""The cards of the overview lead to their pages and keep the view."""

import pytest
from playwright.sync_api import Page

from tests.browser.watch import open_page, settled


@pytest.mark.parametrize(
    ("card", "link", "address"),
    [("patches", "", "/patch_grid?"), ("attention", "Heads", "/heads?"), ("head", "", "/class_head?")],
)
def test_a_card_leads_to_its_page_with_the_same_picture(page: Page, card: str, link: str, address: str) -> None:
    open_page(page, "/?sample=left")
    where = page.locator(f".st-key-stage-{card}")
    (where.get_by_role("link", name=link) if link else where).click()
    page.wait_for_url(f"**{address}*")
    settled(page)
    assert "sample=left" in page.url


def test_the_first_screen_of_a_projector_holds_all_cards(page: Page) -> None:
    open_page(page)
    box = page.locator(".st-key-architecture").bounding_box()
    assert box
    assert page.viewport_size
    assert box["y"] + box["height"] <= page.viewport_size["height"]
