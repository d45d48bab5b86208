"""Switches: the family of architectures, one card for each switch."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Switches",
    order=502,
    stage="model",
    forward=False,
)
