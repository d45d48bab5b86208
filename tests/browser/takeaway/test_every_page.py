"""Every page that has something to take away: each entry of its menu is pressed, and what comes is opened."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.frame import open_board, rest
from tests.unit.takeaway.opening import opened
from vitviz.page import Page as Shown
from vitviz.pages import PAGES
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.file import File

TOGETHER = 3  # walks, which several workers take beside each other
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
TOO_LARGE = {("resolution", "csv"), ("five_shots", "csv")}  # a sentence says so, with the way out


@pytest.mark.long
@pytest.mark.parametrize("first", range(TOGETHER))
def test_what_is_pressed_comes_and_opens(calm: Page, first: int) -> None:
    open_board(calm, "/")
    for entry in TAKEN[first::TOGETHER]:
        if entry.stem != "overview":
            if not entry.on_board:
                calm.locator(".strip summary").click()
            calm.locator(f'.strip a[data-stem="{entry.address}"]').click()
            rest(calm)
        calm.keyboard.press("t")
        menu = calm.locator(".takes")
        expect(menu).to_be_visible()
        offered = [it for it in menu.get_by_role("button").all_inner_texts() if it in NAMES]
        assert {"Data (.npz)", "Notebook", "Cite"} <= {*offered}
        files = [file for name in offered if (file := press(menu, entry, name))]
        assert len(set(files)) == len(files), "two files of a page have one name"
        calm.keyboard.press("Escape")
        expect(menu).to_be_hidden()


def press(menu: Locator, entry: Shown, name: str) -> str:
    """Press an entry, and open what comes; the name of the file, "" where none is due."""
    what, button = NAMES[name], menu.get_by_role("button", name=name, exact=True)
    if (entry.stem, what) in TOO_LARGE:
        button.click()
        expect(menu.get_by_role("status")).to_contain_text("the limit is 25.0 MB; take the .npz")
        return ""
    if what == "cite":  # is copied, and shown
        button.click()
        expect(menu.get_by_role("textbox")).to_have_value(re.compile("@misc{"))
        return ""
    with menu.page.expect_download() as download:
        button.click()
    expect(menu.get_by_role("status")).to_contain_text(download.value.suggested_filename)
    opened(what, File(download.value.suggested_filename, "", download.value.path().read_bytes()))
    return str(download.value.suggested_filename)
