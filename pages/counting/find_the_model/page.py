"""Find the model: a budget, and the configurations that come nearest to it."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Find the model",
    order=608,
    stage="model",
    forward=False,
)
