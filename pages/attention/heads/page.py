"""Heads: every head asks its own question of the picture."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Heads",
    order=302,
    stage="attention",
)
