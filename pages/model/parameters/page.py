"""Parameters: where the learnable numbers sit, formula by formula."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Parameters",
    order=404,
    stage="model",
    forward=False,
)
