"""Patch grid: the picture becomes a sequence."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Patch grid",
    order=201,
    stage="patches",
)
