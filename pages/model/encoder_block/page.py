"""Encoder block: what attention and MLP do to the residual stream."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Encoder block",
    order=401,
    stage="block",
)
