"""Layer table: what torchsummary prints, a summary that walks from module to module."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Layer table",
    order=602,
    stage="model",
    forward=False,
)
