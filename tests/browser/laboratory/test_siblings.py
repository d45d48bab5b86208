"""A sibling is put on screen by a click, and the way back is exact; nothing moves while a row is pointed at."""

from playwright.sync_api import Page, expect

from tests.browser.board import headline
from tests.browser.watch import open_page, settled


def test_a_click_on_a_row_puts_the_sibling_on_screen(page: Page) -> None:
    open_page(page, "/siblings")
    page.locator("figure text", has_text="No positions").click()
    page.wait_for_url("**/position_embedding?*moment=similarity*")
    settled(page)
    assert "model=shelf_none_0" in page.url
    assert headline(page) == "2 of 4 Without positions no place is like or unlike another."
    page.go_back()
    page.wait_for_url("**/siblings")
    expect(page.get_by_role("heading", name="Siblings")).to_be_visible()


def test_a_link_puts_the_demo_beside_a_sibling_and_pointing_moves_nothing(page: Page) -> None:
    open_page(page, "/siblings")
    link = page.locator("tr[data-row=shelf_relative_0] a", has_text="demo")
    link.scroll_into_view_if_needed()
    before = link.bounding_box()
    link.hover()
    expect(page.locator("figure").get_by_role("status").first).to_contain_text("Relative positions: things 0.9")
    assert link.bounding_box() == before
    link.click()
    page.wait_for_url("**/heads?model=shelf_relative_0&b.model=demo")
