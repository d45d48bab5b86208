"""Depth: what becomes of attention from the first layer to the last."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Depth",
    order=303,
    stage="blocks",
)
