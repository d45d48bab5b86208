"""Lecture: lessons to give to a class, or to take alone."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Lecture",
    order=701,
    says="A lesson is a list of steps: what is said, what is on screen, and what a class guesses before it is shown. "
    "Every answer is computed from the model on screen.",
    forward=False,
    teaches=True,
)
