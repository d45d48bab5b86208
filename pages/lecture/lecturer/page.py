"""Lecturer: the window of who gives a lecture: this step and the next, notes, guesses as they come in."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Lecturer",
    order=702,
    forward=False,
    leads=True,
)
