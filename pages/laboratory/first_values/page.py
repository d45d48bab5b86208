"""Initialisation: what the numbers that training begins with do to the first maps, and why they must differ."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Initialisation",
    order=509,
    stage="model",
)
