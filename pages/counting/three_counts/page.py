"""Three ways to count: why published totals of one model differ, item by item."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Three ways to count",
    order=601,
    stage="model",
    forward=False,
)
