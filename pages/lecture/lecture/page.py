"""Lecture: lessons to give to a class, or to take alone."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Lecture",
    order=701,
    forward=False,
)
