"""Permutation: two patches change places, and only positions tell a model that they did."""

from vitviz.page import Page

PAGE = Page(
    __file__,
    "Permutation",
    order=504,
    stage="position_embedding",
)
