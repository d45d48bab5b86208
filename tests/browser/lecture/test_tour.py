"""The long lesson: offered on the front page, and walked from the first step to the last with one key."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import headline
from tests.browser.frame import open_board, rest
from tests.browser.lecture.leading import bar, go_on
from vitviz.lecture import LESSONS, lesson

TOUR = lesson(LESSONS[0])


def plain(text: str) -> str:
    return text.replace("{", "").replace("}", "")


@pytest.mark.long
def test_the_tour_is_walked_from_its_first_step_to_its_last(calm: Page) -> None:
    open_board(calm)
    calm.locator(".tour a").first.click()
    many = len(TOUR.steps)
    for at, step in enumerate(TOUR.steps, 1):
        bar(calm, f"Step {at} of {many}{' · The end' if at == many else ''}")
        expect(calm.locator(".sentence, .lecture-said").locator("visible=true")).to_have_text(plain(step.says))
        expect(calm.get_by_test_id("stToast")).to_have_count(0)
        if step.question:
            expect(calm.locator(".asked")).to_contain_text(step.question.asks)
            go_on(calm)
            rest(calm)
            expect(calm.locator(".asked.result")).to_be_visible()
            assert headline(calm) == plain(step.explains)
        if at < many:
            go_on(calm)
            rest(calm)
    rest(calm)
    assert f"lesson={TOUR.name}&step={many}" in calm.url
    calm.get_by_title("End the lesson").click()
    expect(calm.locator(".lecture-bar")).to_be_hidden()
    assert "lesson" not in calm.url
