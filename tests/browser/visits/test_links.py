"""What Chromium makes of a stranger's words in a link: no link of theirs, and every word that was to be said."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.watch import open_page


@pytest.mark.parametrize(
    "words", ["www.evil.example click here", "https://evil.example", "a@evil.example", "[x](//evil.example)", "_evil_"]
)
def test_a_word_about_a_link_holds_no_link(page: Page, words: str) -> None:
    open_page(page, f"/heads?layer=inf&head=99&query={words}")
    toasts = page.get_by_test_id("stToast")
    expect(toasts).to_have_count(1)
    assert toasts.locator("a, em, strong, code").count() == 0
    for asked in ("layer “inf”", "head “99”", "query “"):
        expect(toasts.filter(has_text=asked)).to_have_count(1)
