"""Overview: the whole model on one page."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Overview",
    order=101,
    stage="model",
)
