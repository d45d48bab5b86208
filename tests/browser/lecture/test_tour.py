"""The long lesson: offered on the front page, and walked from the first step to the last with one key."""

from playwright.sync_api import Page, expect

from tests.browser.board import headline
from tests.browser.frame import open_board, rest
from tests.browser.lecture.leading import bar, go_on
from vitviz.lecture import LESSONS, lesson

TOUR = lesson(LESSONS[0])


def plain(text: str) -> str:
    return text.replace("{", "").replace("}", "")


def test_the_tour_is_walked_from_its_first_step_to_its_last(page: Page) -> None:
    open_board(page)
    page.locator(".tour a").first.click()
    many = len(TOUR.steps)
    for at, step in enumerate(TOUR.steps, 1):
        bar(page, f"Step {at} of {many}{' · The end' if at == many else ''}")
        expect(page.locator(".sentence, .lecture-said").locator("visible=true")).to_have_text(plain(step.says))
        expect(page.get_by_test_id("stToast")).to_have_count(0)
        if step.question:
            expect(page.locator(".asked")).to_contain_text(step.question.asks)
            go_on(page)
            rest(page)
            expect(page.locator(".asked.result")).to_be_visible()
            assert headline(page) == plain(step.explains)
        if at < many:
            go_on(page)
            rest(page)
    rest(page)
    assert f"lesson={TOUR.name}&step={many}" in page.url
    page.get_by_title("End the lesson").click()
    expect(page.locator(".lecture-bar")).to_be_hidden()
    assert "lesson" not in page.url
