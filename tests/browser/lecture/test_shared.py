"""A picture of the lecturer's own: on followers' boards when the lecturer says so, and gone when they take it back."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from tests.browser.frame import open_board
from tests.browser.lecture.test_lecturer import opened, press
from tests.browser.visits.test_class import bring, crop
from tests.browser.visits.test_class import photo as photo  # a fixture


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
