"""Arithmetic: where the multiply-accumulates of one forward pass go."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Arithmetic",
    order=603,
    stage="model",
    forward=False,
)
