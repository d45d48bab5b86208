"""Siblings: what small models, one switch apart and trained alike, reached; each can be put on screen."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Siblings",
    order=503,
    stage="model",
    forward=False,
)
