"""Every page that has something to take away: its menu is opened by its key, an entry pressed, and what comes opened.

Each page has another entry pressed than the one before it; all entries of all pages are asked for without a browser in
tests/pages/takeaway/test_every_entry.py.
"""

from playwright.sync_api import Page, expect

from tests.browser.frame import open_board, rest
from tests.unit.takeaway.opening import opened
from vitviz.lecture.chapters import ENTRIES
from vitviz.takeaway.kinds import KINDS
from vitviz.takeaway.taken import Taken
from vitviz.ui.board.scenes import SCENES

NAMES = {
    "png": "PNG",
    "svg": "SVG",
    "npz": "Data (.npz)",
    "csv": "Data (.csv)",
    "notebook": "Notebook",
    "chapter": "Chapter as a notebook",
    "file": "Offline file: heads",
    "file_weights": "Offline file: heads, with the model",
}
TOO_LARGE = ("resolution", "five_shots")  # as a spreadsheet, which a sentence says


def test_what_is_pressed_comes_and_opens(page: Page) -> None:
    open_board(page, "/")
    pressed = set()
    for number, entry in enumerate(it for it in ENTRIES if it.stem in KINDS):
        if entry.stem != "overview":
            if entry.stem not in SCENES:
                page.locator(".strip summary").click()
            page.locator(f'.strip a[data-stem="{entry.address}"]').click()
            rest(page)
        page.keyboard.press("t")
        menu = page.locator(".takes")
        expect(menu).to_be_visible()
        offered = menu.get_by_role("button").all_inner_texts()
        there = [it for it, name in NAMES.items() if name in offered and (it != "csv" or entry.stem not in TOO_LARGE)]
        what = there[number % len(there)]
        with page.expect_download() as download:
            menu.get_by_role("button", name=NAMES[what], exact=True).click()
        expect(menu.get_by_role("status")).to_contain_text("is in your downloads")
        opened(what, Taken(download.value.suggested_filename, "", download.value.path().read_bytes()))
        pressed.add(what)
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    assert pressed == NAMES.keys()
