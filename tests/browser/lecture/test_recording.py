"""Views that are kept on a walk become a file that the app reads as a lesson."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.frame import open_board, rest, turn
from vitviz.lecture import read_lesson


def test_views_are_kept_deleted_and_written_as_a_lesson(page: Page, tmp_path: Path) -> None:
    open_board(page, "/heads?sample=left&record=yes")
    page.keyboard.press("l")
    rest(page)
    page.keyboard.press("k")
    expect(page.get_by_label("What is said at step 1")).to_be_focused()
    page.keyboard.type('Layer two "sees" a {patch} \\ more.')
    page.keyboard.press("Enter")
    turn(page, "PageDown")
    page.keyboard.press("k")
    expect(page.get_by_label("What is said at step 2")).to_be_focused()
    page.keyboard.press("Escape")
    page.locator('.strip a[data-stem="depth"]').click()
    rest(page)
    page.get_by_role("button", name="Keep this view").click()
    page.get_by_role("button", name="Delete step 2").click()
    page.reload()
    page.get_by_role("button", name="2 views").click()
    page.get_by_role("textbox", name="Title").fill("Two layers")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the lesson").click()
    download.value.save_as(tmp_path / "lesson.toml")
    lesson = read_lesson((tmp_path / "lesson.toml").read_bytes())
    assert lesson.title == "Two layers"
    first, second = lesson.steps
    assert (first.view.address, first.says) == ("heads?sample=left&layer=2", 'Layer two "sees" a {patch} \\ more.')
    assert second.view.address == "depth?sample=left&layer=2"
    assert second.says
    expect(page.locator(".headline")).not_to_have_text(first.says)
