"""Every page that has something to take away: its menu opens, an entry is pressed, and what comes is opened."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.frame import open_board, rest
from tests.browser.watch import TIMEOUT_MS
from tests.unit.takeaway.opening import opened
from vitviz.pages import PAGES
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.file import File

CHAPTER_TIMEOUT_MS = 3 * TIMEOUT_MS  # the numbers of all its pages are made for it

TAKEN = [it for it in PAGES.values() if it.stem in CALCULATIONS]
NAMES = {
    "PNG": "png",
    "SVG": "svg",
    "Data (.npz)": "npz",
    "Data (.csv)": "csv",
    "Notebook": "notebook",
    "Chapter as a notebook": "chapter",
    "Offline file: heads": "file",
    "Offline file: heads, with the model": "file_weights",
    "Cite": "cite",
}


@pytest.mark.long
def test_what_is_pressed_comes_and_opens(calm: Page) -> None:
    """One entry of each page, each kind in its turn; tests/pages/takeaway/test_every_entry.py has all of all pages."""
    open_board(calm, "/")
    pressed: list[str] = []
    for entry in TAKEN:
        if entry.stem != "overview":
            if not entry.on_board:
                calm.locator(".strip summary").click()
            calm.locator(f'.strip a[data-stem="{entry.address}"]').click()
            rest(calm)
        calm.keyboard.press("t")
        menu = calm.locator(".takes")
        expect(menu).to_be_visible()
        offered = [it for it in menu.get_by_role("button").all_inner_texts() if it in NAMES]
        assert {"Data (.npz)", "Notebook", "Cite"} <= {*offered}, entry.stem
        pressed.append(min(offered, key=pressed.count))
        press(menu, pressed[-1], entry.stem)
        calm.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    assert {*pressed} == {*NAMES}


def press(menu: Locator, name: str, stem: str) -> None:
    """Press an entry, and open what comes."""
    what, button = NAMES[name], menu.get_by_role("button", name=name, exact=True)
    if what == "cite":  # is copied, and shown
        button.click()
        expect(menu.get_by_role("textbox")).to_have_value(re.compile("@misc{"))
        return
    with menu.page.expect_download(timeout=CHAPTER_TIMEOUT_MS) as download:
        button.click()
    taken = download.value.suggested_filename
    assert stem in taken or what in ("chapter", "file", "file_weights"), taken
    expect(menu.get_by_role("status")).to_contain_text(taken)
    opened(what, File(taken, "", download.value.path().read_bytes()))
