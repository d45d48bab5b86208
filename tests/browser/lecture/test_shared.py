"""What the lecturer has brought: a picture, which followers see when told so, and a lesson, which any tab finds."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.board import headline
from tests.browser.frame import open_board
from tests.browser.lecture.leading import bar
from tests.browser.lecture.test_lecturer import opened, opened_here, press
from tests.browser.visits.test_class import bring, crop
from tests.browser.visits.test_class import photo as photo  # a fixture
from tests.browser.watch import open_page, settled
from vitviz.images import digest
from vitviz.ui.lecture.own import BEGINS, LETTERS

OWN = b"""
title = "Mine"
[[step]]
view = "heads?layer=2"
says = "This is the second layer."
[[step]]
view = "heads?layer=3"
says = "And this is the third one."
"""
NAME = BEGINS + digest(OWN)[:LETTERS]


def test_all_see_the_lecturers_own_picture_as_long_as_it_is_shared(visit: Callable[..., Page], photo: Any) -> None:
    window, student = visit(), visit()
    code = opened(window, 1)
    board = window.context.new_page()
    open_board(board, f"/?room={code}")
    bring(board, photo)
    crop(board)
    open_board(student, f"/?room={code}")
    sample = crop(student)
    press(window, "Show my picture to all")
    student.wait_for_url(re.compile("picture=[0-9a-f]{64}-[A-Za-z0-9_-]{32}"))
    student.wait_for_function("before => __vitviz_drawn.digest !== before", arg=sample)
    press(window, "Take my picture back")
    student.wait_for_url(lambda url: "picture=" not in url)
    student.wait_for_function("before => __vitviz_drawn.digest === before", arg=sample)


def test_a_lesson_of_ones_own_is_given_from_tabs_that_never_saw_its_file(page: Page) -> None:
    open_page(page, "/lecture")
    page.locator(".st-key-lesson_file input[type=file]").set_input_files(
        {"name": "mine.toml", "mimeType": "application/toml", "buffer": OWN}
    )
    expect(page.locator(f".st-key-lesson-{NAME}")).to_be_visible()
    open_page(page, f"/lecturer?lesson={NAME}&step=1")
    code = opened_here(page)
    with page.context.expect_page() as tab:
        page.get_by_role("link", name="The class's screen").click()
    screen = tab.value
    bar(screen, f"{code} · step 1 of 2 · 0 follow")
    settled(screen)
    screen.keyboard.press("PageDown")
    bar(screen, f"{code} · step 2 of 2 · 0 follow")
    assert headline(screen) == "And this is the third one."
    page.wait_for_function("() => location.search.includes('step=2')")
    screen.reload()
    bar(screen, f"{code} · step 2 of 2 · 0 follow")
    press(page, "Close the room")
    press(page, "Close the room: its guesses are forgotten")
