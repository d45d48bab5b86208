"""Class head: what the class token says, after the last block and after every other."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Class head",
    order=402,
    stage="head",
)
